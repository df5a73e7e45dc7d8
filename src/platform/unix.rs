//! What Linux and other Unix systems do in the same way.

use super::{Identity, Stamp};
use rustix::fs::{Gid, OFlags, Uid, fchown, fcntl_setfl};
use rustix::process::geteuid;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// The error number for a file that is no program, such as a script without a first line that names its interpreter.
pub(crate) const NOT_A_PROGRAM: i32 = rustix::io::Errno::NOEXEC.raw_os_error();

/// The word of these bytes.
pub(crate) fn word(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// Whether a word is a path, and not only a name.
pub(crate) fn is_path(word: &Path) -> bool {
    word.as_os_str().as_encoded_bytes().contains(&b'/')
}

/// The program at a path, if it may be executed.
pub(crate) fn program(path: PathBuf) -> Option<PathBuf> {
    let is_executable = path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    is_executable.then_some(path)
}

/// The signal that ended a process, if one did.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// The exit status of a process that a signal has ended.
#[cfg(feature = "remote")]
pub(crate) fn died_of(signal: i32) -> ExitStatus {
    ExitStatus::from_raw(signal)
}

/// The exit status of a process that has ended with this code.
#[cfg(feature = "remote")]
pub(crate) fn exited_with(code: i32) -> ExitStatus {
    ExitStatus::from_raw(code << 8)
}

/// The type and the permissions of a file.
pub(crate) fn mode(metadata: &Metadata) -> u32 {
    metadata.mode()
}

/// Sets the permissions of what is at a path.
///
/// # Errors
/// If it does not belong to us.
pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode & 0o7777))
}

/// Sets the permissions of an open file.
///
/// # Errors
/// If it does not belong to us.
pub(crate) fn set_mode_of(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// The permissions with which a new file is created, where that is possible.
pub(crate) fn first_permissions(mode: u32) -> Option<Permissions> {
    Some(Permissions::from_mode(mode))
}

/// The permissions and the owner for a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Likeness {
    mode: u32,
    user: u32,
    group: u32,
}

impl From<&Metadata> for Likeness {
    fn from(metadata: &Metadata) -> Self {
        // Set-user-id and set-group-id bits are not passed on.
        Self { mode: metadata.mode() & 0o777, user: metadata.uid(), group: metadata.gid() }
    }
}

impl Likeness {
    /// Applies them to a file; the owner only as far as permitted.
    ///
    /// # Errors
    /// If the permissions cannot be set.
    pub(crate) fn give_to(self, file: &File) -> io::Result<()> {
        let now = Self::from(&file.metadata()?);
        let (user, group) = (Uid::from_raw(self.user), Gid::from_raw(self.group));
        if (now.user, now.group) != (self.user, self.group) && fchown(file, Some(user), Some(group)).is_err()
        {
            let _ = fchown(file, None, Some(group));
        }
        file.set_permissions(Permissions::from_mode(self.mode))
    }
}

/// The identity of the file to which a path leads.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// The identity of what is at a path, even of a link.
pub(crate) fn identity_of_entry(path: &Path) -> Option<Identity> {
    fs::symlink_metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// The identity of an open file.
pub(crate) fn identity_of(file: &File) -> Option<Identity> {
    file.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Recognises a file that nobody has changed.
pub(crate) fn stamp(metadata: &Metadata) -> Stamp {
    (metadata.dev(), metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec())
}

/// Creates a folder that only its owner may enter.
///
/// # Errors
/// If it exists, or cannot be created.
pub(crate) fn create_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)
}

/// Creates a symbolic link.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn symlink(target: &OsStr, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

/// Opens a file, but never through a link, nor waiting for the other end of a pipe. A new one is for its owner alone.
///
/// # Errors
/// If it cannot be opened, or is a link.
pub(crate) fn open_entry(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    options.mode(0o600).custom_flags(flags.cast_signed()).open(path)
}

/// Whether an open file belongs to the owner of a folder, and has no other name.
pub(crate) fn is_alone_in(file: &File, folder: &Path) -> bool {
    let owner = fs::metadata(folder).map(|folder| folder.uid());
    // The number of names is 0 if the file is just being removed.
    let is_own = |file: Metadata| file.nlink() <= 1 && owner.is_ok_and(|owner| owner == file.uid());
    file.metadata().is_ok_and(is_own)
}

/// Makes sure that only we may write to a folder. Otherwise other users could put links there, and we would
/// write through them.
///
/// # Errors
/// If it belongs to another user.
pub(crate) fn keep_others_out(folder: &Path, metadata: &Metadata, is_new: bool) -> io::Result<()> {
    // On some file systems even our new folders belong to another user.
    if !is_new && metadata.uid() != geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    let mode = metadata.mode() & 0o7777;
    if mode & 0o022 != 0 {
        // On such file systems the mode cannot be changed either.
        let _ = fs::set_permissions(folder, Permissions::from_mode(mode & !0o022));
    }
    Ok(())
}

/// Makes sure that the names in a folder are on the disk.
///
/// # Errors
/// If the disk fails.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Opens a device or a pipe to write to it. Opening a pipe waits for a reader, as in a shell, or fails if there is none.
///
/// # Errors
/// If it cannot be opened.
pub(crate) fn open_stream(path: &Path, waits: bool) -> io::Result<File> {
    let flags = if waits { OFlags::empty() } else { OFlags::NONBLOCK };
    OpenOptions::new().append(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Makes writing to a stream wait for its reader.
///
/// # Errors
/// If that cannot be set.
pub(crate) fn wait_for_reader(stream: &File) -> io::Result<()> {
    Ok(fcntl_setfl(stream, OFlags::APPEND)?)
}

/// Whether the descriptions of open files are at this path, as links.
pub(crate) fn describes_open_files(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}
