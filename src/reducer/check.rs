//! Checks, before a reduction begins, that the test accepts the original every time.

use crate::error::UserError;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::{Contents, Fault, Test, Verdict};
use std::time::Duration;

/// The default time limit of a command's first run.
pub(crate) const FIRST_LIMIT: Duration = Duration::from_secs(300);
/// The number of lines of a command's output that are shown.
const SHOWN: usize = 10;

/// The default time limit of a command's further runs, from the time of the first one.
pub(crate) fn usual_limit(first: Duration) -> Duration {
    (first * 10).max(Duration::from_secs(1))
}

/// Runs the test on the original twice.
///
/// # Errors
/// If the test does not accept it both times.
pub(super) fn accepts(test: &dyn Test, original: &Contents) -> Result<(), UserError> {
    match test.run(0, original).map_err(explained)? {
        Verdict::Interesting => accepts_again(test, original),
        verdict => Err(refused(verdict)),
    }
}

/// As [`accepts`], for a command; returns the time of the first run.
///
/// # Errors
/// As for [`accepts`].
pub(super) fn accepts_command(test: &CommandOracle, original: &Contents) -> Result<Duration, UserError> {
    let first = test.run_and_watch(original).map_err(explained)?;
    if first.verdict == Verdict::Interesting {
        return accepts_again(test, original).map(|()| first.time);
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

fn accepts_again(test: &dyn Test, original: &Contents) -> Result<(), UserError> {
    match test.run(0, original).map_err(explained)? {
        Verdict::Interesting => Ok(()),
        verdict => Err(UserError::bad_test("the test does not give the same answer twice")
            .fact(format!("it accepted the original, but its verdict in a second run was {verdict:?}"))),
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
