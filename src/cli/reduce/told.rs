//! What a reduction tells its audience besides the events of the search: its beginning, and its end.

use super::arguments::Arguments;
use super::checked::Checked;
use super::request::Request;
use crate::error::UserError;
use crate::journal::Session;
use crate::oracle::Contents;
use crate::output;
use crate::report::events::{Ending, EventWriter, PassWork, SCHEMA, Start};
use crate::report::page::Recorder;
use crate::report::{self, Audience, Controls, Live, Ui, Verbosity, as_one};
use crate::run::{End, Stats};
use lopper_engine::contents::base_of;
use lopper_languages::Language;
use lopper_languages::measure::Measure;
use lopper_passes::{Base, canonical};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The language in which a program is shown: that of its first file.
pub(super) fn language(base: &Base, program: &Contents) -> &'static dyn Language {
    let first = base.files.iter().find(|file| program.first().is_some_and(|first| first.path == file.path));
    first.unwrap_or(&base.files[0]).language
}

/// The audience of a run. The file for events is made.
///
/// # Errors
/// If it cannot be written.
pub(super) fn audience(request: &Request, checked: &Checked) -> Result<Audience, UserError> {
    let (watching, limits) = (&request.arguments.watching, &request.arguments.limits);
    let verbosity = if watching.is_quiet(limits) { Verbosity::Quiet } else { limits.verbosity() };
    let events = match (&watching.events, watching.ui) {
        (Some(path), _) => {
            let file = File::create(path).map_err(|e| {
                UserError::usage(format!("the events cannot be written to '{}'", path.display()))
                    .fact(e.to_string())
            })?;
            Some(EventWriter::new(Box::new(file), request.start))
        }
        (None, Some(Ui::Json)) => Some(EventWriter::to_standard_output(request.start)),
        (None, _) => None,
    };
    let recorder = watching.report.is_some().then(|| {
        let mut recorder = Recorder::new(&request.input.original);
        recorder.ask(Arc::clone(&checked.test.remarks));
        recorder
    });
    let ui = Ui::chosen(watching.ui);
    let live = (ui == Ui::Live && verbosity == Verbosity::Normal).then(|| live(request)).flatten();
    Ok(Audience::new(ui, verbosity, request.base.measure(), live, events, recorder))
}

/// The live view, if the terminal can be used.
fn live(request: &Request) -> Option<Live> {
    let Request { input, base, options, .. } = request;
    let (finish, over) = (Arc::clone(&options.asked_to_finish), options.clone());
    let (skip, workers) = (Arc::clone(&options.asked_to_skip), Arc::clone(&options.workers));
    let undo = Arc::clone(&request.asked_to_undo);
    // Of a run with few passes, or of a published algorithm, nobody knows how long it takes.
    let is_usual = options.algorithm.is_none() && 2 * options.passes.len() > lopper_passes::PASSES.len();
    let controls = Controls {
        skip,
        workers,
        undo,
        limits: (options.max_tests, options.deadline),
        effort: is_usual.then_some(options.effort),
        finish,
        is_over: Arc::new(move || (over.interrupted)() || over.is_time_over()),
    };
    Live::start(&input.name(), (&as_one(&input.original), base.measure()), options.jobs, controls)
}

/// The first event.
pub(super) fn start(request: &Request, checked: &Checked, session: &Session, output: &Path) -> Start {
    let Measure { tokens, bytes, .. } = request.base.measure();
    Start {
        schema: SCHEMA,
        run: checked.header.clone(),
        session: session.clone(),
        output: output.to_string_lossy().into_owned(),
        test: checked.test.plan.sentence(),
        tokens,
        bytes,
        lines: lines(&request.input.original),
        jobs: request.options.jobs,
        known: request.options.known.len(),
    }
}

/// The size of the largest result with a fingerprint, in bytes.
const LARGEST: usize = 1 << 20;

/// The fingerprint of a result, in hexadecimal digits: the same for programs that differ only in the names they define, in
/// comments and in white space. What was left when somebody stopped the run says little about the failure, and has none; nor
/// has a large result of a run that reached a limit, whose parsing would delay the end.
pub(super) fn fingerprint(end: &End, original: &Base, result: &Contents) -> Option<String> {
    let is_small = result.iter().map(|file| file.len()).sum::<usize>() <= LARGEST;
    let is_result = is_small && !matches!(end, End::Interrupted | End::Broken(_));
    is_result.then(|| format!("{:016x}", xxh3_64(&canonical(&base_of(result, original)))))
}

/// The last event of a run that ended in this way, with this result and its measure.
pub(super) fn ending(
    end: &End,
    finished: bool,
    error: Option<&UserError>,
    (result, measure): (&Contents, Measure),
    fingerprint: Option<String>,
    stats: &Stats,
) -> Ending {
    Ending {
        reason: reason(end).to_owned(),
        finished,
        error: error.map(ToString::to_string),
        tokens: measure.tokens,
        bytes: measure.bytes,
        lines: lines(result),
        fingerprint,
        runs: stats.runs,
        memo_hits: stats.memo_hits,
        passes: stats
            .passes
            .iter()
            .filter(|(_, stats)| stats.proposed > 0)
            .map(|(pass, stats)| PassWork { pass: (*pass).to_owned(), stats: *stats })
            .collect(),
    }
}

/// Writes the page about the run; the result does not depend on it.
pub(super) fn publish(arguments: &Arguments, page: &str) {
    let Some(path) = &arguments.watching.report else { return };
    match output::write(path, page.as_bytes()) {
        Err(error) => report::error(&error),
        Ok(()) if arguments.is_quiet() => {}
        Ok(()) => report::remark(&format!("the page about the run is in '{}'", path.display())),
    }
}

/// The reason for an end, in a word.
fn reason(end: &End) -> &'static str {
    match end {
        End::Fixpoint => "nothing-more",
        End::Tests => "max-tests",
        End::Time => "max-time",
        End::Asked => "asked",
        End::Interrupted => "interrupted",
        End::Broken(_) => "error",
    }
}

/// The number of lines of all files.
pub(super) fn lines(contents: &Contents) -> usize {
    contents.iter().map(|file| file.split_inclusive(|&c| c == b'\n').count()).sum()
}
