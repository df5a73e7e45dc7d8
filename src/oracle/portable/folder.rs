//! Working folders, in which tests find their candidates. They are emptied before each run, by their paths: a test that
//! puts a link in the place of its folder gets a new folder.

use crate::error::UserError;
use crate::oracle::NamedFile;
use crate::oracle::ground::Ground;
use crate::platform::{self, FileKind};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The prefix of the names of working folders.
const PREFIX: &str = "lopper.";
/// The lock file of a folder: while it is locked, the folder is in use.
const OWNER: &str = "owner";
/// How often a working folder that cannot be emptied may be replaced by a new one before this is an error.
const RENEWALS: usize = 4;
/// How long the removal of files is tried: some systems keep the files of a process for a moment after its death.
const PATIENCE: Duration = Duration::from_secs(2);

/// A private folder with the candidate in one subfolder and temporary files in another. It is removed with all its
/// contents when dropped.
#[derive(Debug)]
pub(super) struct WorkFolder {
    parent: PathBuf,
    root: PathBuf,
    /// The lock, once the folder exists.
    lock: Option<File>,
    ground: Arc<Ground>,
    renewals: usize,
    /// A line for each file that could not be removed.
    left: Vec<String>,
}

impl WorkFolder {
    /// A folder on this ground, which is created with its first candidate.
    pub(super) fn new(ground: Arc<Ground>) -> Self {
        let parent = std::env::temp_dir();
        let root = unguessable(&parent);
        Self { parent, root, lock: None, ground, renewals: 0, left: Vec::new() }
    }

    /// The folder that is removed at the end. It changes after a run that left files which cannot be removed.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder in which the test runs, with the candidate.
    pub(super) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The folder for the test's temporary files.
    pub(super) fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Writes the candidate's files and those of the ground, after removing the files of the last run.
    ///
    /// # Errors
    /// If the folder cannot be written to, or tests repeatedly leave files that cannot be removed.
    pub(super) fn fill(&mut self, candidate: &[NamedFile]) -> Result<(), UserError> {
        self.empty()?;
        let mut files = candidate.iter().chain(&self.ground.files);
        files.try_for_each(|file| self.write(file)).map_err(|e| self.unwritable(&e))
    }

    /// Creates a folder at this relative path, unless the path exists.
    ///
    /// # Errors
    /// As for `fill`.
    pub(super) fn provide(&self, path: &Path) -> Result<(), UserError> {
        let at = self.at(path);
        if at.exists() { Ok(()) } else { fs::create_dir_all(at).map_err(|e| self.unwritable(&e)) }
    }

    /// A line for each file that tests left and that cannot be removed, since the last call.
    pub(super) fn take_left(&mut self) -> Vec<String> {
        std::mem::take(&mut self.left)
    }

    /// Removes the folder now.
    pub(super) fn remove(&mut self) {
        if self.lock.take().is_some()
            && let Err(e) = remove(&self.root)
        {
            self.left.push(format!("'{}': {e}", self.root.display()));
        }
    }

    /// Where a relative path of a candidate leads to.
    fn at(&self, path: &Path) -> PathBuf {
        let names = path.components().filter(|part| matches!(part, Component::Normal(_)));
        names.fold(self.work(), |folder, name| folder.join(name))
    }

    /// Makes sure that the folder exists and is empty.
    fn empty(&mut self) -> Result<(), UserError> {
        let renew = |folder: &Path| remove(folder).and_then(|()| platform::create_private(folder));
        while self.lock.is_some() {
            let is_ours = fs::symlink_metadata(&self.root).is_ok_and(|root| root.is_dir());
            if is_ours {
                // A test may have taken the permission from us.
                let _ = platform::set_mode(&self.root, 0o700);
            }
            if is_ours && [self.work(), self.tmp()].iter().all(|folder| renew(folder).is_ok()) {
                return Ok(());
            }
            self.remove();
            self.renewals += 1;
            if self.renewals > RENEWALS {
                let error = UserError::bad_test("the test leaves something that cannot be removed")
                    .help("make the test end all that it starts, and leave its folder in place");
                return Err(self.left.drain(..).fold(error, UserError::fact));
            }
            self.root = unguessable(&self.parent);
            self.make()?;
        }
        self.make()
    }

    fn make(&mut self) -> Result<(), UserError> {
        let make = || {
            platform::create_private(&self.root)?;
            let mut lock = File::create_new(self.root.join(OWNER))?;
            lock.try_lock().map_err(|e| match e {
                TryLockError::Error(e) => e,
                TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
            })?;
            lock.write_all(format!("process {}\n", std::process::id()).as_bytes())?;
            platform::create_private(&self.work())?;
            platform::create_private(&self.tmp())?;
            Ok(lock)
        };
        self.lock = Some(make().map_err(|e: io::Error| {
            let shown = self.parent.display();
            UserError::usage(format!("no working folder can be created in '{shown}'"))
                .fact(e.to_string())
                .help("set TMPDIR to a writable folder")
        })?);
        Ok(())
    }

    /// Writes a new file, symbolic link or folder. Its owner may always read and write a file.
    fn write(&self, file: &NamedFile) -> io::Result<()> {
        let mode = file.mode.or_else(|| self.ground.modes.get(&file.path).copied());
        let at = self.at(&file.path);
        let kind = FileKind::of(mode);
        fs::create_dir_all(if kind == FileKind::Folder { &at } else { at.parent().unwrap_or(&at) })?;
        let least = match kind {
            FileKind::Link => return platform::symlink(&platform::word(file.content.to_vec()), &at),
            FileKind::Folder => 0o700,
            FileKind::File | FileKind::Special => {
                File::create_new(&at)?.write_all(file)?;
                0o600
            }
        };
        mode.map_or(Ok(()), |mode| platform::set_mode(&at, mode & 0o777 | least))
    }

    fn unwritable(&self, e: &io::Error) -> UserError {
        UserError::usage(format!("the working folder '{}' cannot be written to", self.work().display()))
            .fact(e.to_string())
            .help("free some space there, or set TMPDIR to another folder")
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        self.remove();
    }
}

/// The path of a new folder with an unguessable name.
fn unguessable(parent: &Path) -> PathBuf {
    // The standard library seeds each of these by the system's random numbers.
    let random = RandomState::new().build_hasher().finish();
    parent.join(format!("{PREFIX}{random:016x}"))
}

/// Removes a folder and everything in it, read-only or not. A missing one is not an error.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let removed = match fs::symlink_metadata(folder) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => Err(e),
            Ok(metadata) if metadata.is_dir() => {
                make_writable(folder);
                fs::remove_dir_all(folder)
            }
            Ok(_) => fs::remove_file(folder),
        };
        match removed {
            Err(e) if Instant::now() > deadline => return Err(e),
            Err(_) => std::thread::sleep(PATIENCE / 40),
            Ok(()) => return Ok(()),
        }
    }
}

/// Gives us the permission to remove what is in a folder. Links are not followed.
fn make_writable(folder: &Path) {
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let _ = platform::set_mode(&path, 0o700);
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() && cfg!(windows) => drop(platform::set_mode(&entry.path(), 0o600)),
                _ => {}
            }
        }
    }
}

/// Removes working folders of ours that no process uses any more. Doubtful folders stay.
pub(super) fn sweep() {
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // A file without its line was made just now, and will be locked.
        let owner = File::open(entry.path().join(OWNER));
        let is_left = owner.is_ok_and(|owner| {
            owner.metadata().is_ok_and(|metadata| metadata.len() > 0) && owner.try_lock().is_ok()
        });
        if is_left {
            // What cannot be removed stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> WorkFolder {
        WorkFolder::new(Arc::default())
    }

    #[test]
    fn a_folder_is_empty_for_each_candidate_and_removed_at_the_end() -> Result<(), Box<dyn std::error::Error>>
    {
        let mut folder = folder();
        folder.fill(&[NamedFile::new("sub/a b.c", "one")])?;
        let sub = folder.work().join("sub");
        fs::write(sub.join("left"), "")?;
        platform::set_mode(&sub, 0o500)?;
        fs::write(folder.tmp().join("left"), "")?;
        folder.fill(&[NamedFile::new("a b.c", "two")])?;
        assert_eq!(fs::read(folder.work().join("a b.c"))?, b"two");
        assert_eq!(fs::read_dir(folder.work())?.count(), 1);
        assert_eq!(fs::read_dir(folder.tmp())?.count(), 0);
        let root = folder.root().to_owned();
        drop(folder);
        assert!(!root.exists());
        Ok(())
    }

    #[test]
    fn only_folders_that_no_process_uses_are_swept() -> Result<(), Box<dyn std::error::Error>> {
        let (mut used, mut left) = (folder(), folder());
        used.fill(&[])?;
        left.fill(&[])?;
        // As if the process had been killed.
        left.lock = None;
        sweep();
        assert!(used.root().exists() && !left.root().exists());
        Ok(())
    }

    #[test]
    fn a_link_in_the_place_of_the_folder_is_not_followed() -> Result<(), Box<dyn std::error::Error>> {
        let mut folder = folder();
        folder.fill(&[NamedFile::new("a", "one")])?;
        let outside = unguessable(&std::env::temp_dir()).with_extension("outside");
        fs::rename(folder.work(), &outside)?;
        platform::symlink(outside.as_os_str(), &folder.work())?;
        folder.fill(&[NamedFile::new("a", "two")])?;
        assert_eq!(fs::read(outside.join("a"))?, b"one");
        assert_eq!(fs::read(folder.work().join("a"))?, b"two");
        fs::remove_dir_all(outside)?;
        Ok(())
    }
}
