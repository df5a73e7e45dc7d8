//! Checks a test that may flicker before a run begins, for a command that can deal with that.

use super::check;
use super::checking::outside::Outside;
use super::checking::surroundings;
use super::elsewhere::{Depends, Elsewhere, depends_on_folder};
use super::start_up::{Times, timed};
use crate::conditions::Judgement;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::executor::Limit;
use crate::oracle::{Contents, Fault, Verdict};
use crate::reducer::measure;
use crate::report;
use lopper_engine::flicker::Tally;
use std::path::Path;
use std::sync::Arc;

/// The number of runs on the original of which a resumed run needs one that accepts it, unless more is known
/// about its test.
const TRIES: u32 = 5;

/// The probability that all of these runs refuse it by chance, if it is known how often the test accepts it.
const MISSED: f64 = 0.001;

/// The runs on the original that have to give the same answer.
const RUNS: u32 = 3;

/// Runs the test on the original three times, the last time elsewhere, and on an empty and a trivial file if these
/// `may_be` candidates. A test that does not accept the original each time is measured. Remarks on a test that depends
/// on the folder, or writes outside of it. Returns the first judgement, and how often a test that flickers accepts the
/// original.
pub(super) fn check(
    test: &CommandOracle,
    elsewhere: &Elsewhere,
    original: &Contents,
    may_be: impl Fn(&[u8]) -> bool,
) -> Result<(Judgement, Option<Tally>), Fault> {
    let (file, arguments, quiet) = (elsewhere.file, elsewhere.arguments, elsewhere.limits.quiet);
    // Runs that do not overlap cannot meet each other outside of their folders.
    let outside = (elsewhere.options.jobs > 1 && !quiet).then(|| Outside::around(file, &test.plan));
    let first = test.run_and_watch(original)?;
    if first.run.status.is_err() {
        return Err(check::refused(test, file, arguments, original, &first));
    }
    let (flicker, mut times) = compared(test, original, &first, Some(elsewhere))?;
    if first.verdict != Verdict::Interesting && flicker.is_none() {
        let missing = surroundings::missing(elsewhere, test, original, None)?;
        let refused = || check::refused(test, file, arguments, original, &first);
        return Err(missing.map_or_else(refused, Fault::Broken));
    }
    if may_be(b"") {
        check::refuse_empty(test, original, flicker, &mut times)?;
    }
    if let Some(changes) = outside.and_then(|outside| outside.changes()) {
        report::remark(&changes.to_string());
    }
    try_trivial(test, original, may_be, flicker, times, quiet)?;
    Ok((first, flicker))
}

/// Runs the test on a trivial file if that `may_be` a candidate. Remarks on a test that accepts it, and on one that is
/// slow.
pub(super) fn try_trivial(
    test: &CommandOracle,
    original: &Contents,
    may_be: impl Fn(&[u8]) -> bool,
    flicker: Option<Tally>,
    mut times: Times,
    quiet: bool,
) -> Result<(), Fault> {
    let accepted = check::try_trivial(test, original, may_be, flicker, &mut times)?;
    let slow = times.remark(test.plan.has_server());
    for remark in accepted.map(|error| error.to_string()).into_iter().chain(slow).filter(|_| !quiet) {
        report::remark(&remark);
    }
    Ok(())
}

/// Runs the test on the original twice more, after a run with this judgement; the last time elsewhere, if that is given
/// and possible. Returns how often a test that flickers accepts the original, and the times of the runs.
pub(super) fn compared(
    test: &CommandOracle,
    original: &Contents,
    first: &Judgement,
    elsewhere: Option<&Elsewhere>,
) -> Result<(Option<Tally>, Times), Fault> {
    let elsewhere = elsewhere.filter(|_| first.verdict == Verdict::Interesting);
    let mut times = Times::default();
    times.add(first.time);
    for run in 1..RUNS {
        if let Some(elsewhere) = elsewhere.filter(|_| run + 1 == RUNS)
            && let Some((depends, time)) = elsewhere.compare(test, original)?
        {
            times.add(time);
            match depends {
                Depends::No => {}
                Depends::OnFolder if elsewhere.limits.quiet => {}
                Depends::OnFolder => report::remark(&depends_on_folder().to_string()),
                Depends::OnChance => return Ok((Some(measure(test, original)?), times)),
            }
            continue;
        }
        let (verdict, time) = timed(test, original)?;
        times.add(time);
        match (first.verdict, verdict) {
            (Verdict::Interesting, Verdict::Interesting) => {}
            (Verdict::Interesting, Verdict::TimedOut) => {
                return Err(Fault::Broken(check::exceeded(test, Limit::Time)));
            }
            (Verdict::Interesting, Verdict::OutOfMemory) => {
                return Err(Fault::Broken(check::exceeded(test, Limit::Memory)));
            }
            (Verdict::Interesting, _) | (_, Verdict::Interesting) => {
                return Ok((Some(measure(test, original)?), times));
            }
            _ => break,
        }
    }
    Ok((None, times))
}

/// Runs the test on the original until it accepts it, for a run that is resumed; `flicker` is what its journal
/// knows. Returns the judgement.
pub(super) fn accepts(
    test: &CommandOracle,
    file: &Path,
    arguments: &[Arc<Path>],
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
    check::accepts(test, file, arguments, original)
}
