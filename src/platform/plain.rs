//! What systems other than Linux do with what the standard library has.

use std::fs;
use std::io;
use std::path::Path;

/// Lets two files or folders exchange their names in one step; returns whether the system can do that.
///
/// # Errors
/// Never: it cannot.
pub(crate) fn exchange(_one: &Path, _other: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Gives a file or folder a new name that is not taken.
///
/// # Errors
/// If it is taken.
pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

/// The bytes of memory that this process may use: unknown.
pub(crate) fn memory() -> Option<u64> {
    None
}

/// The most memory that this process has held: unknown.
pub(crate) fn peak_memory() -> Option<u64> {
    None
}
