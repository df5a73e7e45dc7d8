//! Working folders: where a test finds its candidate, cleaned after each run.

use crate::error::UserError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How much room a file system in memory must have to be preferred, in bytes.
const ROOM: u64 = 256 << 20;

/// A private folder with the candidate in one subfolder and temporary files in another. Removed
/// with everything in it when dropped.
#[derive(Debug)]
pub struct WorkFolder {
    /// What is removed in the end.
    pub root: PathBuf,
    /// Where the test runs; the candidate is in it.
    pub cwd: PathBuf,
    /// What TMPDIR names for the test.
    pub tmp: PathBuf,
    names: Vec<String>,
}

impl WorkFolder {
    /// A new folder for candidates whose files have these names. It is there once it is filled: until
    /// somebody sees to it that it goes, nothing is left behind by who is killed.
    ///
    /// # Errors
    /// If no folder can be made.
    pub fn new(names: &[String]) -> Result<Self, UserError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let parent = parent();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = parent.join(format!("lopper-{}-{number}", std::process::id()));
        let folder = Self { cwd: root.join("work"), tmp: root.join("tmp"), root, names: names.to_vec() };
        let made = fs::create_dir_all(&folder.root).and_then(|()| fs::remove_dir(&folder.root));
        made.map_err(|e| {
            UserError::usage(format!("no working folder can be made in '{}'", parent.display()))
                .fact(e.to_string())
                .help("set TMPDIR to a folder that can be written to")
        })?;
        Ok(folder)
    }

    /// Where the candidate's first file is.
    pub fn candidate(&self) -> PathBuf {
        self.cwd.join(self.names.first().map_or("input", String::as_str))
    }

    /// Writes the candidate's files, after removing whatever the last run left.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn fill(&self, contents: &[impl AsRef<Vec<u8>>]) -> Result<(), UserError> {
        self.fill_with(self.names.iter().zip(contents.iter().map(AsRef::as_ref)))
    }

    /// The same with files of any relative paths.
    ///
    /// # Errors
    /// As for `fill`.
    pub fn fill_with<'a>(
        &self,
        files: impl Iterator<Item = (&'a String, &'a Vec<u8>)>,
    ) -> Result<(), UserError> {
        let write = || -> io::Result<()> {
            for folder in [&self.tmp, &self.cwd] {
                // A test may remove its own folder, and make something else in its place.
                if clean(folder).is_err() {
                    let _ = fs::remove_file(folder);
                    fs::create_dir_all(folder)?;
                    clean(folder)?;
                }
            }
            for (name, content) in files {
                let path = self.cwd.join(name);
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::write(path, content)?;
            }
            Ok(())
        };
        write().map_err(|e| self.unwritable(&e))
    }

    /// Makes a folder of this relative path, unless there is something.
    ///
    /// # Errors
    /// As for `fill`.
    pub fn provide(&self, name: &str) -> Result<(), UserError> {
        let path = self.cwd.join(name);
        if path.exists() { Ok(()) } else { fs::create_dir_all(path).map_err(|e| self.unwritable(&e)) }
    }

    fn unwritable(&self, e: &io::Error) -> UserError {
        UserError::usage(format!("the working folder '{}' cannot be written to", self.cwd.display()))
            .fact(e.to_string())
            .help("free some room there, or set TMPDIR to another folder")
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        remove(&self.root);
    }
}

/// Removes a folder with everything in it. Nothing more can be done about one that resists.
pub(super) fn remove(folder: &Path) {
    let _ = clean(folder).and_then(|()| fs::remove_dir(folder));
}

/// TMPDIR if it is set; else a file system in memory that has room and runs programs; else /tmp.
fn parent() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let suits = |stat: rustix::fs::StatVfs| {
        stat.f_bavail.saturating_mul(stat.f_frsize) >= ROOM
            && !stat.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC)
    };
    if std::env::var_os("TMPDIR").is_none()
        && rustix::fs::statvfs(memory).is_ok_and(suits)
        && rustix::fs::access(memory, rustix::fs::Access::WRITE_OK).is_ok()
    {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    }
}

/// Removes everything in a folder, also what was made read-only.
fn clean(folder: &Path) -> io::Result<()> {
    let remove = |entry: &fs::DirEntry| -> io::Result<()> {
        if entry.file_type()?.is_dir() {
            clean(&entry.path())?;
            fs::remove_dir(entry.path())
        } else {
            fs::remove_file(entry.path())
        }
    };
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if remove(&entry).is_err() {
            make_writable(folder);
            make_writable(&entry.path());
            remove(&entry)?;
        }
    }
    Ok(())
}

fn make_writable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if let Ok(metadata) = path.symlink_metadata()
        && metadata.is_dir()
    {
        // A failure shows when the entry is removed again.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o700));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_folder_is_clean_for_each_candidate_and_gone_in_the_end() -> Result<(), Box<dyn std::error::Error>> {
        use std::os::unix::fs::PermissionsExt;
        let folder = WorkFolder::new(&["a b.c".into()])?;
        folder.fill(&[Arc::new(b"one".to_vec())])?;
        let sub = folder.cwd.join("sub");
        fs::create_dir(&sub)?;
        fs::write(sub.join("file"), "")?;
        fs::set_permissions(&sub, fs::Permissions::from_mode(0o500))?;
        fs::write(folder.tmp.join("left"), "")?;
        folder.fill(&[Arc::new(b"two".to_vec())])?;
        assert_eq!(fs::read(folder.candidate())?, b"two");
        assert_eq!(fs::read_dir(&folder.cwd)?.count(), 1);
        assert_eq!(fs::read_dir(&folder.tmp)?.count(), 0);
        let root = folder.root.clone();
        drop(folder);
        assert!(!root.exists());
        Ok(())
    }
}
