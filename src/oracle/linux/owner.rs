//! The owners of working folders. A working folder is locked while a process uses it. If Lopper and its
//! helpers were all killed, the next start of Lopper removes their folders.
//!
//! A lock ends with the processes that hold it, so it needs no process ids, which are reused and differ
//! between containers. The file inside the folder records that there was a lock, and under which boot: on a
//! file system that several machines share, locks of other machines may be invisible.

use super::clean::{Stays, enter, look, remove_own};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, FileType, FlockOperation, Mode, OFlags, RawDir, RawDirEntry, flock, openat, statat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::CStr;
use std::fs::File;
use std::io::{Read, Write};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

/// The prefix of the names of working folders.
pub(super) const PREFIX: &str = "lopper-";
/// The lock file of a folder.
const OWNER: &CStr = c"owner";
/// The time limit for removing abandoned folders.
const PATIENCE: Duration = Duration::from_secs(2);

/// Locks a folder for this process, as long as the returned handle is open. `None` if it cannot be locked;
/// such a folder is never swept.
pub(super) fn claim(folder: BorrowedFd) -> Option<OwnedFd> {
    let lock = share(folder)?;
    let text = format!("{}process {}\n", boot()?, std::process::id());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let file = openat(folder, OWNER, flags, Mode::RUSR | Mode::WUSR).ok()?;
    File::from(file).write_all(text.as_bytes()).ok()?;
    Some(lock)
}

/// Joins the lock of a folder that another process has claimed.
pub(super) fn share(folder: BorrowedFd) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let lock = openat(folder, c".", flags, Mode::empty()).ok()?;
    flock(&lock, FlockOperation::NonBlockingLockShared).ok()?;
    Some(lock)
}

/// The first line of the file, which identifies the boot of the machine.
fn boot() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(format!("boot {}\n", id.trim()))
}

/// Removes a working folder of ours; see [`remove_own`]. The lock file is removed last, so that the next
/// start can recognise a folder that was removed in part.
pub(super) fn remove(
    above: BorrowedFd,
    name: &CStr,
    expected: Option<[u64; 2]>,
    patience: Duration,
) -> Stays {
    remove_own(above, name, expected, OWNER, patience)
}

/// Removes working folders of ours that no process uses any more. Doubtful folders stay.
pub(super) fn sweep(parent: BorrowedFd) {
    let deadline = Instant::now() + PATIENCE;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(list) = openat(parent, c".", flags, Mode::empty()) else { return };
    let mut buffer = [MaybeUninit::uninit(); 16 << 10];
    let mut entries = RawDir::new(list, &mut buffer);
    while let Some(Ok(entry)) = entries.next() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        let name = entry.file_name();
        if !name.to_bytes().starts_with(PREFIX.as_bytes()) {
            continue;
        }
        match abandoned(parent, name) {
            Some((identity, _lock)) => {
                // Remaining files were named when their test left them.
                let _ = remove(parent, name, Some(identity), left);
            }
            None => drop(remove_unclaimed(parent, name)),
        }
    }
}

/// Removes a folder of ours that holds nothing but, at most, an empty owner file: the process that made it was killed
/// before it wrote its claim. A process that is about to write its claim makes another folder.
fn remove_unclaimed(parent: BorrowedFd, name: &CStr) -> Result<(), Errno> {
    let above = look(parent, c"")?;
    if !look(parent, name)?.is_ours_alone() {
        return Ok(());
    }
    let (folder, _) = enter(parent, name, above.identity)?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive)?;
    match statat(&folder, OWNER, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(owner) if owner.st_size == 0 && FileType::from_raw_mode(owner.st_mode).is_file() => {
            let only = |entry: &RawDirEntry| [c".", c"..", OWNER].contains(&entry.file_name());
            let list =
                openat(&folder, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
            let mut buffer = [MaybeUninit::uninit(); 1 << 10];
            let mut entries = RawDir::new(list, &mut buffer);
            while let Some(entry) = entries.next() {
                if !only(&entry?) {
                    return Ok(());
                }
            }
            unlinkat(&folder, OWNER, AtFlags::empty())?;
        }
        Ok(_) => return Ok(()),
        Err(Errno::NOENT) => {}
        Err(e) => return Err(e),
    }
    // This fails unless the folder is empty.
    unlinkat(parent, name, AtFlags::REMOVEDIR)
}

/// The identity and the lock of a folder of ours, if no process uses it.
fn abandoned(parent: BorrowedFd, name: &CStr) -> Option<([u64; 2], OwnedFd)> {
    let above = look(parent, c"").ok()?;
    let seen = look(parent, name).ok().filter(|seen| seen.is_ours_alone())?;
    let (folder, entered) = enter(parent, name, above.identity).ok()?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let owner = File::from(openat(&folder, OWNER, flags, Mode::empty()).ok()?);
    let mut text = String::new();
    owner.take(1 << 10).read_to_string(&mut text).ok()?;
    let is_known = boot().is_some_and(|boot| text.starts_with(&boot));
    let is_same = entered.identity == seen.identity;
    let locked = is_known && is_same && flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok();
    locked.then(|| (entered.identity.numbers(), folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fd::AsFd;
    use rustix::fs::mkdirat;
    use std::fs;
    use std::path::Path;

    /// A working folder with this name as a process leaves it, and its lock.
    fn left(parent: &Path, name: &str) -> Option<OwnedFd> {
        let handle = File::open(parent).ok()?;
        mkdirat(&handle, name, Mode::RWXU).ok()?;
        let folder = File::open(parent.join(name)).ok()?;
        claim(folder.as_fd())
    }

    #[test]
    fn only_unused_folders_that_are_surely_ours_are_swept() -> std::io::Result<()> {
        let parent = tempfile::tempdir()?;
        let path = |name: &str| parent.path().join(name);
        drop(left(parent.path(), "lopper-left"));
        let used = left(parent.path(), "lopper-used");
        assert!(used.is_some());
        drop(left(parent.path(), "lopper-other-machine"));
        fs::write(path("lopper-other-machine/owner"), "boot another\n")?;
        fs::create_dir(path("lopper-unknown"))?;
        drop(left(parent.path(), "other"));
        std::os::unix::fs::symlink(path("other"), path("lopper-link"))?;
        let readable = path("lopper-readable");
        drop(left(parent.path(), "lopper-readable"));
        fs::set_permissions(&readable, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let ours = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        for (name, inside) in
            [("lopper-empty", None), ("lopper-begun", Some("owner")), ("lopper-full", Some("file"))]
        {
            fs::create_dir(path(name))?;
            fs::set_permissions(path(name), fs::Permissions::clone(&ours))?;
            inside.map_or(Ok(()), |inside| fs::write(path(name).join(inside), ""))?;
        }
        sweep(File::open(parent.path())?.as_fd());
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(parent.path())? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        let stay = [
            "lopper-full",
            "lopper-link",
            "lopper-other-machine",
            "lopper-readable",
            "lopper-unknown",
            "lopper-used",
            "other",
        ];
        assert_eq!(names, stay);
        drop(used);
        sweep(File::open(parent.path())?.as_fd());
        assert!(!path("lopper-used").exists());
        Ok(())
    }
}
