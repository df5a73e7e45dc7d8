//! The result on disk: always the best program so far, replaced atomically.

mod file;
mod folder;
mod in_place;

use crate::error::UserError;
use crate::oracle::Contents;
use std::path::Path;

pub use file::{Output, Target, free_path, is_same_file, numbered_path, write};
pub use folder::write_new;
pub(crate) use folder::{FolderOutput, backup_in, clear, numbered_folder, placed_in, write_like};
pub(crate) use in_place::{found_in_place, put_in_place};

/// The result of a reduction: a file, or a folder with several of them.
#[derive(Debug)]
pub(crate) enum Saved {
    /// A single file.
    File(Output),
    /// A folder.
    Folder(FolderOutput),
}

impl Saved {
    /// The path of the result.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(output) => output.path(),
            Self::Folder(output) => output.path(),
        }
    }

    /// Puts a program in the place of the one before, in one step.
    ///
    /// # Errors
    /// If it cannot be written, or another writer has changed the result; that is unchanged then.
    pub(crate) fn replace(&mut self, contents: &Contents) -> Result<(), UserError> {
        match self {
            Self::File(output) => contents.first().map_or(Ok(()), |file| output.replace(file)),
            Self::Folder(output) => output.replace(contents),
        }
    }

    /// Whether no other writer has changed a result that is the user's work.
    pub(crate) fn is_untouched(&self) -> bool {
        match self {
            Self::File(output) => output.is_untouched(),
            Self::Folder(_) => true,
        }
    }

    /// Makes sure that the result is on the disk; see [`Output::settle`].
    ///
    /// # Errors
    /// If the result is not at its place. The error names its path, and so does [`Saved::path`], if it was written at
    /// all.
    pub(crate) fn settle(&mut self, contents: &Contents, input: &Path, waits: bool) -> Result<(), UserError> {
        match self {
            Self::File(output) => contents.first().map_or(Ok(()), |file| output.settle(file, input, waits)),
            Self::Folder(output) => output.settle(contents, input),
        }
    }
}
