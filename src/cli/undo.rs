//! `lopper undo`: returns to an earlier commit of a run, and continues differently from there.

use super::Exit;
use super::replay::folder_of;
use super::{Cli, Command, reduce};
use crate::error::UserError;
use crate::journal::{RunFolder, Session};
use clap::Parser;
use lopper_passes::Pass;
use std::ffi::OsString;
use std::path::PathBuf;

/// Returns to an earlier commit of a run, and continues differently from there
///
/// The run continues with its original options. From now on the programs of all commits after N count as
/// boring, so the run cannot reach them again.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The run folder, or the result beside it
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The number of the commit, as listed by lopper replay; 0 is the original
    #[arg(long, value_name = "N")]
    to: usize,
}

/// Continues the run. The later commits are recorded as abandoned only when nothing can prevent that any
/// more.
pub(super) fn run(arguments: &Arguments, passes: &'static [Pass]) -> Result<Exit, UserError> {
    let path = folder_of(&arguments.run)?;
    let path = path.canonicalize().unwrap_or(path);
    let Some(past) = RunFolder::look(&path)? else {
        return Err(UserError::usage(format!("the journal in '{}' is empty", path.display())));
    };
    let count = past.commits.len();
    if arguments.to > count {
        return Err(UserError::usage(format!("there is no commit {}", arguments.to))
            .fact(format!("the last commit is {count}; lopper replay lists all of them")));
    }
    let Some(then) = past.session else { return Err(unknown()) };
    let words = then.arguments.iter().cloned().map(OsString::from);
    let parsed = Cli::try_parse_from(std::iter::once("lopper".into()).chain(words));
    let Ok(Cli { command: Command::Reduce(mut again) }) = parsed else {
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
    let session = Session { process: std::process::id(), ..then };
    (again.resume, again.keep_run) = (true, true);
    // The output of a run that follows a candidate is found from the run that it follows.
    if !again.in_place && again.follow.is_none() {
        again.output = Some(path.with_extension(""));
    }
    reduce::run(&again, &session, passes, Some(arguments.to))
}

fn unknown() -> UserError {
    UserError::usage("the journal does not say how the run was started")
        .help("lopper reduce --resume continues it without an undo")
}
