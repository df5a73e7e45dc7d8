//! What systems do differently, apart from processes: the same functions in one file per system. All other code but the
//! runners of `oracle/` and the signals of `cli/` is the same everywhere.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(all(unix, not(target_os = "linux")))]
mod other_unix;
#[cfg(not(target_os = "linux"))]
mod plain;

#[cfg(target_os = "linux")]
pub(crate) use linux::*;
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) use other_unix::*;
#[cfg(not(target_os = "linux"))]
pub(crate) use plain::*;
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

/// The identity of a file, whatever its path is: its device, and its number there.
pub(crate) type Identity = (u64, u64);

/// Recognises a file that nobody has changed: what identifies it, its size, and the time of the last change.
pub(crate) type Stamp = (u64, u64, u64, i64, i64);

/// The type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    File,
    Folder,
    Link,
    /// A device, a pipe or a socket.
    Special,
}

impl FileKind {
    /// The type of a file of this mode; modes have the same bits everywhere.
    pub(crate) fn of(mode: Option<u32>) -> Self {
        match mode.map_or(0, |mode| mode & 0o170_000) {
            0 | 0o100_000 => Self::File,
            0o040_000 => Self::Folder,
            0o120_000 => Self::Link,
            _ => Self::Special,
        }
    }
}
