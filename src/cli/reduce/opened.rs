//! The files of a run: its output and its journal, opened before the first candidate is tested.

use super::checked::Checked;
use super::listeners::Listeners;
use super::logging;
use super::place::{self, Place};
use super::request::Request;
use super::told;
use crate::cli::input::{Input, measure};
use crate::error::UserError;
use crate::journal::{Form, Keeper, Log, Past, RunFolder, Session};
use crate::oracle::Contents;
use crate::output::{FolderOutput, Output, Saved, Target};
use crate::report::{self, Audience};
use std::sync::Arc;
use std::time::Duration;

/// The open files; see the module.
pub(super) struct Opened {
    pub(super) keeper: Keeper,
    pub(super) output: Saved,
    /// The last program in the journal.
    last: Option<Contents>,
    /// Whether the run folder stays because the earlier run was complete and kept it.
    pub(super) was_kept: bool,
}

impl Opened {
    /// Opens the output and the journal, and writes their beginnings. The verdicts of an earlier run become
    /// known to the options; with `undo`, that run continues from its commit with this number.
    ///
    /// # Errors
    /// If a file cannot be written; a new run then leaves nothing behind.
    pub(super) fn new(
        request: &mut Request,
        checked: &Checked,
        session: &Session,
        undo: Option<usize>,
        log: &Arc<Log>,
    ) -> Result<Self, UserError> {
        let arguments = request.arguments;
        let mut place = request
            .earlier
            .take()
            .map_or_else(|| place::new(arguments, &request.input.path, request.input.form), Ok)?;
        let undone = undo.and_then(|to| place.past.as_mut()?.undo(to));
        let last = place.last_program(&request.input);
        let Place { target, folder, past } = place;
        let mut output = output(&target, &folder, request, checked);
        let original = &request.input.original;
        let commits = past.as_ref().map(|past| past.commits.len());
        // The user may have moved the backup of a run that is resumed.
        if arguments.in_place
            && let Err(error) = place::back_up(&request.input, &folder)
        {
            if commits.is_none() {
                folder.remove();
            }
            return Err(error);
        }
        if let Some(past) = &past {
            request.options.known = Arc::new(past.verdicts.clone());
            request.options.skips = Arc::new(past.skips.clone());
        }
        request.options.flicker = checked.header.flicker;
        request.options.first_run = Duration::from_micros(checked.header.first_run);
        request.options.limit = checked.header.limit_follows.then(|| checked.header.limit());
        let was_kept = past.as_ref().is_some_and(|past: &Past| past.finished);
        // If the run folder cannot be written to, the journal reports it.
        let _ = log.open(&folder.log());
        logging::log_panics(Arc::clone(log));
        let mut keeper = Keeper::new(folder, &checked.header, session, past, Arc::clone(log))?;
        undone.map_or(Ok(()), |record| keeper.undo(&record))?;
        // What is there is the result of this run, or one that the user has named to be replaced.
        if let Saved::Folder(folder) = &mut output
            && let Some(saved) = request.input.saved(folder.path())
        {
            folder.take_over(&saved);
        }
        // A resumed run keeps its output, unless it was undone to the original.
        let written = match commits {
            None if arguments.replaces_file(request.input.form) => Ok(()),
            Some(1..) if output.path().exists() => Ok(()),
            Some(1..) => output.replace(last.as_ref().unwrap_or(original)),
            _ => output.replace(original),
        };
        if let Err(error) = written {
            if commits.is_none() {
                keeper.finish(false, false);
            }
            return Err(error);
        }
        keeper.keep_first_output(&checked.first.run.text())?;
        Ok(Self { keeper, output, last, was_kept })
    }

    /// Reports the beginning of the run to the log and the user; returns the listeners for its events.
    pub(super) fn listeners(
        self,
        request: &Request,
        checked: &Checked,
        session: &Session,
        log: &Log,
        mut audience: Audience,
    ) -> Listeners {
        let (quiet, verdicts) = (request.arguments.is_quiet(), request.options.known.len());
        let before = request.base.measure();
        logging::describe(log, &checked.header, &request.unused, &before, &checked.first);
        if !checked.test.plan.is_plain() {
            let sentence = checked.test.plan.sentence();
            log.note(&sentence);
            if !quiet {
                report::remark(&sentence);
            }
        }
        for notice in request.beside.notices() {
            log.note(&notice);
        }
        if verdicts > 0 {
            let resuming = format!("resuming; {verdicts} verdicts are known");
            log.note(&resuming);
            if !quiet {
                report::remark(&resuming);
            }
        }
        let is_ahead = self.last.is_some();
        let best = self.last.map_or_else(
            || (request.input.original.clone(), before),
            |last| {
                let measure = measure(&last, &request.base);
                (last, measure)
            },
        );
        audience.begins(told::start(request, checked, session, self.output.path()));
        Listeners {
            audience,
            keeper: self.keeper,
            output: self.output,
            watch: checked.watch.clone(),
            slips: Arc::clone(&checked.test.slips),
            base: request.base.clone(),
            syncs: request.arguments.in_place || request.input.form != Form::File,
            best,
            is_ahead,
        }
    }
}

/// The output: a file or, for several files, a folder.
fn output(target: &Target, folder: &RunFolder, request: &Request, checked: &Checked) -> Saved {
    let input = &request.input;
    match target {
        Target::File(path) if input.form != Form::File => {
            let Input { folders, fixed, .. } = input;
            let (folders, fixed) = (Arc::clone(folders), fixed.clone());
            Saved::Folder(FolderOutput::new(path.clone(), folder.path(), input.prefix(), folders, fixed))
        }
        _ => {
            let mut output = Output::at(target, folder.path(), &request.like);
            if request.arguments.in_place {
                output.guard(&checked.held[0]);
            }
            Saved::File(output)
        }
    }
}
