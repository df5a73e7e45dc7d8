//! Cleaning: removes the files that a test left behind, and nothing else.
//!
//! A test may redirect any path, by a link, by a mount, or by renaming. So nothing is removed by its path.
//! Every folder is opened from the handle of the folder above it, without following a link, and is entered
//! only if it is on the same device and on the same mount; nothing is unmounted. The walk needs neither stack
//! nor handles in proportion to the depth, visits every folder once (twice if something was added to it
//! meanwhile), and ends at a deadline. Remaining files are named.

use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RawDir, ResolveFlags, Statx, StatxFlags, fchmod, openat, openat2, statx,
    unlinkat,
};
use rustix::io::{Errno, Result};
use rustix::process::geteuid;
use std::ffi::{CStr, CString, OsStr};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The time limit for removing the files of one run of the test. It allows for millions of files in memory,
/// and some hundred thousand on a disk.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// The number of folder handles held at once; folders further above are opened again when the walk returns to
/// them.
const HANDLES: usize = 32;
/// The number of remaining files that are named; the others are counted.
const NAMED: usize = 3;
/// The number of components of a path that are shown.
const SHOWN: usize = 16;
/// The size in bytes of the buffer for the entries of a folder.
const BUFFER: usize = 16 << 10;

/// The identity of a folder, independent of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: (u32, u32),
    inode: u64,
    /// `None` before Linux 5.8, where a mount of the same device cannot be told from a folder.
    mount: Option<u64>,
}

impl Identity {
    /// The identity of what has this metadata.
    pub(super) fn of(stat: &Statx) -> Self {
        let knows_mount = StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::MNT_ID);
        Self {
            device: (stat.stx_dev_major, stat.stx_dev_minor),
            inode: stat.stx_ino,
            mount: knows_mount.then_some(stat.stx_mnt_id),
        }
    }

    /// Whether two folders are on the same device and the same mount.
    pub(super) fn is_beside(self, other: Self) -> bool {
        (self.device, self.mount) == (other.device, other.mount)
    }

    /// The device and the inode, as numbers to send.
    pub(super) fn numbers(self) -> [u64; 2] {
        [u64::from(self.device.0) << 32 | u64::from(self.device.1), self.inode]
    }
}

/// The metadata of a file, read without opening it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) identity: Identity,
    permissions: u32,
    is_ours: bool,
    is_folder: bool,
}

impl Seen {
    /// Whether it is a folder of our user that no other user may enter, as working folders are.
    pub(super) fn is_ours_alone(&self) -> bool {
        self.is_folder && self.is_ours && self.permissions == 0o700
    }
}

/// Reads the metadata of an entry of a folder, without following a link; that of the folder itself if the
/// name is empty.
///
/// # Errors
/// If there is no such entry, or the folder may not be searched.
pub(super) fn stat(folder: BorrowedFd, name: &CStr) -> Result<Statx> {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT | AtFlags::EMPTY_PATH;
    statx(folder, name, flags, StatxFlags::BASIC_STATS | StatxFlags::MNT_ID)
}

/// As [`stat`], for what cleaning needs.
///
/// # Errors
/// As for [`stat`].
pub(super) fn look(folder: BorrowedFd, name: &CStr) -> Result<Seen> {
    let stat = stat(folder, name)?;
    Ok(Seen {
        identity: Identity::of(&stat),
        permissions: u32::from(stat.stx_mode) & 0o7777,
        is_ours: stat.stx_uid == geteuid().as_raw(),
        is_folder: FileType::from_raw_mode(stat.stx_mode.into()) == FileType::Directory,
    })
}

/// Opens a folder inside another one on the same mount, and gives us the permission to change its entries.
///
/// # Errors
/// `XDEV` if it is a mount; `NOTDIR` or `LOOP` if it is not a folder.
pub(super) fn enter(folder: BorrowedFd, name: &CStr, above: Identity) -> Result<(OwnedFd, Seen)> {
    let handle = match open_folder(folder, name, OFlags::RDONLY) {
        Err(Errno::ACCESS) => open_forbidden(folder, name, above)?,
        opened => opened?,
    };
    let seen = look(handle.as_fd(), c"")?;
    if !seen.identity.is_beside(above) {
        return Err(Errno::XDEV);
    }
    allow(handle.as_fd(), &seen);
    Ok((handle, seen))
}

/// Gives us back the permissions that a test has taken from us in a folder of ours.
pub(super) fn allow(folder: BorrowedFd, seen: &Seen) {
    if seen.is_ours && seen.permissions & 0o700 != 0o700 {
        // If this fails, the operation that needs the permission fails as well.
        let _ = fchmod(folder, Mode::RWXU);
    }
}

fn open_folder(folder: BorrowedFd, name: &CStr, how: OFlags) -> Result<OwnedFd> {
    let flags = how | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // With these flags a mount is not even opened: its server may be gone, or never answer.
    match openat2(folder, name, flags, Mode::empty(), ResolveFlags::NO_XDEV | ResolveFlags::NO_SYMLINKS) {
        // An old kernel, or a sandbox that does not know the call. The callers check the mount as well.
        Err(Errno::NOSYS | Errno::PERM) => openat(folder, name, flags, Mode::empty()),
        opened => opened,
    }
}

/// Opens a folder of ours that we have no permission to read.
fn open_forbidden(folder: BorrowedFd, name: &CStr, above: Identity) -> Result<OwnedFd> {
    let handle = open_folder(folder, name, OFlags::PATH)?;
    let seen = look(handle.as_fd(), c"")?;
    if !seen.identity.is_beside(above) {
        return Err(Errno::XDEV);
    }
    if !seen.is_ours {
        return Err(Errno::ACCESS);
    }
    // The permissions behind such a handle can be changed only by this path.
    let name = format!("/proc/self/fd/{}", handle.as_raw_fd());
    std::fs::set_permissions(name, std::fs::Permissions::from_mode(0o700)).map_err(|_| Errno::ACCESS)?;
    openat(&handle, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// The files that could not be removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stays {
    /// Paths below the cleaned folder, and the reasons why they stay.
    named: Vec<(PathBuf, &'static str)>,
    others: usize,
}

impl Stays {
    /// Whether everything was removed.
    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// One line for each file, with its whole path.
    pub(super) fn lines(&self, folder: &std::path::Path) -> Vec<String> {
        let line = |(path, why): &(PathBuf, &str)| format!("'{}': {why}", folder.join(path).display());
        let mut lines: Vec<String> = self.named.iter().map(line).collect();
        if self.others > 0 {
            lines.push(format!("and {} more", self.others));
        }
        lines
    }
}

/// Removes everything in a folder.
pub(super) fn empty(folder: BorrowedFd, patience: Duration) -> Stays {
    let mut walk = Walk::new(patience);
    let top = look(folder, c"").and_then(|seen| {
        allow(folder, &seen);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok((openat(folder, c".", flags, Mode::empty())?, seen.identity))
    });
    match top {
        Ok((handle, identity)) => walk.clean(handle, identity, None),
        Err(e) => walk.stays(c"", e),
    }
    walk.stays
}

/// Removes an entry of a folder, with everything in it. A missing entry is not an error.
pub(super) fn remove(folder: BorrowedFd, name: &CStr, patience: Duration) -> Stays {
    let mut walk = Walk::new(patience);
    // With `PATH`, the folder need not be readable.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let top =
        look(folder, c"").and_then(|seen| Ok((openat(folder, c".", flags, Mode::empty())?, seen.identity)));
    match top {
        Ok((handle, identity)) => walk.clean(handle, identity, Some(name)),
        Err(e) => walk.stays(name, e),
    }
    walk.stays
}

/// Removes a folder of ours and everything in it, if it still has this identity (where one is given). A
/// folder or file that has been put in its place stays; a link there is removed, but not followed. The entry
/// `last` of the folder is removed last: if the process is killed meanwhile, the folder can still be
/// recognised by it.
pub(super) fn remove_own(
    above: BorrowedFd,
    name: &CStr,
    expected: Option<[u64; 2]>,
    last: &CStr,
    patience: Duration,
) -> Stays {
    let start = Instant::now();
    let is_it = |seen: &Seen| {
        !seen.is_folder || seen.is_ours && expected.is_none_or(|numbers| numbers == seen.identity.numbers())
    };
    match look(above, name) {
        Ok(seen) if is_it(&seen) => {
            // Remaining files are named when the folder itself is removed.
            let _ = remove_others(above, name, last, patience);
            remove(above, name, patience.saturating_sub(start.elapsed()))
        }
        Err(Errno::NOENT) => Stays::default(),
        Ok(_) => Stays { named: vec![(path(name), "something else is in its place")], others: 0 },
        Err(e) => Stays { named: vec![(path(name), reason(e))], others: 0 },
    }
}

/// Removes all entries of a folder except one.
fn remove_others(above: BorrowedFd, name: &CStr, one: &CStr, patience: Duration) -> Result<()> {
    let start = Instant::now();
    let (folder, _) = enter(above, name, look(above, c"")?.identity)?;
    let mut buffer = [MaybeUninit::uninit(); 4 << 10];
    let mut entries = RawDir::new(&folder, &mut buffer);
    let mut names = Vec::new();
    while let Some(entry) = entries.next() {
        names.push(entry?.file_name().to_owned());
    }
    for name in names.iter().filter(|name| ![c".", c"..", one].contains(&name.as_c_str())) {
        let _ = remove(folder.as_fd(), name, patience.saturating_sub(start.elapsed()));
    }
    Ok(())
}

fn path(name: &CStr) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(name.to_bytes()))
}

/// The reason why a file cannot be removed.
fn reason(error: Errno) -> &'static str {
    match error {
        Errno::XDEV => "it is a mount",
        Errno::BUSY => "it is a mount, or in use",
        Errno::ACCESS | Errno::PERM => "it belongs to somebody else, or is protected",
        Errno::ROFS => "it is on a file system that is read-only",
        Errno::NOTEMPTY | Errno::EXIST => "something keeps writing to it",
        Errno::TIMEDOUT => "there is too much in it",
        Errno::NFILE | Errno::MFILE => "too many files are open",
        _ => "it cannot be removed",
    }
}

/// A folder that the walk is emptying.
struct Level {
    /// The name in the level above.
    name: CString,
    identity: Identity,
    /// Closed while the walk is far below.
    handle: Option<OwnedFd>,
    /// The subfolders that the walk has not entered yet.
    folders: Vec<CString>,
    /// Whether an entry of it stays.
    resists: bool,
    /// Whether it has been read twice.
    again: bool,
}

struct Walk {
    levels: Vec<Level>,
    buffer: Vec<u8>,
    deadline: Instant,
    stays: Stays,
}

impl Walk {
    fn new(patience: Duration) -> Self {
        let deadline = Instant::now() + patience;
        Self { levels: Vec::new(), buffer: Vec::with_capacity(BUFFER), deadline, stays: Stays::default() }
    }

    /// Records that an entry of the current level stays.
    fn stays(&mut self, name: &CStr, why: Errno) {
        if let Some(level) = self.levels.last_mut() {
            level.resists = true;
        }
        if self.stays.named.len() == NAMED {
            self.stays.others += 1;
            return;
        }
        let names = self.levels.iter().map(|level| &*level.name).chain([name]);
        let shown = names.filter(|name| !name.is_empty()).take(SHOWN);
        self.stays.named.push((shown.map(path).collect(), reason(why)));
    }

    /// Empties the folder, or removes only one entry of it.
    fn clean(&mut self, handle: OwnedFd, identity: Identity, only: Option<&CStr>) {
        let (name, folders) = (CString::default(), only.map(CStr::to_owned).into_iter().collect());
        let top = Level { name, identity, handle: Some(handle), folders, resists: false, again: false };
        self.levels.push(top);
        if only.is_none() {
            self.read();
        }
        while let Some(level) = self.levels.last_mut() {
            if Instant::now() > self.deadline {
                return self.stays(c"", Errno::TIMEDOUT);
            }
            let went_on = match level.folders.pop() {
                Some(name) => self.go_down(name),
                None if self.levels.len() == 1 => return,
                None => self.go_up(),
            };
            if let Err(e) = went_on {
                // The way back is lost: some process moves folders while they are cleaned.
                return self.stays(c"", e);
            }
        }
    }

    /// Removes the files of the lowest level, and records its folders.
    fn read(&mut self) {
        let Some(level) = self.levels.last_mut() else { return };
        let Some(handle) = level.handle.take() else { return };
        let mut failed: Vec<(CString, Errno)> = Vec::new();
        let spare: &mut [MaybeUninit<u8>] = self.buffer.spare_capacity_mut();
        let mut entries = RawDir::new(&handle, spare);
        let mut count = 0usize;
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(e) => {
                    failed.push((CString::default(), e));
                    break;
                }
            };
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            count += 1;
            if count.is_multiple_of(1024) && Instant::now() > self.deadline {
                break;
            }
            let removed = match entry.file_type() {
                FileType::Directory => Err(Errno::ISDIR),
                _ => unlinkat(&handle, name, AtFlags::empty()),
            };
            match removed {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(Errno::ISDIR) => level.folders.push(name.to_owned()),
                Err(e) => failed.push((name.to_owned(), e)),
            }
        }
        level.handle = Some(handle);
        for (name, e) in failed {
            self.stays(&name, e);
        }
    }

    /// Enters a folder of the lowest level, if it is still a folder.
    fn go_down(&mut self, name: CString) -> Result<()> {
        let Some(Level { handle: Some(above), identity, .. }) = self.levels.last() else { return Ok(()) };
        match enter(above.as_fd(), &name, *identity) {
            Ok((handle, seen)) => {
                let (handle, folders) = (Some(handle), Vec::new());
                let identity = seen.identity;
                self.levels.push(Level { name, identity, handle, folders, resists: false, again: false });
                if let Some(far @ 1..) = self.levels.len().checked_sub(HANDLES + 1) {
                    self.levels[far].handle = None;
                }
                self.read();
            }
            Err(Errno::NOENT) => {}
            Err(Errno::NOTDIR | Errno::LOOP) => {
                if let Err(e) = unlinkat(above, &*name, AtFlags::empty()) {
                    self.stays(&name, e);
                }
            }
            Err(e) => self.stays(&name, e),
        }
        Ok(())
    }

    /// Removes the lowest level, after it has been emptied as far as possible.
    fn go_up(&mut self) -> Result<()> {
        let Some(mut done) = self.levels.pop() else { return Ok(()) };
        let Some(above) = self.levels.last_mut() else { return Ok(()) };
        if above.handle.is_none() {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let from = done.handle.as_ref().ok_or(Errno::BADF)?;
            let handle = openat(from, c"..", flags, Mode::empty())?;
            if look(handle.as_fd(), c"")?.identity != above.identity {
                return Err(Errno::NOTEMPTY);
            }
            above.handle = Some(handle);
        }
        let folder = above.handle.as_ref().ok_or(Errno::BADF)?;
        match unlinkat(folder, &*done.name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(_) if done.resists => above.resists = true,
            Err(Errno::NOTEMPTY | Errno::EXIST) if !done.again => {
                done.again = true;
                if let Some(handle) = &done.handle {
                    rustix::fs::seek(handle, rustix::fs::SeekFrom::Start(0))?;
                }
                self.levels.push(done);
                self.read();
            }
            Err(e) => {
                let name = done.name;
                self.stays(&name, e);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::io;

    fn empties(folder: &std::path::Path) -> io::Result<Stays> {
        Ok(empty(File::open(folder)?.as_fd(), PATIENCE))
    }

    #[test]
    fn a_link_is_removed_and_its_target_stays() -> io::Result<()> {
        let (work, other) = (tempfile::tempdir()?, tempfile::tempdir()?);
        fs::write(other.path().join("precious"), "")?;
        std::os::unix::fs::symlink(other.path(), work.path().join("link"))?;
        assert!(empties(work.path())?.is_empty());
        assert_eq!(fs::read_dir(work.path())?.count(), 0);
        assert!(other.path().join("precious").exists());
        Ok(())
    }

    #[test]
    fn a_folder_put_in_the_place_of_another_stays() -> io::Result<()> {
        let above = tempfile::tempdir()?;
        fs::create_dir(above.path().join("ours"))?;
        let handle = File::open(above.path())?;
        let ours = look(handle.as_fd(), c"ours")?.identity.numbers();
        fs::rename(above.path().join("ours"), above.path().join("away"))?;
        fs::create_dir_all(above.path().join("ours/precious"))?;
        assert!(!remove_own(handle.as_fd(), c"ours", Some(ours), c"owner", PATIENCE).is_empty());
        assert!(above.path().join("ours/precious").exists());
        assert!(remove_own(handle.as_fd(), c"away", Some(ours), c"owner", PATIENCE).is_empty());
        assert!(!above.path().join("away").exists());
        Ok(())
    }

    #[test]
    fn folders_without_permissions_are_removed() -> io::Result<()> {
        let work = tempfile::tempdir()?;
        fs::create_dir_all(work.path().join("a/b/c"))?;
        for name in ["a/b/c", "a/b", "a"] {
            fs::set_permissions(work.path().join(name), fs::Permissions::from_mode(0o000))?;
        }
        assert_eq!(empties(work.path())?, Stays::default());
        assert_eq!(fs::read_dir(work.path())?.count(), 0);
        Ok(())
    }

    #[test]
    fn a_hundred_thousand_nested_folders_are_removed() -> io::Result<()> {
        // On a disk this would take minutes.
        let memory = std::path::Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let work = tempfile::tempdir_in(place)?;
        let mut folder = OwnedFd::from(File::open(work.path())?);
        for _ in 0..100_000 {
            rustix::fs::mkdirat(&folder, c"d", Mode::RWXU)?;
            folder = openat(&folder, c"d", OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty())?;
        }
        // The handle would keep all folders in the kernel, which checks them again for each one that is
        // removed.
        drop(folder);
        let work = work.keep();
        assert_eq!(empties(&work)?, Stays::default());
        fs::remove_dir(work)?;
        Ok(())
    }

    #[test]
    fn cleaning_ends_at_its_deadline_and_reports_it() -> io::Result<()> {
        let work = tempfile::tempdir()?;
        fs::create_dir_all(work.path().join("a/b"))?;
        let stays = empty(File::open(work.path())?.as_fd(), Duration::ZERO);
        let lines = stays.lines(work.path());
        assert!(lines.len() == 1 && lines[0].contains("too much"), "{lines:?}");
        Ok(())
    }
}
