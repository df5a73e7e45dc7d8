//! A folder whose failure is in a single file: that file is generalized, and all else in the folder stays.

use crate::entries::{self, Entries, Selection};
use crate::error::UserError;
use crate::oracle::command::quoted;
use crate::oracle::{Contents, NamedFile};
use crate::platform::FileKind;
use std::path::Path;

/// The only file of a folder that has a text, and what stays beside it; all paths begin with the folder's name.
///
/// # Errors
/// If the folder cannot be read, or another number of files has a text.
pub(super) fn read(folder: &Path) -> Result<(NamedFile, Contents), UserError> {
    let name = folder.file_name().map(Path::new).unwrap_or(folder);
    let Entries { contents, .. } = entries::read(folder, name, &Selection::usual()?)?;
    let has_text = |file: &NamedFile| entries::kind(file) == FileKind::File && !file.is_empty();
    let (texts, rest): (Contents, Contents) = contents.into_iter().partition(has_text);
    match <[NamedFile; 1]>::try_from(texts) {
        // Its permissions are those of the text that takes its place: the usual ones.
        Ok([file]) => Ok((NamedFile { mode: None, ..file }, rest)),
        Err(texts) => {
            let shown = quoted(&folder.to_string_lossy());
            Err(UserError::usage(format!("{} files in '{}' have a text", texts.len(), folder.display()))
                .fact("a pattern is that of a single file: of a folder, only one may have a text")
                .help(format!(
                    "lopper reduce TEST {shown} leaves one file where the failure allows; name its result"
                ))
                .help("or name the files: each gets its own pattern, and the others stay as they are"))
        }
    }
}
