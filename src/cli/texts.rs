//! Writes generated texts: to a folder, or to standard output.

use super::given::unreadable;
use crate::error::UserError;
use crate::{files, report};
use std::fs;
use std::path::{Path, PathBuf};

/// Where generated texts go.
#[derive(Debug, clap::Args)]
pub(super) struct Target {
    /// Write each text to a file in this new or empty folder [default: to standard output, one per line]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print each text as a JSON string, since a text may span several lines
    #[arg(long, hide_short_help = true, conflicts_with = "output")]
    json: bool,
}

impl Target {
    /// Makes the folder.
    ///
    /// # Errors
    /// If it cannot be made, or is not empty.
    pub(super) fn prepare(&self) -> Result<(), UserError> {
        let Some(folder) = &self.output else { return Ok(()) };
        fs::create_dir_all(folder).map_err(|error| unreadable(folder, &error))?;
        if fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?.next().is_some() {
            return Err(UserError::usage(format!("the folder '{}' is not empty", folder.display())));
        }
        Ok(())
    }

    /// Writes all texts; the names of files are their numbers.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(super) fn write<'t>(
        &self,
        texts: impl ExactSizeIterator<Item = &'t [u8]>,
        ending: &str,
    ) -> Result<(), UserError> {
        let digits = texts.len().to_string().len();
        for (number, text) in (1..).zip(texts) {
            if let Some(folder) = &self.output {
                let path = folder.join(format!("{number:0digits$}.{ending}"));
                write_new(folder, &path, text)?;
            } else if !self.print(text)? {
                break;
            }
        }
        Ok(())
    }

    /// Prints a text; `false` if the reader has gone away.
    pub(super) fn print(&self, text: &[u8]) -> Result<bool, UserError> {
        let text = String::from_utf8_lossy(text);
        let line = if self.json { report::json_string(&text) } else { text.into_owned() };
        report::answer(&(line + "\n"))
    }

    /// Whether the texts can be printed as soon as they are made.
    pub(super) fn is_stream(&self) -> bool {
        self.output.is_none()
    }
}

fn write_new(folder: &Path, path: &Path, text: &[u8]) -> Result<(), UserError> {
    files::create(folder, path, text, None).map_err(|error| unreadable(path, &error))
}
