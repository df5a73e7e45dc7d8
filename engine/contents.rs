//! The files of a candidate, each with a path, bytes and permissions.

use lopper_languages::{Parsed, detect};
use lopper_passes::Base;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// A file of a candidate. It dereferences to its bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedFile {
    /// The path, relative to the folder in which the test runs.
    pub path: Arc<Path>,
    /// The bytes.
    pub content: Arc<Vec<u8>>,
    /// The type and the permissions, as in stat(2); `None` for a file with those of the input's file at this path. The
    /// content of a symbolic link is its target; an empty folder has none.
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
        Self { path: Arc::clone(&file.path), content: Arc::clone(&file.text), mode: file.mode }
    }
}

/// The files of a base, in the form for tests.
pub fn contents_of(base: &Base) -> Contents {
    base.files.iter().map(|file| NamedFile::from(&**file)).collect()
}

/// The base with these contents, in the languages of another base of the same files, of which some may be missing in
/// one of the two. A file whose text is the same in both is not parsed again. O(files log files) besides the parser.
pub fn base_of(contents: &Contents, like: &Base) -> Base {
    let known: BTreeMap<&Path, &Arc<Parsed>> = like.files.iter().map(|file| (&*file.path, file)).collect();
    let parse = |now: &NamedFile| match known.get(&*now.path) {
        Some(file) if Arc::ptr_eq(&file.text, &now.content) || file.text == now.content => Arc::clone(file),
        Some(file) => Arc::new(file.with_text(Arc::clone(&now.content))),
        None => {
            // A file that has moved keeps its language.
            let before = like.files.iter().find(|file| Arc::ptr_eq(&file.text, &now.content));
            let language = before.map_or_else(|| detect(&now.path.to_string_lossy()), |file| file.language);
            let file = Parsed::at(Arc::clone(&now.path), language, Arc::clone(&now.content));
            Arc::new(file.with_mode(now.mode))
        }
    };
    Base { files: contents.iter().map(parse).collect() }
}

/// Identifies a candidate, by xxh3-128 of its files with their paths and permissions. After a million runs,
/// the probability that two candidates share a key is below 10⁻²⁵.
pub fn key(candidate: &Contents) -> u128 {
    let mut keys = Keys::default();
    candidate.iter().for_each(|file| keys.add(&file.path, xxh3_128(file), file.mode));
    keys.key()
}

/// Computes the key of a candidate from the hashes of its files.
#[derive(Default)]
pub(crate) struct Keys(Xxh3);

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

impl Keys {
    /// Adds a file with this xxh3-128 of its content.
    pub(crate) fn add(&mut self, path: &Path, content: u128, mode: Option<u32>) {
        let path = path.as_os_str().as_encoded_bytes();
        self.0.update(&path.len().to_le_bytes());
        self.0.update(path);
        self.0.update(&content.to_le_bytes());
        self.0.update(&mode.map_or(u32::MAX, |mode| mode).to_le_bytes());
    }

    /// The key.
    pub(crate) fn key(&self) -> u128 {
        self.0.digest128()
    }
}
