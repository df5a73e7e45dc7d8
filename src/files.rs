//! Creates files atomically, and opens files that no other user can have put there. The result, its backup
//! and the run folder are written with it.

use crate::platform::{self, Likeness, start_of};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The ending of a temporary file's name.
const ENDING: &str = ".tmp";

/// Writes a temporary file in `folder` that shall become the file `name`. Its own name is unguessable, and it
/// never writes through an existing file or link. It is removed when dropped.
///
/// # Errors
/// If the folder cannot be written to, or the disk is full.
pub(crate) fn stage(
    folder: &Path,
    name: &OsStr,
    content: &[u8],
    like: Option<Likeness>,
) -> io::Result<NamedTempFile> {
    let (process, start) = (std::process::id(), start_of(std::process::id()).unwrap_or(0));
    let prefix = format!("{}{process}-{start}.", prefix_of(name));
    // A file without a model gets the usual permissions.
    let mode = if like.is_some() { 0o600 } else { 0o666 };
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(ENDING);
    if let Some(permissions) = platform::first_permissions(mode) {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder).map_err(without_path)?;
    file.write_all(content)?;
    if let Some(like) = like {
        like.give_to(file.as_file())?;
    }
    Ok(file)
}

/// The system's error without the path of the temporary file: the message around it names the right path.
fn without_path(error: io::Error) -> io::Error {
    let source = error.get_ref().and_then(|inner| inner.source()?.downcast_ref::<io::Error>());
    source.and_then(io::Error::raw_os_error).map_or(error, io::Error::from_raw_os_error)
}

/// Replaces the file at `path` atomically, by way of `folder` on the same file system: a reader sees the old
/// or the new content, even after a power cut.
///
/// # Errors
/// If it cannot be written; the old content is kept then.
pub(crate) fn replace(folder: &Path, path: &Path, content: &[u8], like: Option<Likeness>) -> io::Result<()> {
    let file = stage(folder, path.file_name().unwrap_or_default(), content, like)?;
    file.as_file().sync_data()?;
    file.persist(path).map(drop).map_err(|failed| failed.error)
}

/// As [`replace`], but only if the file at `path` passes a check, even at the very moment of the replacement;
/// returns whether it did. A file that does not pass stays unchanged.
///
/// # Errors
/// As for [`replace`].
pub(crate) fn replace_if(
    folder: &Path,
    path: &Path,
    content: &[u8],
    like: Option<Likeness>,
    passes: impl Fn(&Path) -> bool,
) -> io::Result<bool> {
    let file = stage(folder, path.file_name().unwrap_or_default(), content, like)?;
    file.as_file().sync_data()?;
    if !passes(path) {
        return Ok(false);
    }
    // The two files exchange their names in one step, so that the replaced one can be checked, and restored.
    match platform::exchange(file.path(), path)? {
        true if passes(file.path()) => Ok(true),
        true => {
            platform::exchange(file.path(), path)?;
            Ok(false)
        }
        // If the names cannot be exchanged, there is a moment between the check and the renaming.
        false => file.persist(path).map(|_| true).map_err(|failed| failed.error),
    }
}

/// As [`replace`], but only if `path` does not exist.
///
/// # Errors
/// `AlreadyExists` if the path exists, even as a dangling link; otherwise as for [`replace`].
pub(crate) fn create(folder: &Path, path: &Path, content: &[u8], like: Option<Likeness>) -> io::Result<()> {
    let file = stage(folder, path.file_name().unwrap_or_default(), content, like)?;
    file.as_file().sync_data()?;
    file.persist_noclobber(path).map(drop).map_err(|failed| failed.error)
}

/// Opens a file in a folder of ours: never through a link, and only a plain file that belongs to the folder's
/// owner and has no other name.
///
/// # Errors
/// If it cannot be opened, or is not such a file.
pub(crate) fn open_own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = platform::open_entry(path, options).map_err(|e| {
        let is_link = fs::symlink_metadata(path).is_ok_and(|m| m.is_symlink());
        if is_link { not_ours(path) } else { e }
    })?;
    let is_own = file.metadata()?.is_file() && platform::is_alone_in(&file, &folder_of(path));
    if is_own { Ok(file) } else { Err(not_ours(path)) }
}

fn not_ours(path: &Path) -> io::Error {
    io::Error::other(format!("'{}' was not made by Lopper", path.display()))
}

/// Whether the path exists, even as a dangling link.
pub(crate) fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The folder that contains a path.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        Some(_) => ".".into(),
        None => "/".into(),
    }
}

/// Removes the temporary files in a folder whose processes are gone, as after a kill: those for the file
/// `name`, or all. In O(entries of the folder).
pub(crate) fn sweep(folder: &Path, name: Option<&OsStr>) {
    let prefix = name.map(prefix_of);
    let is_left = |file: &str| {
        let of_name = prefix.as_ref().is_none_or(|prefix| file.starts_with(prefix));
        let owner = if of_name { owner(file) } else { None };
        owner.is_some_and(|(process, start)| start_of(process) != Some(start))
    };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_str().is_some_and(is_left) {
            // A file that cannot be removed stays.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The prefix of the names of temporary files for the file `name`.
fn prefix_of(name: &OsStr) -> String {
    // `name` may have the maximal length already.
    format!(".{}.", name.to_string_lossy().chars().take(40).collect::<String>())
}

/// The process that wrote the temporary file with this name, and the start time of the process.
fn owner(file: &str) -> Option<(u32, u64)> {
    let (rest, _) = file.strip_prefix('.')?.strip_suffix(ENDING)?.rsplit_once('.')?;
    let (process, start) = rest.rsplit_once('.')?.1.split_once('-')?;
    Some((process.parse().ok()?, start.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    type Checked = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn only_temporary_files_of_ended_processes_are_swept() -> Checked {
        let folder = tempfile::tempdir()?;
        let mine = stage(folder.path(), OsStr::new("a.c"), b"", None)?;
        let mine = mine.path().file_name().ok_or("no name")?.to_string_lossy().into_owned();
        let (id, start) = (std::process::id(), start_of(std::process::id()).ok_or("no start")?);
        assert!(mine.starts_with(&format!(".a.c.{id}-{start}.")), "{mine}");
        let (gone, kept) = (
            [format!(".a.c.{id}-{}.x.tmp", start + 1), format!(".a.c.{}-1.x.tmp", u32::MAX)],
            [".a.c.x.tmp".to_owned(), format!(".b.c.{}-1.x.tmp", u32::MAX), "a.c".to_owned(), mine],
        );
        for name in gone.iter().chain(&kept[..3]) {
            fs::write(folder.path().join(name), "")?;
        }
        let mine = stage(folder.path(), OsStr::new("a.c"), b"", None)?;
        sweep(folder.path(), Some(OsStr::new("a.c")));
        assert!(gone.iter().all(|name| !folder.path().join(name).exists()));
        assert!(kept[..3].iter().all(|name| folder.path().join(name).exists()) && mine.path().exists());
        Ok(())
    }

    #[test]
    fn a_created_file_never_replaces_another() -> Checked {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        std::os::unix::fs::symlink("nothing", &path)?;
        let refused = create(folder.path(), &path, b"new", None);
        assert!(refused.is_err_and(|e| e.kind() == io::ErrorKind::AlreadyExists));
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        replace(folder.path(), &path, b"new", None)?;
        assert_eq!(fs::read(&path)?, b"new");
        Ok(())
    }

    #[test]
    fn a_change_between_the_check_and_the_replacement_is_kept() -> Checked {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        let is_ours = |path: &Path| fs::read(path).is_ok_and(|text| text == b"ours");
        fs::write(&path, "ours")?;
        assert!(replace_if(folder.path(), &path, b"ours", None, is_ours)?);
        // The user saves the file after the first check.
        let looks = std::cell::Cell::new(0);
        let saved = |at: &Path| {
            looks.set(looks.get() + 1);
            let passes = is_ours(at);
            if looks.get() == 1 {
                fs::write(&path, "an hour's work").unwrap();
            }
            passes
        };
        assert!(!replace_if(folder.path(), &path, b"ours", None, saved)?);
        assert_eq!((fs::read(&path)?, looks.get()), (b"an hour's work".to_vec(), 2));
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }

    #[test]
    fn neither_a_link_nor_a_file_with_another_name_is_opened() -> Checked {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::write(path("victim"), "precious")?;
        std::os::unix::fs::symlink("victim", path("link"))?;
        fs::hard_link(path("victim"), path("hard"))?;
        for name in ["link", "hard"] {
            let opened = open_own(&path(name), OpenOptions::new().append(true).create(true));
            assert!(opened.is_err_and(|e| e.to_string().contains("not made by Lopper")), "{name}");
        }
        open_own(&path("new"), OpenOptions::new().append(true).create(true))?;
        assert_eq!(fs::metadata(path("new"))?.mode() & 0o777, 0o600);
        Ok(())
    }
}
