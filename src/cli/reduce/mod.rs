//! `lopper reduce`: shrinks a file as long as its test accepts the result.

mod arguments;
mod checked;
mod closing;
mod listeners;
mod logging;
mod opened;
mod place;
mod refusals;
mod request;

use super::Exit;
use crate::background::reduce_in_background;
use crate::error::UserError;
use crate::journal::{Log, Session};
use checked::Checked;
use closing::Closing;
use listeners::Listeners;
use lopper_languages::Parsed;
use lopper_passes::{Base, Pass};
use opened::Opened;
use request::Request;
use std::sync::Arc;
use std::time::Instant;

pub(super) use arguments::Arguments;

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
    let mut request = Request::read(arguments, registry, Instant::now(), undo.is_some())?;
    let log = Arc::new(Log::default());
    logging::begin(&log, session, &request.options);
    let Some(checked) = Checked::new(&request, &log)? else { return Ok(Exit::Interrupted) };
    let opened = Opened::new(&mut request, &checked, session, undo, &log)?;
    let was_kept = opened.was_kept;
    let listeners = opened.listeners(&request, &checked, &log);
    let limit = checked.last_limit();
    let test = Arc::new(checked.test);
    let original = (request.original.clone(), request.before);
    let (input, language) = (request.original[0].clone(), request.language);
    let parse =
        move || Base { files: vec![Arc::new(Parsed::at(input.path.clone(), language, input.to_vec()))] };
    let (options, hear) = (&request.options, Listeners::hear);
    let (outcome, listeners) =
        reduce_in_background(original, parse, Arc::clone(&test) as Arc<_>, options, listeners, hear)?;
    Closing { request: &request, test: &test, limit, log: &log }.close(outcome, listeners, was_kept)
}
