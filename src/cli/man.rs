//! `lopper man`: writes the manual pages.

use super::{Cli, Exit};
use crate::error::UserError;
use crate::report;
use clap::CommandFactory;
use std::fs;
use std::path::PathBuf;

/// Writes the manual pages, lopper.1 and one for each command, to DIR
///
/// `man -l DIR/lopper-reduce.1` shows one; in ~/.local/share/man/man1, `man lopper-reduce` finds it.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The folder, which is made if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let folder = &arguments.folder;
    let failed = |e: std::io::Error| {
        let title = format!("the manual pages cannot be written to '{}'", folder.display());
        UserError::usage(title).fact(e.to_string())
    };
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
    report::remark(&format!("the manual pages are in '{}'", folder.display()));
    Ok(Exit::Reduced)
}
