//! What Unix systems other than Linux do in their own way.

use rustix::process::{Pid, test_kill_process};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The executable of this process.
pub(crate) fn executable() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("lopper"))
}

/// Stands for the start time of a process: 0 if it runs. A process that got the id of one that has ended is taken for it.
pub(crate) fn start_of(process: u32) -> Option<u64> {
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw)?;
    match test_kill_process(pid) {
        Err(rustix::io::Errno::SRCH) => None,
        _ => Some(0),
    }
}

/// Whether a path leads to our standard output, which keeps its own position.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    [Path::new("/dev/stdout"), Path::new("/dev/fd/1")].contains(&path)
}

/// Makes sure that these files are on the disk.
///
/// # Errors
/// If the disk fails.
pub(crate) fn sync_files(files: &[&PathBuf], _folder: &Path) -> io::Result<()> {
    files.iter().try_for_each(|path| File::open(path)?.sync_data())
}

/// Whether this process was started with the signal ignored: unknown.
pub(crate) fn is_ignored(_signal: i32) -> bool {
    false
}
