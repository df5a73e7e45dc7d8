//! What only Linux has.

use super::identity;
use rustix::fs::{CWD, RenameFlags, renameat_with, syncfs};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The executable of this process, even if another one has been installed in its place since.
pub(crate) fn executable() -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

/// The start time of a process, in ticks since the boot. Together with the process id it identifies the process.
pub(crate) fn start_of(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in brackets, may contain any characters.
    text.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Whether a path leads to our standard output, which keeps its own position.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    let there = identity(path);
    there.is_some() && there == identity(Path::new("/proc/self/fd/1"))
}

/// Lets two files or folders exchange their names in one step; returns whether the file system can do that.
///
/// # Errors
/// If it can, but the exchange fails.
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

/// Gives a file or folder a new name that is not taken.
///
/// # Errors
/// If it is taken.
pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

/// Makes sure that these files are on the disk; they are all below a folder.
///
/// # Errors
/// If the disk fails.
pub(crate) fn sync_files(files: &[&PathBuf], folder: &Path) -> io::Result<()> {
    /// The number of files up to which each of them is synced on its own.
    const FEW: usize = 16;
    match files.len() {
        0..=FEW => files.iter().try_for_each(|path| File::open(path)?.sync_data()),
        _ => Ok(syncfs(File::open(folder)?)?),
    }
}

/// The bytes of memory that this process may use: those of the machine, or fewer in a control group.
pub(crate) fn memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let total = kilobytes(&meminfo, "MemTotal:")?;
    Some(groups().iter().filter_map(|folder| group_limit(folder)).fold(total, u64::min))
}

/// The most memory that this process has held, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The folders of this process's control groups, of version 2 and of version 1.
fn groups() -> Vec<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_line = |line: &str| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let root = match controllers {
            "" => Path::new("/sys/fs/cgroup"),
            _ if controllers.split(',').any(|c| c == "memory") => Path::new("/sys/fs/cgroup/memory"),
            _ => return None,
        };
        // In a container the path may be the host's, and the root the container's own.
        let folder = root.join(path.trim_start_matches('/'));
        let above = folder.ancestors().take_while(|folder| folder.starts_with(root)).map(Path::to_owned);
        Some(above.collect::<Vec<_>>())
    };
    groups.lines().filter_map(of_line).flatten().collect()
}

fn group_limit(folder: &Path) -> Option<u64> {
    let text = |name: &str| fs::read_to_string(folder.join(name));
    text("memory.max").or_else(|_| text("memory.limit_in_bytes")).ok()?.trim().parse().ok()
}

/// The value in bytes of a line in a /proc file, where it is given in kB.
pub(crate) fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(number * 1024)
}

/// Whether this process was started with the signal ignored, according to /proc.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
