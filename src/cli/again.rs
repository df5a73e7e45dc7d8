//! The command line of an earlier reduction, as its journal tells it.

use super::reduce;
use super::{Cli, Command};
use crate::error::UserError;
use crate::journal::{Past, Session};
use clap::Parser;
use std::ffi::OsString;
use std::path::PathBuf;

/// The command line; see the module.
pub(super) struct Again {
    pub(super) arguments: reduce::Arguments,
    /// As if this process had been started by it.
    pub(super) session: Session,
}

impl Again {
    /// Reads the command line, and enters the folder in which it was given.
    ///
    /// # Errors
    /// If the journal does not tell it, or the folder cannot be entered.
    pub(super) fn of(past: &Past) -> Result<Self, UserError> {
        let Some(then) = past.session.clone() else { return Err(unknown()) };
        let words = then.arguments.iter().cloned().map(OsString::from);
        let parsed = Cli::try_parse_from(std::iter::once("lopper".into()).chain(words));
        let Ok(Cli { command: Command::Reduce(arguments) }) = parsed else {
            return Err(unknown());
        };
        let place = PathBuf::from(OsString::from(then.folder.clone()));
        std::env::set_current_dir(&place).map_err(|e| {
            UserError::usage(format!(
                "the folder '{}', where the run was started, cannot be entered",
                place.display()
            ))
            .fact(e.to_string())
        })?;
        Ok(Self { arguments: *arguments, session: Session { process: std::process::id(), ..then } })
    }
}

fn unknown() -> UserError {
    UserError::usage("the journal does not say how the run was started")
        .help("lopper reduce --resume continues it")
}
