//! A result in the place of the user's own files: those of a folder, or several that were named.

use super::folder::write;
use crate::entries;
use crate::error::UserError;
use crate::files::{self, folder_of, is_taken};
use crate::oracle::{Contents, NamedFile};
use crate::platform::{self, FileKind, Likeness};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files by their paths.
type Files<'a> = BTreeMap<&'a Path, &'a NamedFile>;

/// What is at the places of these programs' files, of which a run that was killed may have put some of each. The error is the
/// first path at which there is what none of them has.
pub(crate) fn found_in_place(
    programs: &[&Contents],
    place: impl Fn(&Path) -> PathBuf,
) -> Result<Contents, PathBuf> {
    let programs: Vec<Files> = programs.iter().map(|program| by_path(program)).collect();
    let paths: BTreeSet<&Path> = programs.iter().flat_map(|program| program.keys().copied()).collect();
    let mut contents = Contents::new();
    for path in paths {
        let at = place(path);
        let mut known = programs.iter().map(|program| program.get(path).copied());
        if !known.any(|file| is_there(&at, file)) {
            return Err(at);
        }
        let own = programs.iter().filter_map(|program| program.get(path).copied());
        contents.extend(own.filter(|file| is_there(&at, Some(*file))).take(1).cloned());
    }
    Ok(contents)
}

/// Whether exactly this file is at its place, or none if there is none.
fn is_there(at: &Path, file: Option<&NamedFile>) -> bool {
    let is_dir = || fs::symlink_metadata(at).is_ok_and(|metadata| metadata.is_dir());
    match file {
        // A folder with files is not a file itself.
        None => !is_taken(at) || is_dir(),
        Some(file) if entries::kind(file) == FileKind::Folder => is_dir(),
        Some(file) => entries::one(at, &file.path)
            .is_ok_and(|now| now.content == file.content && entries::kind(&now) == entries::kind(file)),
    }
}

/// Makes the files at their places those of the result: each of them is replaced in one step, or removed, and folders
/// that lose their last entry are removed with it.
///
/// # Errors
/// If somebody has changed a file since it was read, or there is one that the run does not know where one of the result has
/// to be; then nothing is replaced. If one cannot be written, some files are those of the result, and some are as before.
pub(crate) fn put_in_place(
    before: &Contents,
    result: &Contents,
    place: impl Fn(&Path) -> PathBuf,
) -> Result<(), UserError> {
    if let Err(at) = found_in_place(&[before], &place) {
        return Err(UserError::usage(format!("'{}' was changed during the run", at.display()))
            .fact("another program has changed it, so nothing is replaced"));
    }
    let (old, new) = (by_path(before), by_path(result));
    let is_in = |files: &Files, file: &NamedFile| {
        files.get(&*file.path).is_some_and(|other| entries::kind(other) == entries::kind(file))
    };
    let gone: Vec<&NamedFile> = before.iter().filter(|file| !is_in(&new, file)).collect();
    let added: Vec<&NamedFile> = result.iter().filter(|file| !is_in(&old, file)).collect();
    let leaves: BTreeSet<&Path> = gone.iter().map(|file| &*file.path).collect();
    if let Some(at) = added.iter().find_map(|file| in_the_way(&file.path, &leaves, &place)) {
        return Err(UserError::usage(format!("'{}' is in the way of the result", at.display()))
            .fact("the run knows nothing about it, so nothing is replaced")
            .help("a run without --ignore for it, or with --keep for what gets its name, ends otherwise"));
    }
    for file in gone {
        let at = place(&file.path);
        let removed = if is_folder(file) { fs::remove_dir(&at) } else { fs::remove_file(&at) };
        removed.map_err(|e| failed(&at, &e))?;
        // Fails at the first one that holds something else.
        let above = file.path.ancestors().skip(1).take_while(|above| above.components().count() > 1);
        let _ = above.map(|above| fs::remove_dir(place(above))).find(Result::is_err);
    }
    let changed = result.iter().filter(|file| {
        is_in(&old, file) && old.get(&*file.path).is_some_and(|old| old.content != file.content)
    });
    changed.chain(added).try_for_each(|file| {
        let at = place(&file.path);
        put(&at, file).map_err(|e| failed(&at, &e))
    })
}

fn by_path(contents: &Contents) -> Files<'_> {
    contents.iter().map(|file| (&*file.path, file)).collect()
}

/// What is at the place of a new file or above it, and is not among what leaves.
fn in_the_way(path: &Path, leaves: &BTreeSet<&Path>, place: &impl Fn(&Path) -> PathBuf) -> Option<PathBuf> {
    let is_other = |above: &&Path| {
        !leaves.contains(above) && fs::symlink_metadata(place(above)).is_ok_and(|found| !found.is_dir())
    };
    let above = path.ancestors().filter(|above| !above.as_os_str().is_empty()).find(is_other);
    above.map(place).or_else(|| stays_in(path, leaves, place))
}

/// What stays in the folder at a path, if there is one, when all that leaves has left.
fn stays_in(path: &Path, leaves: &BTreeSet<&Path>, place: &impl Fn(&Path) -> PathBuf) -> Option<PathBuf> {
    let below = fs::read_dir(place(path)).ok()?.flatten();
    below.map(|entry| path.join(entry.file_name())).find_map(|below| {
        let at = place(&below);
        match fs::symlink_metadata(&at).is_ok_and(|found| found.is_dir()) {
            true => stays_in(&below, leaves, place),
            false => (!leaves.contains(&*below)).then_some(at),
        }
    })
}

fn put(at: &Path, file: &NamedFile) -> io::Result<()> {
    let folder = folder_of(at);
    fs::create_dir_all(&folder)?;
    let before = fs::symlink_metadata(at).ok();
    match entries::kind(file) {
        FileKind::File => {
            files::replace(&folder, at, file, before.as_ref().map(Likeness::from))?;
            // A file that was there keeps its permissions.
            let mode = file.mode.filter(|_| before.is_none());
            mode.map_or(Ok(()), |mode| platform::set_mode(at, mode & 0o777))
        }
        _ => {
            if before.is_some() {
                fs::remove_file(at)?;
            }
            write(at, file)
        }
    }
}

fn is_folder(file: &NamedFile) -> bool {
    entries::kind(file) == FileKind::Folder
}

fn failed(at: &Path, error: &io::Error) -> UserError {
    UserError::usage(format!("'{}' cannot be replaced", at.display())).fact(error.to_string())
}
