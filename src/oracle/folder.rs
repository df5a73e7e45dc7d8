//! Working folders: where a test finds its candidate, cleaned after each run.

use super::clean::{self, Identity, PATIENCE, Stays, allow, enter, look};
use super::{NamedFile, owner};
use crate::error::UserError;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags, fchmod, mkdirat, openat};
use rustix::io::Errno;
use rustix::rand::{GetRandomFlags, getrandom};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// How much room a file system in memory must have to be preferred, in bytes.
const ROOM: u64 = 256 << 20;
/// How often a working folder that cannot be cleaned is left for a new one before that is an error.
const RENEWALS: usize = 4;
/// Where the test runs, in its working folder.
const WORK: &CStr = c"work";
/// What TMPDIR names, in the working folder.
const TMP: &CStr = c"tmp";

/// The permissions of the input's files, by their paths in the working folder; any other file gets those of a new one.
pub type Modes = BTreeMap<Arc<Path>, u32>;

/// The permissions of files that have these paths in the working folder, as far as they can be seen.
pub fn modes_of(files: impl IntoIterator<Item = (Arc<Path>, PathBuf)>) -> Modes {
    let mode = |(name, path): (Arc<Path>, PathBuf)| Some((name, path.metadata().ok()?.permissions().mode()));
    files.into_iter().filter_map(mode).collect()
}

/// The folder that holds all working folders.
#[derive(Debug)]
pub struct TempFolder {
    path: PathBuf,
    handle: OwnedFd,
    identity: Identity,
}

impl TempFolder {
    /// TMPDIR if it is set; else a file system in memory that has room and runs programs; else /tmp.
    ///
    /// # Errors
    /// If it is not there.
    pub fn new() -> Result<Self, UserError> {
        let path = parent()?;
        let opened = open_parent(&path).and_then(|handle| {
            let identity = look(handle.as_fd(), c"")?.identity;
            Ok((handle, identity))
        });
        let (handle, identity) = opened.map_err(|e| no_folder(&path, &e.into()))?;
        Ok(Self { path, handle, identity })
    }

    /// A handle of it.
    pub(super) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

/// A handle of the folder that holds working folders. It need not be readable.
pub(super) fn open_parent(path: &Path) -> Result<OwnedFd, Errno> {
    rustix::fs::open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// TMPDIR, absolute, if it is set to anything; else the first of the usual places that suits.
fn parent() -> Result<PathBuf, UserError> {
    let Some(named) = std::env::var_os("TMPDIR").filter(|path| !path.is_empty()) else {
        let memory = Path::new("/dev/shm");
        let suits = |stat: rustix::fs::StatVfs| {
            stat.f_bavail.saturating_mul(stat.f_frsize) >= ROOM
                && !stat.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC)
        };
        let may_write = || rustix::fs::access(memory, rustix::fs::Access::WRITE_OK).is_ok();
        let memory = rustix::fs::statvfs(memory).is_ok_and(suits) && may_write();
        return Ok(PathBuf::from(if memory { "/dev/shm" } else { "/tmp" }));
    };
    std::path::absolute(&named).map_err(|e| no_folder(Path::new(&named), &e))
}

fn no_folder(parent: &Path, e: &io::Error) -> UserError {
    let title = format!("no working folder can be created in '{}'", parent.display());
    UserError::usage(title).fact(e.to_string()).help("set TMPDIR to a writable folder")
}

/// A folder in another one, by its handle: whatever its path becomes, it is this one that is meant.
#[derive(Debug)]
struct Held {
    handle: OwnedFd,
    identity: Identity,
}

impl Held {
    /// A new folder.
    fn new(above: BorrowedFd, name: &CStr, beside: Identity) -> Result<Self, Errno> {
        mkdirat(above, name, Mode::RWXU)?;
        let (handle, seen) = enter(above, name, beside)?;
        Ok(Self { handle, identity: seen.identity })
    }

    /// Whether it is still what this name names; then we may change what is in it.
    fn is_at(&self, above: BorrowedFd, name: &CStr) -> Result<bool, Errno> {
        match look(above, name) {
            Ok(seen) if seen.identity == self.identity => {
                allow(self.handle.as_fd(), &seen);
                Ok(true)
            }
            Ok(_) | Err(Errno::NOENT) => Ok(false),
            Err(e) => Err(e),
        }
    }
}

/// The folders of one working folder.
#[derive(Debug)]
struct Folders {
    root: Held,
    work: Held,
    tmp: Held,
    /// Says as long as it is open that somebody uses the folder.
    _lock: Option<OwnedFd>,
}

impl Folders {
    fn new(parent: &TempFolder, name: &CStr) -> Result<Self, Errno> {
        let root = Held::new(parent.handle(), name, parent.identity)?;
        let lock = owner::claim(root.handle.as_fd());
        let inside = |name| Held::new(root.handle.as_fd(), name, root.identity);
        Ok(Self { work: inside(WORK)?, tmp: inside(TMP)?, root, _lock: lock })
    }

    /// Removes what the last run left; gives what cannot be removed. `None` if this is not the folder
    /// of that name any more.
    fn clean(&mut self, parent: &TempFolder, name: &CStr) -> Result<Option<Stays>, Errno> {
        if !self.root.is_at(parent.handle(), name)? {
            return Ok(None);
        }
        let root = self.root.handle.as_fd();
        for (held, name) in [(&mut self.work, WORK), (&mut self.tmp, TMP)] {
            let stays = if held.is_at(root, name)? {
                clean::empty(held.handle.as_fd(), PATIENCE)
            } else {
                // A test may remove its own folder, and make something else in its place.
                let stays = clean::remove(root, name, PATIENCE);
                if stays.is_empty() {
                    *held = Held::new(root, name, self.root.identity)?;
                }
                stays
            };
            if !stays.is_empty() {
                return Ok(Some(stays));
            }
        }
        Ok(Some(Stays::default()))
    }
}

/// A private folder with the candidate in one subfolder and temporary files in another. Removed
/// with everything in it when dropped.
///
/// It is made once, for its owner alone, and held by its handle from then on. A test may do with paths what
/// it likes: only what is in this very folder is ever removed. Where that cannot be done, a new folder takes
/// its place.
#[derive(Debug)]
pub struct WorkFolder {
    parent: Arc<TempFolder>,
    name: CString,
    /// There once it is filled: until somebody sees to it that it goes, nothing is left behind by who is
    /// killed.
    folders: Option<Folders>,
    modes: Arc<Modes>,
    renewals: usize,
    /// What could not be removed.
    left: Vec<String>,
}

impl WorkFolder {
    /// A new folder, in which files have these permissions unless they bring their own.
    ///
    /// # Errors
    /// If no folder can be made.
    pub fn new(parent: Arc<TempFolder>, modes: Arc<Modes>) -> Result<Self, UserError> {
        let name = unguessable().map_err(|e| no_folder(&parent.path, &e.into()))?;
        Ok(Self { parent, name, folders: None, modes, renewals: 0, left: Vec::new() })
    }

    /// What is removed in the end. It is another folder after a run that left what cannot be removed.
    pub fn root(&self) -> PathBuf {
        self.parent.path.join(std::ffi::OsStr::from_bytes(self.name.to_bytes()))
    }

    /// Where the test runs; the candidate is in it.
    pub fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    /// What TMPDIR names for the test.
    pub fn tmp(&self) -> PathBuf {
        self.root().join("tmp")
    }

    /// The device and the inode of the folder, once it is there.
    pub(super) fn identity(&self) -> Option<[u64; 2]> {
        self.folders.as_ref().map(|folders| folders.root.identity.numbers())
    }

    /// Writes the candidate's files, after removing whatever the last run left.
    ///
    /// # Errors
    /// If the folder cannot be written to, or tests leave again and again what cannot be removed.
    pub fn fill(&mut self, candidate: &[NamedFile]) -> Result<(), UserError> {
        self.clean()?;
        candidate.iter().try_for_each(|file| self.write(file)).map_err(|e| self.unwritable(&e))
    }

    /// Makes a folder at this relative path, unless there is something.
    ///
    /// # Errors
    /// As for `fill`.
    pub fn provide(&self, path: &Path) -> Result<(), UserError> {
        let make = || match self.make_folders(path) {
            // A file, or the end of a path below one: the user named it.
            Err(Errno::NOTDIR) => Ok(()),
            made => made.map(drop),
        };
        make().map_err(|e| self.unwritable(&e.into()))
    }

    /// What tests left that cannot be removed, since it was last asked for: a line each.
    pub fn take_left(&mut self) -> Vec<String> {
        std::mem::take(&mut self.left)
    }

    /// Removes the folder now.
    pub(super) fn remove(&mut self) {
        let Some(folders) = self.folders.take() else { return };
        let expected = Some(folders.root.identity.numbers());
        let stays = owner::remove(self.parent.handle(), &self.name, expected, PATIENCE);
        self.left.extend(stays.lines(&self.parent.path));
    }

    /// Sees to it that there is a folder, with nothing in it.
    fn clean(&mut self) -> Result<(), UserError> {
        while let Some(folders) = &mut self.folders {
            match folders.clean(&self.parent, &self.name) {
                Ok(Some(stays)) if stays.is_empty() => return Ok(()),
                Ok(_) => {}
                Err(e) => return Err(self.unwritable(&e.into())),
            }
            self.remove();
            self.renewals += 1;
            if self.renewals > RENEWALS {
                if self.left.is_empty() {
                    self.left.push("its working folder is not where it was".into());
                }
                let error = UserError::bad_test("the test leaves something that cannot be removed")
                    .help("make the test unmount its mounts, and leave its folder in place");
                return Err(self.left.drain(..).fold(error, UserError::fact));
            }
            self.name = unguessable().map_err(|e| self.unwritable(&e.into()))?;
            self.make()?;
        }
        self.make()
    }

    fn make(&mut self) -> Result<(), UserError> {
        let mut made = Folders::new(&self.parent, &self.name);
        for _ in 0..RENEWALS {
            // Another start of Lopper may have taken the new folder for one whose owner was killed.
            if !matches!(made, Err(Errno::NOENT)) {
                break;
            }
            made = Folders::new(&self.parent, &self.name);
        }
        self.folders = Some(made.map_err(|e| no_folder(&self.parent.path, &e.into()))?);
        Ok(())
    }

    fn work_folder(&self) -> Result<BorrowedFd<'_>, Errno> {
        self.folders.as_ref().map(|folders| folders.work.handle.as_fd()).ok_or(Errno::NOENT)
    }

    /// The folder of this relative path, made where it is missing; `None` for the one where the test runs.
    fn make_folders(&self, path: &Path) -> Result<Option<OwnedFd>, Errno> {
        let mut folder: Option<OwnedFd> = None;
        for component in path.components() {
            let Component::Normal(name) = component else { continue };
            let above = folder.as_ref().map_or_else(|| self.work_folder(), |folder| Ok(folder.as_fd()))?;
            match mkdirat(above, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(e) => return Err(e),
            }
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            folder = Some(openat(above, name, flags, Mode::empty())?);
        }
        Ok(folder)
    }

    /// Writes a new file. Whoever owns it may always read and write it.
    fn write(&self, NamedFile { path, content, mode }: &NamedFile) -> io::Result<()> {
        let folder = path.parent().map_or(Ok(None), |above| self.make_folders(above))?;
        let folder = folder.as_ref().map_or_else(|| self.work_folder(), |folder| Ok(folder.as_fd()))?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = path.file_name().ok_or(Errno::INVAL)?;
        let file = openat(folder, file, flags, Mode::from_raw_mode(0o666))?;
        if let Some(mode) = mode.or_else(|| self.modes.get(path).copied()) {
            fchmod(&file, Mode::from_raw_mode(mode & 0o777 | 0o600))?;
        }
        File::from(file).write_all(content)
    }

    fn unwritable(&self, e: &io::Error) -> UserError {
        let errno = Errno::from_io_error(e);
        let help = match errno {
            Some(Errno::FBIG) => "the shell limits the size of files: see ulimit -f",
            Some(Errno::MFILE | Errno::NFILE) => {
                "too many files are open: see ulimit -n, or use fewer --jobs"
            }
            Some(Errno::ACCESS | Errno::PERM | Errno::ROFS) => {
                "make its parent folder writable again, or set TMPDIR to another folder"
            }
            _ => "free some space there, or set TMPDIR to another folder",
        };
        UserError::usage(format!("the working folder '{}' cannot be written to", self.work().display()))
            .fact(e.to_string())
            .help(help)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        self.remove();
    }
}

/// A name for a working folder that nobody can prepare for.
fn unguessable() -> Result<CString, Errno> {
    let mut random = [0u8; 8];
    getrandom(&mut random, GetRandomFlags::empty())?;
    CString::new(format!("{}{:016x}", owner::PREFIX, u64::from_ne_bytes(random))).map_err(|_| Errno::INVAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder_with(modes: &[(&str, u32)]) -> Result<WorkFolder, UserError> {
        let modes = modes.iter().map(|(path, mode)| (Path::new(path).into(), *mode)).collect();
        WorkFolder::new(Arc::new(TempFolder::new()?), Arc::new(modes))
    }

    #[test]
    fn a_folder_is_clean_for_each_candidate_and_gone_in_the_end() -> Result<(), Box<dyn std::error::Error>> {
        let mut folder = folder_with(&[])?;
        folder.fill(&[NamedFile::new("a b.c", "one")])?;
        let sub = folder.work().join("sub");
        fs::create_dir(&sub)?;
        fs::write(sub.join("file"), "")?;
        fs::set_permissions(&sub, fs::Permissions::from_mode(0o500))?;
        fs::write(folder.tmp().join("left"), "")?;
        folder.fill(&[NamedFile::new("a b.c", "two")])?;
        assert_eq!(fs::read(folder.work().join("a b.c"))?, b"two");
        assert_eq!(fs::read_dir(folder.work())?.count(), 1);
        assert_eq!(fs::read_dir(folder.tmp())?.count(), 0);
        let root = folder.root();
        drop(folder);
        assert!(!root.exists());
        Ok(())
    }

    #[test]
    fn a_folder_is_its_owners_alone_and_a_candidate_has_the_permissions_of_the_input()
    -> Result<(), Box<dyn std::error::Error>> {
        let mut folder = folder_with(&[("a", 0o600), ("b", 0o4755), ("c/d", 0o040)])?;
        let other = folder_with(&[])?;
        assert!(folder.root() != other.root());
        folder.fill(&["a", "b", "c/d"].map(|path| NamedFile::new(path, "")))?;
        let mode = |path: &Path| fs::metadata(path).map(|m| m.permissions().mode() & 0o7777);
        assert_eq!(mode(&folder.root())?, 0o700);
        let modes = ["a", "b", "c/d"].map(|name| mode(&folder.work().join(name)).unwrap());
        assert_eq!(modes, [0o600, 0o755, 0o640]);
        Ok(())
    }

    #[test]
    fn a_test_that_moves_its_folder_away_gets_another_one() -> Result<(), Box<dyn std::error::Error>> {
        let outside = tempfile::tempdir_in(parent()?)?;
        let mut folder = folder_with(&[])?;
        folder.fill(&[NamedFile::new("a", "one")])?;
        let root = folder.root();
        let moved = outside.path().join("moved");
        fs::rename(&root, &moved)?;
        std::os::unix::fs::symlink(&moved, &root)?;
        folder.fill(&[NamedFile::new("a", "two")])?;
        assert!(folder.root() != root && !root.exists());
        assert_eq!(fs::read(moved.join("work/a"))?, b"one");
        assert_eq!(fs::read(folder.work().join("a"))?, b"two");
        Ok(())
    }
}
