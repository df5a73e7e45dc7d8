//! Working folders, in which tests find their candidates. They are cleaned after each run.

use super::clean::{self, Identity, PATIENCE, Stays, allow, enter, look};
use super::refill::{self, Filler, Folder, Start};
use super::{Ground, NamedFile, owner};
use crate::error::UserError;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, fchmod, mkdirat, openat, symlinkat};
use rustix::io::Errno;
use rustix::rand::{GetRandomFlags, getrandom};
use std::ffi::{CStr, CString, OsStr};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The free space, in bytes, that a file system in memory must have to be preferred.
const ROOM: u64 = 256 << 20;
/// How often a working folder that cannot be cleaned may be replaced by a new one before this is an error.
const RENEWALS: usize = 4;
/// The subfolder in which the test runs.
const WORK: &CStr = c"work";
/// The subfolder that TMPDIR names.
const TMP: &CStr = c"tmp";

/// The folder that holds all working folders.
#[derive(Debug)]
pub(super) struct TempFolder {
    path: PathBuf,
    handle: OwnedFd,
    identity: Identity,
}

impl TempFolder {
    /// The folder TMPDIR if it is set; otherwise a file system in memory with enough room on which programs
    /// may run; otherwise /tmp.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub(super) fn new() -> Result<Self, UserError> {
        let path = parent()?;
        let opened = open_parent(&path).and_then(|handle| {
            let identity = look(handle.as_fd(), c"")?.identity;
            Ok((handle, identity))
        });
        let (handle, identity) = opened.map_err(|e| no_folder(&path, &e.into()))?;
        Ok(Self { path, handle, identity })
    }

    /// A handle of the folder.
    pub(super) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

/// Opens the folder that holds working folders. It need not be readable.
pub(super) fn open_parent(path: &Path) -> Result<OwnedFd, Errno> {
    rustix::fs::open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// The absolute path of TMPDIR if it is set and not empty; otherwise the first suitable one of the usual
/// places.
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

/// A folder inside another one, held by its handle, so that it stays the same folder wherever its path leads
/// later.
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

    /// Whether this name still leads to it; then gives us the permission to change its entries.
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

/// A working folder and its subfolders.
#[derive(Debug)]
struct Folders {
    root: Held,
    work: Held,
    tmp: Held,
    /// The lock: while it is open, the folder is in use.
    _lock: Option<OwnedFd>,
}

impl Folders {
    fn new(parent: &TempFolder, name: &CStr) -> Result<Self, Errno> {
        let root = Held::new(parent.handle(), name, parent.identity)?;
        let lock = owner::claim(root.handle.as_fd());
        let inside = |name| Held::new(root.handle.as_fd(), name, root.identity);
        Ok(Self { work: inside(WORK)?, tmp: inside(TMP)?, root, _lock: lock })
    }

    /// Removes the files of the last run, except those in the folder in which it ran if it `keeps` that; returns those
    /// that cannot be removed. `None` if the name leads to another folder now.
    fn clean(&mut self, parent: &TempFolder, name: &CStr, keeps: bool) -> Result<Option<Stays>, Errno> {
        if !self.root.is_at(parent.handle(), name)? {
            return Ok(None);
        }
        let root = self.root.handle.as_fd();
        for (held, name) in [(&mut self.work, WORK), (&mut self.tmp, TMP)] {
            let stays = if held.is_at(root, name)? {
                if keeps && name == WORK {
                    continue;
                }
                clean::empty(held.handle.as_fd(), PATIENCE)
            } else {
                // A test may remove its own folder, and put something else in its place.
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

/// The folder of the last file that was written: its path below the one in which the test runs, and its handle if it is
/// another one.
#[derive(Debug, Default)]
struct Above {
    path: PathBuf,
    handle: Option<OwnedFd>,
}

/// A private folder with the candidate in one subfolder and temporary files in another. It is removed with
/// all its contents when dropped.
///
/// It is created once, for its owner alone, and held by its handle from then on. Whatever a test does with
/// paths, only entries of this very folder are removed. If the folder cannot be cleaned, a new one replaces
/// it.
#[derive(Debug)]
pub(super) struct WorkFolder {
    parent: Arc<TempFolder>,
    name: CString,
    /// The folders, once the first candidate is written. The folder is created only after the helper that
    /// removes it has been started, so that nothing is left behind if Lopper is killed.
    folders: Option<Folders>,
    ground: Arc<Ground>,
    renewals: usize,
    /// A line for each file that could not be removed.
    left: Vec<String>,
    /// Whether files may stay there for the next run.
    reuses: bool,
    /// What the last run got, if it may stay.
    given: Option<Given>,
}

/// What a run got.
#[derive(Debug)]
struct Given {
    /// The folder in which it ran.
    work: Identity,
    contents: Folder,
    start: Start,
}

impl WorkFolder {
    /// A new folder on this ground. Files may stay there for the next run if it `reuses` them: then every process of
    /// a run must have ended before the next one, or [`WorkFolder::forget`] is called.
    ///
    /// # Errors
    /// If no folder can be created.
    pub(super) fn new(parent: Arc<TempFolder>, ground: Arc<Ground>, reuses: bool) -> Result<Self, UserError> {
        let name = unguessable().map_err(|e| no_folder(&parent.path, &e.into()))?;
        Ok(Self { parent, name, folders: None, ground, renewals: 0, left: Vec::new(), reuses, given: None })
    }

    /// The path of the folder that is removed at the end. It changes after a run that left files which cannot
    /// be removed.
    pub(super) fn root(&self) -> PathBuf {
        self.parent.path.join(std::ffi::OsStr::from_bytes(self.name.to_bytes()))
    }

    /// The folder in which the test runs, with the candidate.
    pub(super) fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    /// The folder that TMPDIR names for the test.
    pub(super) fn tmp(&self) -> PathBuf {
        self.root().join("tmp")
    }

    /// The device and the inode of the folder, once it exists.
    pub(super) fn identity(&self) -> Option<[u64; 2]> {
        self.folders.as_ref().map(|folders| folders.root.identity.numbers())
    }

    /// Writes the candidate's files and those of the ground, after removing the files of the last run. Nothing tells a
    /// file that stayed from a new one.
    ///
    /// # Errors
    /// If the folder cannot be written to, or tests repeatedly leave files that cannot be removed.
    pub(super) fn fill(&mut self, candidate: &[NamedFile]) -> Result<(), UserError> {
        let last = self.given.take();
        let ground = Arc::clone(&self.ground);
        let files = || candidate.iter().chain(&ground.files);
        let mode = |file: &NamedFile| file.mode.or_else(|| ground.modes.get(&file.path).copied());
        let wanted = || Folder::of(files().map(|file| (file, mode(file))));
        let Some(mut new) = (self.reuses && refill::pays(files())).then(wanted).flatten() else {
            self.clean(false)?;
            let mut above = Above::default();
            return files()
                .try_for_each(|file| self.write(file, &mut above))
                .map_err(|e| self.unwritable(&e));
        };
        self.clean(last.is_some())?;
        let mut filled = self.refill(last.as_ref(), &mut new);
        if filled.is_err() && last.is_some() {
            self.clean(false)?;
            new = wanted().unwrap_or_default();
            filled = self.refill(None, &mut new);
        }
        self.given = filled.map_err(|e| self.unwritable(&e))?.map(|(work, start)| Given {
            work,
            contents: new,
            start,
        });
        Ok(())
    }

    /// Makes these contents of those of the last run; returns the folder, and the time before which all its files are
    /// made, unless they may not stay.
    fn refill(&self, last: Option<&Given>, new: &mut Folder) -> io::Result<Option<(Identity, Start)>> {
        let Some(Folders { root, work, .. }) = &self.folders else { return Err(Errno::NOENT.into()) };
        let last = last.filter(|last| last.work == work.identity);
        let (root, suits) = (root.handle.as_fd(), refill::suits(work.handle.as_fd()));
        let filler = Filler { root, start: last.map(|last| last.start), tells_reads: suits == Some(true) };
        filler.fill((work.handle.as_fd(), work.identity), last.map(|last| &last.contents), new)?;
        Ok(suits.and_then(|_| Start::next()).map(|start| (work.identity, start)))
    }

    /// Lets no file stay that the last run got, since something may still change it.
    pub(super) fn forget(&mut self) {
        self.given = None;
    }

    /// Creates a folder at this relative path, unless the path exists.
    ///
    /// # Errors
    /// As for `fill`.
    pub(super) fn provide(&self, path: &Path) -> Result<(), UserError> {
        let make = || match self.make_folders(path) {
            // A file, or a path below a file, as the user named it.
            Err(Errno::NOTDIR) => Ok(()),
            made => made.map(drop),
        };
        make().map_err(|e| self.unwritable(&e.into()))
    }

    /// A line for each file that tests left and that cannot be removed, since the last call.
    pub(super) fn take_left(&mut self) -> Vec<String> {
        std::mem::take(&mut self.left)
    }

    /// Removes the folder now.
    pub(super) fn remove(&mut self) {
        let Some(folders) = self.folders.take() else { return };
        let expected = Some(folders.root.identity.numbers());
        let stays = owner::remove(self.parent.handle(), &self.name, expected, PATIENCE);
        self.left.extend(stays.lines(&self.parent.path));
    }

    /// Makes sure that the folder exists and is empty, except for the files of the last run if it `keeps` them.
    fn clean(&mut self, keeps: bool) -> Result<(), UserError> {
        while let Some(folders) = &mut self.folders {
            match folders.clean(&self.parent, &self.name, keeps) {
                Ok(Some(stays)) if stays.is_empty() => return Ok(()),
                Ok(_) => {}
                Err(e) => return Err(self.unwritable(&e.into())),
            }
            self.remove();
            self.renewals += 1;
            if self.renewals > RENEWALS {
                if self.left.is_empty() {
                    self.left.push("the test moved or removed its working folder".into());
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

    /// The folder at this relative path, created if it is missing; `None` for the folder in which the test
    /// runs.
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

    /// Writes a new file, symbolic link or folder; `above` is the folder of the last one.
    fn write(&self, NamedFile { path, content, mode }: &NamedFile, above: &mut Above) -> io::Result<()> {
        let mode = mode.or_else(|| self.ground.modes.get(path).copied());
        let kind = mode.map_or(FileType::RegularFile, FileType::from_raw_mode);
        if kind == FileType::Directory {
            let made = self.make_folders(path)?;
            let mode = Mode::from_raw_mode(mode.unwrap_or(0o777) & 0o777) | Mode::RWXU;
            return made.map_or(Ok(()), |folder| Ok(fchmod(folder, mode)?));
        }
        let parent = path.parent().unwrap_or(Path::new(""));
        if above.path != parent {
            *above = Above { path: parent.to_owned(), handle: self.make_folders(parent)? };
        }
        let folder = above.handle.as_ref().map_or_else(|| self.work_folder(), |folder| Ok(folder.as_fd()))?;
        if kind == FileType::Symlink {
            let name = path.file_name().ok_or(Errno::INVAL)?;
            return Ok(symlinkat(OsStr::from_bytes(content), folder, name)?);
        }
        refill::create(folder, path.file_name().ok_or(Errno::INVAL)?, mode)?.write_all(content)
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

/// An unguessable name for a working folder.
fn unguessable() -> Result<CString, Errno> {
    let mut random = [0u8; 8];
    getrandom(&mut random, GetRandomFlags::empty())?;
    CString::new(format!("{}{:016x}", owner::PREFIX, u64::from_ne_bytes(random))).map_err(|_| Errno::INVAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn folder_with(modes: &[(&str, u32)]) -> Result<WorkFolder, UserError> {
        let modes = modes.iter().map(|(path, mode)| (Path::new(path).into(), *mode)).collect();
        let ground = Ground { modes, files: vec![] };
        WorkFolder::new(Arc::new(TempFolder::new()?), Arc::new(ground), false)
    }

    #[test]
    fn a_folder_is_clean_for_each_candidate_and_removed_at_the_end() -> Result<(), Box<dyn std::error::Error>>
    {
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
    fn only_its_owner_may_enter_a_folder_and_a_candidate_has_the_permissions_of_the_input()
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
