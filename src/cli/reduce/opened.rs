//! The run on the disk: its output and its journal, opened before the first candidate is tested.

use super::checked::Checked;
use super::listeners::Listeners;
use super::logging;
use super::place::{self, Place};
use super::request::Request;
use crate::error::UserError;
use crate::journal::{Keeper, Log, Past, Session};
use crate::oracle::Contents;
use crate::output::Output;
use crate::report::{self, Progress};
use lopper_languages::measure::Measure;
use std::sync::Arc;

/// See the module.
pub(super) struct Opened {
    pub(super) keeper: Keeper,
    pub(super) output: Output,
    /// The program that the journal ends with.
    last: Option<Vec<u8>>,
    /// Whether the run folder stays, since the earlier run was finished and kept.
    pub(super) was_kept: bool,
}

impl Opened {
    /// Opens the place of the run, and writes there what a run begins with. The verdicts of an earlier run become known to
    /// the options; with `undo`, that run goes on from its commit of this number.
    ///
    /// # Errors
    /// If something cannot be written; then it is as if the run had not begun.
    pub(super) fn new(
        request: &mut Request,
        checked: &Checked,
        session: &Session,
        undo: Option<usize>,
        log: &Arc<Log>,
    ) -> Result<Self, UserError> {
        let arguments = request.arguments;
        let mut place = request.earlier.take().map_or_else(|| place::new(arguments, &request.file), Ok)?;
        let undone = undo.and_then(|to| place.past.as_mut()?.undo(to));
        let last = place.last_program();
        let Place { target, folder, past } = place;
        let mut output = Output::at(&target, folder.path(), &request.like);
        if arguments.in_place {
            output.guard(&checked.held);
        }
        let original = &request.original[0];
        let commits = past.as_ref().map(|past| past.commits.len());
        if arguments.in_place
            && commits.is_none()
            && let Err(error) = place::back_up(&request.file, original, &request.like, &folder)
        {
            folder.remove();
            return Err(error);
        }
        if let Some(past) = &past {
            request.options.known = Arc::new(past.verdicts.clone());
        }
        let was_kept = past.as_ref().is_some_and(|past: &Past| past.finished);
        // A run folder that cannot be written to shows where it matters, at the journal.
        let _ = log.open(&folder.log());
        logging::log_panics(Arc::clone(log));
        let mut keeper = Keeper::new(folder, &checked.header, session, past, Arc::clone(log))?;
        undone.map_or(Ok(()), |record| keeper.undo(&record))?;
        // The output of a run that goes on is what it was, but for a step back to the very beginning.
        let written = match commits {
            None if arguments.in_place => Ok(()),
            Some(1..) if output.path().exists() => Ok(()),
            Some(1..) => output.replace(last.as_deref().unwrap_or(original)),
            _ => output.replace(original),
        };
        if let Err(error) = written {
            if commits.is_none() {
                keeper.finish(false, false);
            }
            return Err(error);
        }
        keeper.keep_first_output(&checked.first.output)?;
        Ok(Self { keeper, output, last, was_kept })
    }

    /// Tells the log, and the user if need be, what the run begins with; then gives all that hear of its events.
    pub(super) fn listeners(self, request: &Request, checked: &Checked, log: &Log) -> Listeners {
        let (limits, verdicts) = (&request.arguments.limits, request.options.known.len());
        let before = request.before;
        logging::describe(log, &checked.header, &request.unused, &before, &checked.first);
        let progress = Progress::new(limits.verbosity(), before);
        if verdicts > 0 {
            let resuming = format!("resuming; {verdicts} verdicts are known");
            log.note(&resuming);
            if !limits.quiet {
                report::remark(&resuming);
            }
        }
        let is_ahead = self.last.is_some();
        let best = self.last.map_or_else(
            || (request.original.clone(), before),
            |last| {
                let measure = Measure::of(&last, request.language.lexis());
                (Contents::from([request.original[0].with(last)]), measure)
            },
        );
        Listeners {
            progress,
            keeper: self.keeper,
            output: self.output,
            watch: checked.watch.clone(),
            in_place: request.arguments.in_place,
            best,
            is_ahead,
        }
    }
}
