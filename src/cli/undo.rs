//! `lopper undo`: returns to an earlier commit of a run, and continues differently from there.

use super::again::Again;
use super::replay::folder_of;
use super::{Exit, reduce};
use crate::error::UserError;
use crate::journal::{Form, RunFolder};
use lopper_passes::Pass;
use std::path::PathBuf;

/// Returns to an earlier commit of a run, and goes on differently
///
/// The run continues with its original options. From now on the programs of all commits after N count as
/// boring, so the run cannot reach them again.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The run folder, the result beside it, or the input
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
    let Again { arguments: mut again, session } = Again::of(&past)?;
    (again.resume, again.keep_run) = (true, true);
    // The output of a run that follows a candidate is found from the run that it follows, and a file that is replaced is its
    // own output.
    let is_own = again.in_place && past.header.form == Form::File;
    if !is_own && again.follow.is_none() {
        again.output = Some(path.with_extension(""));
    }
    reduce::run(&again, &session, passes, Some(arguments.to))
}
