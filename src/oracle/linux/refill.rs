//! Fills a working folder again: what the test left as it was stays, and everything else is made anew.
//!
//! Most candidates of a large folder differ from the last one in few files, so that writing all of them would take
//! longer than many tests. The test must not notice the difference:
//!
//! - An entry stays only if it is the same inode at the same path, and was last changed before the start of the test
//!   by its ctime, which no program can set. All files are older than the start, since it waits for the next
//!   tick of the clock that the file system uses.
//! - On some file systems, a program can change a file through a mapping that it has read first, and the ctime stays.
//!   Its atime shows that, so files that were read are compared. Only a program that also asks not
//!   to leave a trace in the atime (`O_NOATIME`) stays unnoticed.
//! - All files and folders get new times, in the order in which they would be written.
//! - A file system may list the entries of a folder in the order in which they were made. So once an entry of a folder
//!   is made anew, all later ones are, too; subfolders are moved away and back instead.

use super::NamedFile;
use super::clean::{self, Identity, PATIENCE, enter};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RawDir, StatVfsMountFlags, Statx, Timespec, Timestamps, UTIME_NOW,
    fchmod, flistxattr_query, fstatfs, fstatvfs, mkdirat, openat, renameat, symlinkat, unlinkat, utimensat,
};
use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Component;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

/// The number of files from which on it pays to look for those that may stay.
const MANY: usize = 500;
/// The bytes of several files from which on it pays.
const MUCH: usize = 32 << 20;
/// The largest number of folders inside each other: each one holds a handle.
const DEPTH: usize = 64;
/// The file systems that list a folder in an order which does not depend on former entries, and whose ctime is known
/// to be reliable: tmpfs, and ext2 to ext4.
const SUITABLE: [u64; 2] = [0x0102_1994, 0xEF53];
/// The name, in the folder above the one in which the test runs, of a subfolder that is moved away.
const ASIDE: &str = "aside";
/// How far a clock may be set back unnoticed, in nanoseconds; all differences between the clock of the files and the
/// start of the test are larger.
const SLACK: i128 = 1_000_000;

/// Whether files may stay in this folder; `None` if not, otherwise whether a file that was read can be told from one
/// that was not.
pub(super) fn suits(folder: BorrowedFd) -> Option<bool> {
    let kind = fstatfs(folder).ok().and_then(|stat| u64::try_from(stat.f_type).ok())?;
    let flags = fstatvfs(folder).ok()?.f_flag;
    SUITABLE.contains(&kind).then(|| !flags.contains(StatVfsMountFlags::NOATIME))
}

/// Whether it pays to look for files that may stay.
pub(super) fn pays<'a>(files: impl Iterator<Item = &'a NamedFile>) -> bool {
    let (count, bytes) = files.fold((0, 0), |(count, bytes), file| (count + 1, bytes + file.len()));
    count >= MANY || count > 1 && bytes >= MUCH
}

/// A time of the clock that file systems use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    nanos: i128,
    /// How far this clock is ahead of one that nobody sets.
    ahead: i128,
}

impl Start {
    /// Waits until each file that is changed from now on is younger than those that exist; `None` if the clock does
    /// not get there.
    pub(super) fn next() -> Option<Self> {
        let end = now(ClockId::Realtime);
        let ahead = end - now(ClockId::Monotonic);
        for _ in 0..100 {
            let nanos = now(ClockId::RealtimeCoarse);
            if nanos > end + SLACK {
                return Some(Self { nanos, ahead });
            }
            sleep(Duration::from_millis(1));
        }
        None
    }

    /// Whether the clock has not been set back since.
    fn holds(&self) -> bool {
        now(ClockId::Realtime) - now(ClockId::Monotonic) > self.ahead - SLACK
    }

    fn is_after(&self, time: rustix::fs::StatxTimestamp) -> bool {
        // Some file systems know only whole seconds.
        time.tv_nsec != 0
            && i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec) + SLACK <= self.nanos
    }
}

fn now(clock: ClockId) -> i128 {
    let time = clock_gettime(clock);
    i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec)
}

/// A folder as it was made for the test.
#[derive(Debug, Default)]
pub(super) struct Folder {
    entries: Vec<Entry>,
    /// The numbers of the entries by their names.
    numbers: BTreeMap<OsString, usize>,
    /// The permissions, if the candidate says them.
    mode: Option<u32>,
    made: Option<Made>,
}

#[derive(Debug)]
struct Entry {
    name: OsString,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Folder(Folder),
    /// A file or a symbolic link, and its inode once it is made.
    File(Item, u64),
}

/// What a candidate says about a file or a symbolic link.
#[derive(Debug)]
struct Item {
    content: Arc<Vec<u8>>,
    mode: Option<u32>,
}

impl Item {
    fn is_link(&self) -> bool {
        self.mode.is_some_and(|mode| FileType::from_raw_mode(mode) == FileType::Symlink)
    }

    fn is_like(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.content, &other.content) || self.content == other.content;
        self.mode == other.mode && same
    }
}

/// What tells that a folder is still the same, and has the same attributes; its times change with its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Made {
    inode: u64,
    mode: u16,
    owner: [u32; 2],
    attributes: u64,
    /// The size of the list of extended attributes.
    extended: usize,
}

impl Made {
    fn look(folder: BorrowedFd, stat: &Statx) -> Self {
        Self {
            inode: stat.stx_ino,
            mode: stat.stx_mode,
            owner: [stat.stx_uid, stat.stx_gid],
            attributes: stat.stx_attributes.bits(),
            extended: flistxattr_query(folder).unwrap_or_default(),
        }
    }
}

impl Folder {
    /// The folder with these files, each with its permissions; `None` if one is in the place of another, or too deep.
    pub(super) fn of<'a>(files: impl Iterator<Item = (&'a NamedFile, Option<u32>)>) -> Option<Self> {
        let mut top = Self::default();
        for (file, mode) in files {
            let is_folder = mode.is_some_and(|mode| FileType::from_raw_mode(mode) == FileType::Directory);
            let above = if is_folder { &*file.path } else { file.path.parent()? };
            if above.components().count() > DEPTH {
                return None;
            }
            let folder = above.components().try_fold(&mut top, Self::subfolder)?;
            if is_folder {
                folder.mode = mode;
            } else {
                let item = Item { content: Arc::clone(&file.content), mode };
                let at = folder.place(file.path.file_name()?, || Kind::File(item, 0));
                (at + 1 == folder.entries.len()).then_some(())?;
            }
        }
        Some(top)
    }

    /// The number of the entry with this name.
    fn place(&mut self, name: &OsStr, kind: impl FnOnce() -> Kind) -> usize {
        let at = self.numbers.get(name).copied();
        at.unwrap_or_else(|| {
            self.numbers.insert(name.to_owned(), self.entries.len());
            self.entries.push(Entry { name: name.to_owned(), kind: kind() });
            self.entries.len() - 1
        })
    }

    fn subfolder(&mut self, name: Component) -> Option<&mut Self> {
        let Component::Normal(name) = name else { return None };
        let at = self.place(name, || Kind::Folder(Self::default()));
        match &mut self.entries[at].kind {
            Kind::Folder(folder) => Some(folder),
            Kind::File(..) => None,
        }
    }

    fn get(&self, name: &OsStr) -> Option<&Kind> {
        self.numbers.get(name).map(|&at| &self.entries[at].kind)
    }
}

/// The place to fill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filler<'a> {
    /// The folder above the one in which the test runs.
    pub(super) root: BorrowedFd<'a>,
    /// The start of the last test.
    pub(super) start: Option<Start>,
    /// Whether a file that was read can be told from one that was not.
    pub(super) tells_reads: bool,
}

impl Filler<'_> {
    /// Makes a folder of the candidate where another one was made before the last test; without that, it is empty.
    ///
    /// # Errors
    /// If something cannot be written or removed, or the clock was set back. Then the folder is half filled.
    pub(super) fn fill(
        &self,
        (at, here): (BorrowedFd, Identity),
        last: Option<&Folder>,
        new: &mut Folder,
    ) -> io::Result<()> {
        if last.is_some() && !self.start.is_some_and(|start| start.holds()) {
            return Err(Errno::TIME.into());
        }
        self.fill_one((at, here), last, new, true)
    }

    /// As `fill`; `changed` if the entries of the folder are not those of the last time.
    fn fill_one(
        &self,
        (at, here): (BorrowedFd, Identity),
        last: Option<&Folder>,
        new: &mut Folder,
        changed: bool,
    ) -> io::Result<()> {
        if let Some(last) = last {
            remove_others(at, last, new, changed)?;
        }
        // Whether an entry was made, so that all later ones must be younger.
        let mut anew = false;
        for Entry { name, kind } in &mut new.entries {
            let before = last.and_then(|last| last.get(name));
            let stays = match (&mut *kind, before) {
                (Kind::File(item, inode), Some(Kind::File(old, number))) => {
                    *inode = *number;
                    !anew && item.is_like(old) && self.is_unchanged(at, here, name, item, *inode)
                }
                (Kind::Folder(folder), Some(Kind::Folder(old))) => {
                    self.keep_folder((at, here), name, old, folder, &mut anew)?
                }
                _ => false,
            };
            if stays {
                utimensat(at, &**name, &both_now(), AtFlags::SYMLINK_NOFOLLOW)?;
                continue;
            }
            if last.is_some() {
                remove(at, name)?;
            }
            anew = true;
            match kind {
                Kind::File(item, inode) => *inode = make(at, name, item)?,
                Kind::Folder(folder) => self.make_folder((at, here), name, folder)?,
            }
        }
        Ok(())
    }

    /// Whether the test left a file or link as it was.
    fn is_unchanged(&self, at: BorrowedFd, here: Identity, name: &OsStr, item: &Item, inode: u64) -> bool {
        let Ok(stat) = stat(at, name) else { return false };
        let (Some(start), is_same) = (self.start, stat.stx_ino == inode) else { return false };
        let is_here = Identity::of(&stat).is_beside(here);
        if !is_same || !is_here || !start.is_after(stat.stx_ctime) {
            return false;
        }
        if item.is_link() || self.tells_reads && start.is_after(stat.stx_atime) {
            return true;
        }
        stat.stx_size == item.content.len() as u64 && has_content(at, name, &item.content).unwrap_or(false)
    }

    /// Fills a subfolder if it is still the one that was made; returns whether it is. If its entries have changed, it
    /// may stand elsewhere among its neighbours, so it is moved to the end.
    fn keep_folder(
        &self,
        (at, here): (BorrowedFd, Identity),
        name: &OsStr,
        last: &Folder,
        new: &mut Folder,
        anew: &mut bool,
    ) -> io::Result<bool> {
        let (Ok(seen), Some(start)) = (stat(at, name), self.start) else { return Ok(false) };
        if last.mode != new.mode || last.made.is_none_or(|made| made.inode != seen.stx_ino) {
            return Ok(false);
        }
        let c_name = CString::new(name.as_bytes())?;
        let Ok((handle, inside)) = enter(at, &c_name, here) else { return Ok(false) };
        if last.made != Some(Made::look(handle.as_fd(), &seen)) {
            return Ok(false);
        }
        let changed = !start.is_after(seen.stx_ctime);
        if changed || *anew {
            renameat(at, name, self.root, ASIDE)?;
            renameat(self.root, ASIDE, at, name)?;
            *anew = true;
        }
        new.made = last.made;
        self.fill_one((handle.as_fd(), inside.identity), Some(last), new, changed)?;
        Ok(true)
    }

    fn make_folder(
        &self,
        (at, here): (BorrowedFd, Identity),
        name: &OsStr,
        folder: &mut Folder,
    ) -> io::Result<()> {
        mkdirat(at, name, Mode::from_raw_mode(0o777))?;
        let c_name = CString::new(name.as_bytes())?;
        let (handle, seen) = enter(at, &c_name, here)?;
        if let Some(mode) = folder.mode {
            fchmod(&handle, Mode::from_raw_mode(mode & 0o777) | Mode::RWXU)?;
        }
        self.fill_one((handle.as_fd(), seen.identity), None, folder, true)?;
        folder.made = Some(Made::look(handle.as_fd(), &clean::stat(handle.as_fd(), c"")?));
        Ok(())
    }
}

fn both_now() -> Timestamps {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    Timestamps { last_access: now, last_modification: now }
}

fn stat(at: BorrowedFd, name: &OsStr) -> io::Result<Statx> {
    Ok(clean::stat(at, &CString::new(name.as_bytes())?)?)
}

/// Removes the entries of a folder that the candidate does not have. If the folder has not changed, its entries are
/// those of the last time.
fn remove_others(at: BorrowedFd, last: &Folder, new: &Folder, changed: bool) -> io::Result<()> {
    let mut others: Vec<OsString> = Vec::new();
    if changed {
        let handle = openat(at, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let mut buffer = [MaybeUninit::uninit(); 16 << 10];
        let mut entries = RawDir::new(&handle, &mut buffer);
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name != "." && name != ".." && !new.numbers.contains_key(name) {
                others.push(name.to_owned());
            }
        }
    } else {
        let gone = last.entries.iter().filter(|entry| !new.numbers.contains_key(&entry.name));
        others.extend(gone.map(|entry| entry.name.clone()));
    }
    others.iter().try_for_each(|name| remove(at, name))
}

/// Removes an entry, with everything in it. A missing one is not an error.
fn remove(at: BorrowedFd, name: &OsStr) -> io::Result<()> {
    match unlinkat(at, name, AtFlags::empty()) {
        Err(Errno::ISDIR) => {}
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(e) => return Err(e.into()),
    }
    let stays = clean::remove(at, &CString::new(name.as_bytes())?, PATIENCE);
    if stays.is_empty() { Ok(()) } else { Err(Errno::BUSY.into()) }
}

/// Writes a new file or symbolic link; returns its inode.
fn make(at: BorrowedFd, name: &OsStr, item: &Item) -> io::Result<u64> {
    if item.is_link() {
        symlinkat(OsStr::from_bytes(&item.content), at, name)?;
        return Ok(stat(at, name)?.stx_ino);
    }
    let mut file = create(at, name, item.mode)?;
    file.write_all(&item.content)?;
    Ok(rustix::fs::fstat(&file)?.st_ino)
}

/// Creates a file. Its owner may always read and write it.
pub(super) fn create(at: BorrowedFd, name: &OsStr, mode: Option<u32>) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file: OwnedFd = openat(at, name, flags, Mode::from_raw_mode(0o666))?;
    if let Some(mode) = mode {
        fchmod(&file, Mode::from_raw_mode(mode & 0o777 | 0o600))?;
    }
    Ok(file.into())
}

/// Whether a file has this content.
fn has_content(at: BorrowedFd, name: &OsStr, content: &[u8]) -> io::Result<bool> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(openat(at, name, flags, Mode::empty())?);
    let (mut buffer, mut rest) = ([0; 32 << 10], content);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(rest.is_empty()),
            count => match rest.strip_prefix(&buffer[..count]) {
                Some(after) => rest = after,
                None => return Ok(false),
            },
        }
    }
}
