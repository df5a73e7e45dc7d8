//! The files of a candidate, each with a path, bytes and permissions.

use lopper_languages::Parsed;
use lopper_passes::Base;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// A file of a candidate. It dereferences to its bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedFile {
    /// The path, relative to the folder in which the test runs.
    pub path: Arc<Path>,
    /// The bytes.
    pub content: Arc<Vec<u8>>,
    /// The permissions, as in chmod(2); `None` for those of the input's file at this path.
    pub mode: Option<u32>,
}

/// All files of a candidate. The files under reduction come first, in the order of the base's files.
pub type Contents = Vec<NamedFile>;

impl NamedFile {
    /// A file with the permissions of the input's file at this path.
    pub fn new(path: impl AsRef<Path>, content: impl Into<Vec<u8>>) -> Self {
        Self { path: path.as_ref().into(), content: Arc::new(content.into()), mode: None }
    }

    /// The same file with another content.
    pub fn with(&self, content: Vec<u8>) -> Self {
        Self { content: Arc::new(content), ..self.clone() }
    }
}

impl Deref for NamedFile {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.content
    }
}

impl From<&Parsed> for NamedFile {
    fn from(file: &Parsed) -> Self {
        Self { path: Arc::clone(&file.path), content: Arc::new(file.text.clone()), mode: None }
    }
}

/// The files of a base, in the form for tests.
pub fn contents_of(base: &Base) -> Contents {
    base.files.iter().map(|file| NamedFile::from(&**file)).collect()
}

/// The base with these contents, in the languages of another base. A file whose text is the same in both is
/// not parsed again.
pub fn base_of(contents: &Contents, like: &Base) -> Base {
    let parse = |(file, now): (&Arc<Parsed>, &NamedFile)| {
        if file.text == **now { Arc::clone(file) } else { Arc::new(file.with_text(now.to_vec())) }
    };
    Base { files: like.files.iter().zip(contents).map(parse).collect() }
}

/// Identifies a candidate, by xxh3-128 of its files with their paths and permissions. After a million runs,
/// the probability that two candidates share a key is below 10⁻²⁵.
pub fn key(candidate: &Contents) -> u128 {
    let mut hash = Xxh3::new();
    for NamedFile { path, content, mode } in candidate {
        let path = path.as_os_str().as_encoded_bytes();
        for part in [path, content] {
            hash.update(&part.len().to_le_bytes());
            hash.update(part);
        }
        hash.update(&mode.map_or(u32::MAX, |mode| mode).to_le_bytes());
    }
    hash.digest128()
}
