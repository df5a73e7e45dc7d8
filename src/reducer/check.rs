//! Checks, before a reduction begins, that the test accepts the original, and how often.

use crate::error::UserError;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::{Contents, Fault, Test, Verdict};
use crate::reduce::hopeless;
use lopper_engine::flicker::Tally;
use std::time::Duration;

/// The default time limit of a command's first run.
pub(crate) const FIRST_LIMIT: Duration = Duration::from_secs(300);
/// The number of lines of a command's output that are shown.
const SHOWN: usize = 10;

/// Runs the test on the original repeatedly, and counts how often it accepts it.
///
/// # Errors
/// If it accepts it too rarely for verdicts.
pub(crate) fn measure(test: &dyn Test, original: &Contents) -> Result<Tally, Fault> {
    let mut tally = Tally::default();
    while !tally.is_measured() {
        tally = tally.plus(Tally::once(test.run(0, original)? == Verdict::Interesting));
    }
    if tally.is_hopeless() { Err(Fault::Broken(hopeless(tally))) } else { Ok(tally) }
}

/// Runs the test on the original twice. Returns how often it accepts it, if the answers differ.
///
/// # Errors
/// If the test does not accept it at first, or accepts it too rarely.
pub(super) fn accepts(test: &dyn Test, original: &Contents) -> Result<Option<Tally>, UserError> {
    match test.run(0, original).map_err(explained)? {
        Verdict::Interesting => accepts_again(test, original),
        verdict => Err(refused(verdict)),
    }
}

/// As [`accepts`], for a command; also returns the time of the first run.
///
/// # Errors
/// As for [`accepts`].
pub(super) fn accepts_command(
    test: &CommandOracle,
    original: &Contents,
) -> Result<(Duration, Option<Tally>), UserError> {
    let first = test.run_and_watch(original).map_err(explained)?;
    if first.verdict == Verdict::Interesting {
        return accepts_again(test, original).map(|flicker| (first.time, flicker));
    }
    let mut error = refused(first.verdict);
    if let Ok(status) = first.run.status {
        error = error.fact(format!("the command ended with {status}"));
    }
    let lines = first.run.last_lines(SHOWN);
    if !lines.is_empty() {
        error = error.fact("it said:");
    }
    Err(lines.iter().fold(error, |error, line| error.fact(format!("  {line}"))))
}

fn accepts_again(test: &dyn Test, original: &Contents) -> Result<Option<Tally>, UserError> {
    match test.run(0, original).map_err(explained)? {
        Verdict::Interesting => Ok(None),
        _ => measure(test, original).map(Some).map_err(explained),
    }
}

fn refused(verdict: Verdict) -> UserError {
    UserError::bad_test("the test does not accept the original").fact(format!("its verdict is {verdict:?}"))
}

fn explained(fault: Fault) -> UserError {
    match fault {
        Fault::Broken(error) => error,
        Fault::Interrupted | Fault::Cancelled => UserError::interrupted(),
    }
}
