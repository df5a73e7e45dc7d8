//! What is tested: the files of a candidate, each a path and bytes.

use lopper_languages::Parsed;
use lopper_passes::Base;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// A file of a candidate. It stands for its bytes where bytes are wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedFile {
    /// Where it is, below the folder in which the test runs.
    pub path: Arc<Path>,
    /// Its bytes.
    pub content: Arc<Vec<u8>>,
    /// Its permissions, as of chmod(2); `None` for those of the input's file at this path.
    pub mode: Option<u32>,
}

/// All files of a candidate. The files that are being reduced come first, in the order of the base's files.
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

/// The files of a base, as they are tested.
pub fn contents_of(base: &Base) -> Contents {
    base.files.iter().map(|file| NamedFile::from(&**file)).collect()
}

/// The base of these contents, like another base: files whose text is the same are not parsed again.
pub fn base_of(contents: &Contents, like: &Base) -> Base {
    let parse = |(file, now): (&Arc<Parsed>, &NamedFile)| {
        if file.text == **now { Arc::clone(file) } else { Arc::new(file.with_text(now.to_vec())) }
    };
    Base { files: like.files.iter().zip(contents).map(parse).collect() }
}

/// Identifies a candidate: xxh3-128 of its files, with their paths and permissions. Two candidates of a run have the
/// same key by accident with a probability below 10⁻²⁵ after a million runs.
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
