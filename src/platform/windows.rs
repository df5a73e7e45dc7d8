//! What Windows does in its own way.

use super::{Identity, Stamp};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt, symlink_file};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use winapi_util::{Handle, file};

/// Opens a link itself (FILE_FLAG_OPEN_REPARSE_POINT).
const LINK_ITSELF: u32 = 0x0020_0000;
/// Opens a folder, too (FILE_FLAG_BACKUP_SEMANTICS).
const ALSO_FOLDERS: u32 = 0x0200_0000;

/// The error number for a file that is no program (ERROR_BAD_EXE_FORMAT).
pub(crate) const NOT_A_PROGRAM: i32 = 193;

/// The word of these bytes, as far as they are UTF-8.
pub(crate) fn word(bytes: Vec<u8>) -> OsString {
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned().into(),
    }
}

/// Whether a word is a path, and not only a name.
pub(crate) fn is_path(word: &Path) -> bool {
    word.as_os_str().as_encoded_bytes().iter().any(|byte| b"/\\:".contains(byte))
}

/// The program at a path, if it may be executed; its ending may be left out.
pub(crate) fn program(path: PathBuf) -> Option<PathBuf> {
    let endings = std::env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".into());
    let is_known = |path: &Path| {
        let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
        ending.is_some_and(|ending| endings.split(';').any(|known| known.eq_ignore_ascii_case(&ending)))
    };
    if is_known(&path) && path.is_file() {
        return Some(path);
    }
    let with = |ending: &str| {
        let mut path = path.clone().into_os_string();
        path.push(ending);
        PathBuf::from(path)
    };
    endings.split(';').filter(|ending| !ending.is_empty()).map(with).find(|path| path.is_file())
}

/// The signal that ended a process: there are none.
pub(crate) fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

/// The exit status of a process that a signal has ended: the code by which a shell tells it.
#[cfg(feature = "remote")]
pub(crate) fn died_of(signal: i32) -> ExitStatus {
    exited_with(128 + signal)
}

/// The exit status of a process that has ended with this code.
#[cfg(feature = "remote")]
pub(crate) fn exited_with(code: i32) -> ExitStatus {
    std::os::windows::process::ExitStatusExt::from_raw(code.cast_unsigned())
}

/// The type and the permissions of a file, in the form of Unix.
pub(crate) fn mode(metadata: &Metadata) -> u32 {
    let kind = match metadata {
        link if link.is_symlink() => 0o120_000,
        folder if folder.is_dir() => 0o040_111,
        _ => 0o100_000,
    };
    kind | if metadata.permissions().readonly() { 0o444 } else { 0o644 }
}

/// Makes what is at a path read-only, if this mode says so, or not.
///
/// # Errors
/// If that is not permitted.
pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    let now = fs::metadata(path)?;
    // This attribute of a folder says nothing about what is in it.
    if now.is_dir() { Ok(()) } else { fs::set_permissions(path, made(now.permissions(), mode)) }
}

/// As [`set_mode`], for an open file.
///
/// # Errors
/// If that is not permitted.
pub(crate) fn set_mode_of(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(made(file.metadata()?.permissions(), mode))
}

fn made(mut permissions: Permissions, mode: u32) -> Permissions {
    permissions.set_readonly(mode & 0o200 == 0);
    permissions
}

/// The permissions with which a new file is created, where that is possible.
pub(crate) fn first_permissions(_mode: u32) -> Option<Permissions> {
    None
}

/// The permissions for a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Likeness {
    mode: u32,
}

impl From<&Metadata> for Likeness {
    fn from(metadata: &Metadata) -> Self {
        Self { mode: mode(metadata) }
    }
}

impl Likeness {
    /// Applies them to a file.
    ///
    /// # Errors
    /// If the permissions cannot be set.
    pub(crate) fn give_to(self, file: &File) -> io::Result<()> {
        set_mode_of(file, self.mode)
    }
}

/// The identity of the file to which a path leads.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    identified(OpenOptions::new().access_mode(0).custom_flags(ALSO_FOLDERS).open(path))
}

/// The identity of what is at a path, even of a link.
pub(crate) fn identity_of_entry(path: &Path) -> Option<Identity> {
    identified(OpenOptions::new().access_mode(0).custom_flags(ALSO_FOLDERS | LINK_ITSELF).open(path))
}

/// The identity of an open file.
pub(crate) fn identity_of(file: &File) -> Option<Identity> {
    identified(file.try_clone())
}

fn identified(file: io::Result<File>) -> Option<Identity> {
    let information = file::information(Handle::from_file(file.ok()?)).ok()?;
    Some((information.volume_serial_number(), information.file_index()))
}

/// Recognises a file that nobody has changed.
pub(crate) fn stamp(metadata: &Metadata) -> Stamp {
    let written = metadata.last_write_time().cast_signed();
    (0, metadata.creation_time(), metadata.file_size(), written, 0)
}

/// Creates a folder. The folder above it says who may enter it.
///
/// # Errors
/// If it exists, or cannot be created.
pub(crate) fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)
}

/// Creates a symbolic link to a file.
///
/// # Errors
/// If it cannot be created: not every user may do so.
pub(crate) fn symlink(target: &OsStr, at: &Path) -> io::Result<()> {
    symlink_file(target, at)
}

/// Opens a file, but never through a link.
///
/// # Errors
/// If it cannot be opened, or is a link.
pub(crate) fn open_entry(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = options.custom_flags(LINK_ITSELF).open(path)?;
    match file.metadata()?.is_symlink() {
        true => Err(io::Error::other("it is a link")),
        false => Ok(file),
    }
}

/// Whether an open file has no other name.
pub(crate) fn is_alone_in(file: &File, _folder: &Path) -> bool {
    let handle = file.try_clone().map(Handle::from_file);
    handle.and_then(file::information).is_ok_and(|information| information.number_of_links() <= 1)
}

/// Whether only we may write to a folder is left to the folder above it.
///
/// # Errors
/// Never.
pub(crate) fn keep_others_out(_folder: &Path, _metadata: &Metadata, _is_new: bool) -> io::Result<()> {
    Ok(())
}

/// The names in a folder are left to the file system.
///
/// # Errors
/// Never.
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Opens a device or a pipe to write to it.
///
/// # Errors
/// If it cannot be opened.
pub(crate) fn open_stream(path: &Path, _waits: bool) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// Writing to a stream waits for its reader anyway.
///
/// # Errors
/// Never.
pub(crate) fn wait_for_reader(_stream: &File) -> io::Result<()> {
    Ok(())
}

/// Whether the descriptions of open files are at this path: there are no such paths.
pub(crate) fn describes_open_files(_path: &Path) -> bool {
    false
}

/// Whether a path leads to our standard output: no path does.
pub(crate) fn is_standard_output(_path: &Path) -> bool {
    false
}

/// The executable of this process.
pub(crate) fn executable() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("lopper.exe"))
}

/// Stands for the start time of a process. Every process is taken for one that runs, so temporary files of processes
/// that were killed stay.
pub(crate) fn start_of(_process: u32) -> Option<u64> {
    Some(0)
}

/// Makes sure that these files are on the disk.
///
/// # Errors
/// If the disk fails.
pub(crate) fn sync_files(files: &[&PathBuf], _folder: &Path) -> io::Result<()> {
    files.iter().try_for_each(|path| OpenOptions::new().append(true).open(path)?.sync_data())
}
