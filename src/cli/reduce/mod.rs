//! `lopper reduce`: shrinks a file as long as its test accepts the result.

mod arguments;
mod checked;
mod closing;
mod followed;
mod formatting;
mod listeners;
mod logging;
mod opened;
mod place;
mod protection;
mod refusals;
mod request;
mod retold;
mod told;
mod watching;

use super::{Exit, generalize};
use crate::background::reduce_in_background;
use crate::error::UserError;
use crate::journal::{Log, RunFolder, Session};
use crate::oracle::command::quoted;
use crate::oracle::{Repeated, replace_this};
use crate::report;
use checked::Checked;
use closing::Closing;
use followed::Followed;
use listeners::Listeners;
use lopper_passes::Pass;
use opened::Opened;
use request::Request;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub(super) use arguments::Arguments;
pub(super) use place::last_output;
pub(super) use retold::Retold;

/// Runs a reduction, from the check of the test to the summary. With `undo`, an earlier run continues from
/// its commit with this number.
///
/// # Errors
/// Everything that the user can fix.
pub(super) fn run(
    arguments: &Arguments,
    session: &Session,
    registry: &'static [Pass],
    undo: Option<usize>,
) -> Result<Exit, UserError> {
    let followed = Followed::find(arguments)?;
    let arguments = followed.as_ref().map_or(arguments, |followed| &followed.arguments);
    let mut request = Request::read(arguments, followed.as_ref(), registry, Instant::now(), undo.is_some())?;
    let log = Arc::new(Log::default());
    logging::begin(&log, session, &request.options);
    let Some(checked) = Checked::new(&request, &log)? else { return Ok(Exit::Interrupted) };
    let audience = told::audience(&request, &checked)?;
    let opened = Opened::new(&mut request, &checked, session, undo, &log)?;
    let was_kept = opened.was_kept;
    let listeners = opened.listeners(&request, &checked, session, &log, audience);
    let limit = checked.last_limit();
    let (test, held) = (Arc::new(checked.test), checked.held);
    let original = (request.input.original.clone(), request.base.measure());
    let base = request.base.clone();
    let parse = move || base;
    let (options, hear) = (&request.options, Listeners::hear);
    // Passes and search repeat runs themselves.
    let flicker = options.flicker.filter(|_| options.algorithm.is_some());
    let asked = Arc::new(Repeated::new(Arc::clone(&test), flicker));
    let (outcome, listeners) = reduce_in_background(original, parse, asked, options, listeners, hear)?;
    let reduced = outcome.contents.first().map_or_else(Vec::new, |file| file.to_vec());
    let folder = listeners.keeper.folder().path().to_owned();
    let closing = Closing { request: &request, test: &test, limit, log: &log, held: &held };
    let exit = closing.close(outcome, listeners, was_kept)?;
    if let Some(to) = request.asked_to_undo.get().filter(|_| matches!(exit, Exit::Reduced)) {
        let to = to.to_string();
        drop((test, request));
        return Err(continued_from(&folder, &to));
    }
    if !arguments.generalize || matches!(exit, Exit::Interrupted) {
        return Ok(exit);
    }
    generalized(&request, reduced, session, folder)
}

/// Continues a run from another commit as `lopper undo` does, in the place of this process; returns only if that fails.
fn continued_from(folder: &Path, to: &str) -> UserError {
    report::remark(&format!("returning to commit {to}"));
    let words: [&OsStr; 4] = ["undo".as_ref(), folder.as_os_str(), "--to".as_ref(), to.as_ref()];
    UserError::usage("the run cannot be continued from an earlier commit")
        .fact(replace_this(&words).to_string())
        .help(format!("try lopper undo {} --to {to}", quoted(&folder.to_string_lossy())))
}

/// Generalizes the result of a reduction. Until that is done, its run folder stays: a run that is resumed would repeat it.
fn generalized(
    request: &Request,
    reduced: Vec<u8>,
    session: &Session,
    folder: PathBuf,
) -> Result<Exit, UserError> {
    let Arguments { resume, excerpt, keep_run, limits, language, .. } = request.arguments;
    let arguments = generalize::Arguments::with(*resume, *excerpt, limits.clone(), language.clone());
    // A page that could not be written has been told already.
    let page = request.arguments.watching.report.clone().filter(|path| path.is_file());
    let work = generalize::Work {
        arguments: &arguments,
        outputs: &generalize::Outputs::of_reduction(page),
        language: request.base.files[0].language,
        parser: request.base.files[0].language.parser(),
        original: &request.input.original,
        rest: &[],
        paths: &request.input.arguments,
        file: &request.input.path,
        reduced: &request.input.path,
        options: &request.options,
        interrupt: &request.interrupt,
        start: Instant::now(),
    };
    let exit = work.run(request.plan.clone(), Some(reduced), session)?;
    if !keep_run
        && !matches!(exit, Exit::Interrupted)
        && let Ok((folder, past)) = RunFolder::open(folder)
        && past.is_none_or(|past| past.others.is_empty())
    {
        folder.remove();
    }
    Ok(exit)
}
