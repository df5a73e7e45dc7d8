//! A result in the place of the user's own files: those of a folder, or several that were named.

use crate::entries;
use crate::error::UserError;
use crate::files::{self, folder_of};
use crate::oracle::{Contents, NamedFile};
use crate::platform::{FileKind, Likeness};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Makes the files at their places those of the result: each of them is replaced in one step, or removed, and folders
/// that lose their last entry are removed with it.
///
/// # Errors
/// If somebody has changed a file since it was read, or one cannot be written. The files before it are those of the
/// result then.
pub(crate) fn put_in_place(
    original: &Contents,
    result: &Contents,
    place: impl Fn(&Path) -> PathBuf,
) -> Result<(), UserError> {
    for file in original {
        let at = place(&file.path);
        let is_as_before = |now: NamedFile| now.content == file.content;
        if !is_folder(file) && !entries::one(&at, &file.path).is_ok_and(is_as_before) {
            return Err(UserError::usage(format!("'{}' was changed during the run", at.display()))
                .fact("another program has changed it, so nothing is replaced"));
        }
    }
    let new: BTreeMap<&Path, &NamedFile> = result.iter().map(|file| (&*file.path, file)).collect();
    let old: BTreeSet<&Path> = original.iter().map(|file| &*file.path).collect();
    let gone = original.iter().filter(|file| !new.contains_key(&*file.path));
    let changed = original.iter().filter_map(|file| Some((file, *new.get(&*file.path)?)));
    let changed = changed.filter(|(before, after)| before.content != after.content).map(|(_, after)| after);
    let added = result.iter().filter(|file| !old.contains(&*file.path));
    let put = |file: &NamedFile| write(&place(&file.path), file).map_err(|e| failed(&place(&file.path), &e));
    changed.chain(added).try_for_each(put)?;
    gone.map(|file| (place(&file.path), file)).try_for_each(|(at, file)| {
        let removed = if is_folder(file) { fs::remove_dir(&at) } else { fs::remove_file(&at) };
        removed.map_err(|e| failed(&at, &e))?;
        // Fails at the first one that holds something else.
        let above = file.path.ancestors().skip(1).take_while(|above| above.components().count() > 1);
        let _ = above.map(|above| fs::remove_dir(place(above))).find(Result::is_err);
        Ok(())
    })
}

fn write(at: &Path, file: &NamedFile) -> io::Result<()> {
    let folder = folder_of(at);
    fs::create_dir_all(&folder)?;
    let like = fs::symlink_metadata(at).ok().as_ref().map(Likeness::from);
    files::replace(&folder, at, file, like)
}

fn is_folder(file: &NamedFile) -> bool {
    entries::kind(file) == FileKind::Folder
}

fn failed(at: &Path, error: &io::Error) -> UserError {
    UserError::usage(format!("'{}' cannot be replaced", at.display())).fact(error.to_string())
}
