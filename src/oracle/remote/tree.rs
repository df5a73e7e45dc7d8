//! Files and folders as a Merkle tree: blobs, each named by the hash of its bytes.

use crate::error::UserError;
use crate::oracle::Contents;
use crate::oracle::ground::Ground;
use crate::platform::{self, FileKind};
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use prost::Message;
use ring::digest::{Context, SHA256};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The name of a blob: the SHA-256 of its bytes, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Digest {
    hash: [u8; 32],
    pub(super) size: u64,
}

impl Digest {
    /// The name of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut hash = [0; 32];
        hash.copy_from_slice(ring::digest::digest(&SHA256, bytes).as_ref());
        Self { hash, size: bytes.len() as u64 }
    }

    /// The name of a file's bytes.
    fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let (mut context, mut size, mut buffer) = (Context::new(&SHA256), 0, vec![0; 64 << 10]);
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            context.update(&buffer[..read]);
            size += read as u64;
        }
        let mut hash = [0; 32];
        hash.copy_from_slice(context.finish().as_ref());
        Ok(Self { hash, size })
    }

    /// The hash in hexadecimal digits.
    pub(super) fn hex(&self) -> String {
        self.hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl From<Digest> for api::Digest {
    fn from(digest: Digest) -> Self {
        Self { hash: digest.hex(), size_bytes: i64::try_from(digest.size).unwrap_or(i64::MAX) }
    }
}

/// The bytes of a blob, or where they are.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Bytes(Arc<Vec<u8>>),
    File(Arc<Path>),
}

impl Source {
    /// The bytes.
    pub(super) fn read(&self) -> io::Result<Arc<Vec<u8>>> {
        match self {
            Self::Bytes(bytes) => Ok(Arc::clone(bytes)),
            Self::File(path) => std::fs::read(path).map(Arc::new),
        }
    }
}

/// A blob.
#[derive(Clone, Debug)]
pub(super) struct Blob {
    pub(super) digest: Digest,
    pub(super) source: Source,
}

impl Blob {
    /// A blob of these bytes.
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { digest: Digest::of(&bytes), source: Source::Bytes(Arc::new(bytes)) }
    }
}

/// A folder before it becomes blobs.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder(BTreeMap<String, Entry>);

#[derive(Clone, Debug)]
enum Entry {
    File {
        blob: Blob,
        is_executable: bool,
    },
    Link(String),
    Folder(Folder),
    /// A folder whose blobs are known already.
    Known(Digest),
}

impl Folder {
    /// Puts the folder with this digest here.
    pub(super) fn put_known(&mut self, name: &str, digest: Digest) {
        self.0.insert(name.to_owned(), Entry::Known(digest));
    }

    /// Takes the folder with this name out of this one.
    pub(super) fn take_folder(&mut self, name: &str) -> Option<Self> {
        match self.0.remove(name)? {
            Entry::Folder(folder) => Some(folder),
            _ => None,
        }
    }

    /// Makes sure that there is a folder at this path, unless a file or a part of its path is one.
    ///
    /// # Errors
    /// If a name is not UTF-8.
    pub(super) fn provide(&mut self, path: &Path) -> Result<(), UserError> {
        self.enter(path).map(drop)
    }

    /// Puts a file, a link or a folder of this machine at this path, with everything in it.
    ///
    /// # Errors
    /// If it cannot be read, or a name is not UTF-8.
    pub(super) fn put_from(&mut self, path: &Path, from: &Path) -> Result<(), UserError> {
        let unreadable = |e: io::Error| {
            UserError::usage(format!("'{}' cannot be sent to the cluster", from.display()))
                .fact(e.to_string())
        };
        let metadata = from.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            self.provide(path)?;
            for entry in from.read_dir().map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let link = entry.file_type().map_err(unreadable)?.is_symlink();
                let below = path.join(entry.file_name());
                match link.then(|| std::fs::read_link(entry.path())).transpose().map_err(unreadable)? {
                    // A link that stays inside of its folder stays a link; any other stands for what it leads to.
                    Some(target) if is_below(&target) => {
                        let target = text(Path::new(&target))?.to_owned();
                        self.put(&below, Entry::Link(target))?;
                    }
                    // A broken link is of no use on another machine.
                    Some(_) if entry.path().metadata().is_err() => {}
                    _ => self.put_from(&below, &entry.path())?,
                }
            }
            return Ok(());
        }
        if !metadata.is_file() {
            return Err(unreadable(io::Error::other("it is neither a file nor a folder")));
        }
        let digest = Digest::of_file(from).map_err(unreadable)?;
        let blob = Blob { digest, source: Source::File(from.into()) };
        let is_executable = platform::mode(&metadata) & 0o111 != 0;
        self.put(path, Entry::File { blob, is_executable })
    }

    fn put(&mut self, path: &Path, entry: Entry) -> Result<(), UserError> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
        let name = text(Path::new(name))?.to_owned();
        if let Some(folder) = self.enter(parent)? {
            folder.0.insert(name, entry);
        }
        Ok(())
    }

    /// The folder at this path, which is made if there is nothing.
    fn enter(&mut self, path: &Path) -> Result<Option<&mut Self>, UserError> {
        let mut folder = self;
        for component in path.components() {
            let Component::Normal(name) = component else { continue };
            let name = text(Path::new(name))?.to_owned();
            match folder.0.entry(name).or_insert_with(|| Entry::Folder(Self::default())) {
                Entry::Folder(below) => folder = below,
                _ => return Ok(None),
            }
        }
        Ok(Some(folder))
    }

    /// Adds the blobs of this folder and of all in it to `blobs`; returns its digest.
    pub(super) fn encode(&self, blobs: &mut Vec<Blob>) -> Digest {
        let mut directory = api::Directory::default();
        for (name, entry) in &self.0 {
            let name = name.clone();
            match entry {
                Entry::File { blob, is_executable } => {
                    let digest = Some(blob.digest.into());
                    directory.files.push(api::FileNode {
                        name,
                        digest,
                        is_executable: *is_executable,
                        node_properties: None,
                    });
                    blobs.push(blob.clone());
                }
                Entry::Link(target) => {
                    let target = target.clone();
                    directory.symlinks.push(api::SymlinkNode { name, target, node_properties: None });
                }
                Entry::Folder(folder) => {
                    let digest = Some(folder.encode(blobs).into());
                    directory.directories.push(api::DirectoryNode { name, digest });
                }
                Entry::Known(digest) => {
                    directory.directories.push(api::DirectoryNode { name, digest: Some((*digest).into()) });
                }
            }
        }
        let blob = Blob::new(directory.encode_to_vec());
        let digest = blob.digest;
        blobs.push(blob);
        digest
    }
}

/// Whether a relative path cannot lead out of its folder.
fn is_below(path: &Path) -> bool {
    path.components().all(|component| matches!(component, Component::Normal(_) | Component::CurDir))
}

/// A path as text.
pub(super) fn text(path: &Path) -> Result<&str, UserError> {
    path.to_str().ok_or_else(|| {
        UserError::usage(format!("the name '{}' is not UTF-8", path.display()))
            .fact("the Remote Execution API has no other names")
    })
}

/// The digests of contents that several candidates share, so that a file that does not change is hashed once.
#[derive(Debug, Default)]
pub(super) struct Hashed(Mutex<HashMap<usize, Known>>);

/// A content and its digest.
type Known = (Weak<Vec<u8>>, Digest);

/// The number of contents that are remembered before those that are gone are forgotten.
const REMEMBERED: usize = 10_000;

impl Hashed {
    fn digest(&self, content: &Arc<Vec<u8>>) -> Digest {
        let place = Arc::as_ptr(content) as usize;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((weak, digest)) = known.get(&place)
            && weak.upgrade().is_some_and(|known| Arc::ptr_eq(&known, content))
        {
            return *digest;
        }
        drop(known);
        let digest = Digest::of(content);
        known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.retain(|_, (weak, _)| weak.strong_count() > 0);
        }
        known.insert(place, (Arc::downgrade(content), digest));
        digest
    }

    /// The folder in which the test runs: a candidate on its ground, with a folder for each of these paths at which
    /// there is no file.
    ///
    /// # Errors
    /// If a name is not UTF-8.
    pub(super) fn folder(
        &self,
        candidate: &Contents,
        ground: &Ground,
        arguments: &[Arc<Path>],
    ) -> Result<Folder, UserError> {
        let mut folder = Folder::default();
        for file in candidate.iter().chain(&ground.files) {
            let mode = file.mode.or_else(|| ground.modes.get(&file.path).copied());
            match FileKind::of(mode) {
                FileKind::Folder => folder.provide(&file.path)?,
                FileKind::Link => {
                    let target = platform::word(file.content.to_vec());
                    folder.put(&file.path, Entry::Link(text(Path::new(&target))?.to_owned()))?;
                }
                _ => {
                    let blob = Blob {
                        digest: self.digest(&file.content),
                        source: Source::Bytes(Arc::clone(&file.content)),
                    };
                    let is_executable = mode.is_some_and(|mode| mode & 0o111 != 0);
                    folder.put(&file.path, Entry::File { blob, is_executable })?;
                }
            }
        }
        arguments.iter().try_for_each(|path| folder.provide(path))?;
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::NamedFile;

    #[test]
    fn a_blob_is_named_by_the_hash_of_its_bytes() {
        let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let digest = Digest::of(b"abc");
        assert_eq!((digest.hex().as_str(), digest.size), (hex, 3));
    }

    #[test]
    fn the_entries_of_a_folder_are_sorted_and_only_blobs_on_the_way_to_a_change_are_new()
    -> Result<(), UserError> {
        let file = |path: &str, text: &str| NamedFile::new(path, text);
        let candidate = vec![file("p/b.c", "b"), file("p/a.c", "a"), file("p/sub/z.c", "z")];
        let changed = vec![file("p/b.c", "B"), candidate[1].clone(), candidate[2].clone()];
        let (hashed, ground) = (Hashed::default(), Ground::default());
        let blobs = |candidate: &Contents| {
            let mut blobs = Vec::new();
            let folder = hashed.folder(candidate, &ground, &[Path::new("p").into()])?;
            folder.encode(&mut blobs);
            Ok::<_, UserError>(blobs)
        };
        let (before, after) = (blobs(&candidate)?, blobs(&changed)?);
        let new = after.iter().filter(|blob| before.iter().all(|known| known.digest != blob.digest));
        assert_eq!(new.count(), 3, "the file, its folder and the folder above");
        let read = |blob: &Blob| api::Directory::decode(&**blob.source.read().unwrap());
        let folder = before.iter().rev().nth(1).map(read).unwrap().unwrap();
        let names: Vec<&str> = folder.files.iter().map(|file| &*file.name).collect();
        assert_eq!((names, &*folder.directories[0].name), (vec!["a.c", "b.c"], "sub"));
        Ok(())
    }

    #[test]
    fn an_argument_without_files_is_an_empty_folder() -> Result<(), UserError> {
        let folder = Hashed::default().folder(&vec![], &Ground::default(), &[Path::new("p").into()])?;
        let mut blobs = Vec::new();
        folder.encode(&mut blobs);
        assert_eq!(blobs[0].digest, Digest::of(b""));
        Ok(())
    }
}
