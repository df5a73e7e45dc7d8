//! Checks a test that may flicker before a run begins, for a command that can deal with that.

use super::check;
use crate::conditions::Judgement;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::executor::Limit;
use crate::oracle::{Contents, Fault, Test, Verdict};
use crate::reducer::measure;
use crate::report;
use lopper_engine::flicker::Tally;
use std::path::Path;

/// The number of runs on the original of which a resumed run needs one that accepts it, unless more is known
/// about its test.
const TRIES: u32 = 5;

/// The probability that all of these runs refuse it by chance, if it is known how often the test accepts it.
const MISSED: f64 = 0.001;

/// The runs on the original that have to give the same answer.
const RUNS: u32 = 3;

/// Runs the test on the original three times, and on an empty and a trivial file if these `may_be` candidates. A test
/// that does not accept the original each time is measured. Returns the first judgement, and how often a test that
/// flickers accepts the original.
pub(super) fn check(
    test: &CommandOracle,
    file: &Path,
    original: &Contents,
    may_be: impl Fn(&[u8]) -> bool,
    quiet: bool,
) -> Result<(Judgement, Option<Tally>), Fault> {
    let first = test.run_and_watch(original)?;
    if first.run.status.is_err() {
        return Err(check::refused(test, file, original, &first));
    }
    let flicker = compared(test, original, first.verdict)?;
    if first.verdict != Verdict::Interesting && flicker.is_none() {
        return Err(check::refused(test, file, original, &first));
    }
    if may_be(b"") {
        check::refuse_empty(test, original, flicker)?;
    }
    if let Some(remark) = check::try_trivial(test, original, may_be, flicker)?
        && !quiet
    {
        report::remark(&remark.to_string());
    }
    Ok((first, flicker))
}

/// Runs the test on the original twice more, after a run with this verdict; returns how often a test that flickers
/// accepts the original.
pub(super) fn compared(
    test: &CommandOracle,
    original: &Contents,
    first: Verdict,
) -> Result<Option<Tally>, Fault> {
    for _ in 1..RUNS {
        match (first, test.run(0, original)?) {
            (Verdict::Interesting, Verdict::Interesting) => {}
            (Verdict::Interesting, Verdict::TimedOut) => {
                return Err(Fault::Broken(check::exceeded(test, Limit::Time)));
            }
            (Verdict::Interesting, Verdict::OutOfMemory) => {
                return Err(Fault::Broken(check::exceeded(test, Limit::Memory)));
            }
            (Verdict::Interesting, _) | (_, Verdict::Interesting) => {
                return measure(test, original).map(Some);
            }
            _ => break,
        }
    }
    Ok(None)
}

/// Runs the test on the original until it accepts it, for a run that is resumed; `flicker` is what its journal
/// knows. Returns the judgement.
pub(super) fn accepts(
    test: &CommandOracle,
    file: &Path,
    original: &Contents,
    flicker: Option<Tally>,
) -> Result<Judgement, Fault> {
    let tries = flicker.map_or(TRIES, |original| original.runs_for_one(MISSED));
    for _ in 1..tries {
        let judgement = test.run_and_watch(original)?;
        if judgement.verdict == Verdict::Interesting {
            return Ok(judgement);
        }
    }
    check::accepts(test, file, original)
}
