//! Checks the test before a run begins. Each finding is one clear message.

use super::size::shown;
use super::start_up::{Times, timed};
use super::trivial;
use crate::conditions::{Failure, Judgement};
use crate::entries;
use crate::error::UserError;
use crate::oracle::command::quoted;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::executor::Limit;
use crate::oracle::{Contents, Fault, NamedFile, Test, Verdict};
use crate::platform::FileKind;
use lopper_engine::flicker::{Decision, Rates, Tally};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of runs that must accept an empty or a trivial file, unless the test is known to flicker.
const BORING_RUNS: u32 = 3;

/// The number of runs from which Lopper learns how the original fails.
const LEARNING: usize = 3;

/// The number of lines of the command's output that are shown if they do not tell how it fails.
const SAID: usize = 5;

/// How the title of the error begins for a test that does not accept the original.
pub(super) const REFUSED: &str = "the test does not accept the original file";

/// If candidates have to fail as the original does, runs the test's command on the original, and holds the test to
/// what all runs have in common.
///
/// # Errors
/// If the command does not fail, or fails in different ways.
pub(super) fn learn(test: &mut CommandOracle, original: &Contents) -> Result<(), Fault> {
    if !test.plan.has_to_learn() {
        return Ok(());
    }
    let run = || {
        let run = test.run_first_command(original)?;
        match run.status {
            Ok(_) => Ok((Failure::of(&run, original), run.last_lines(SAID))),
            Err(limit) => Err(Fault::Broken(exceeded(test, limit))),
        }
    };
    let (first, said) = run()?;
    let mut failure = Some(first.clone());
    for _ in 1..LEARNING {
        let (again, _) = run()?;
        failure = failure.and_then(|failure| failure.common(&again));
    }
    let error = match failure {
        Some(failure) if failure.is_one() => {
            test.plan.learn(failure);
            return Ok(());
        }
        Some(_) if first.is_one() => {
            UserError::bad_test("the original does not report the same failure each time")
        }
        Some(_) => UserError::bad_test("nothing tells how the original fails"),
        None => UserError::bad_test("the original does not end in the same way each time"),
    };
    let error = error.fact(format!("at first it {first}"));
    Err(Fault::Broken(
        said.iter()
            .fold(error, |error, line| error.fact(format!("  {line}")))
            .help("say what to look for: --exit-code, --signal, --stderr REGEX, --stdout REGEX"),
    ))
}

/// Runs the test on the original once; returns its judgement.
pub(super) fn accepts(
    test: &CommandOracle,
    file: &Path,
    arguments: &[Arc<Path>],
    original: &Contents,
) -> Result<Judgement, Fault> {
    let first = test.run_and_watch(original)?;
    if first.verdict != Verdict::Interesting {
        return Err(refused(test, file, arguments, original, &first));
    }
    Ok(first)
}

/// The fault of a test that does not accept the original, with a command that copies the input: `file`, or several files
/// of which it is the first.
pub(super) fn refused(
    test: &CommandOracle,
    file: &Path,
    arguments: &[Arc<Path>],
    original: &Contents,
    first: &Judgement,
) -> Fault {
    let shown = |path: &Path| quoted(&path.to_string_lossy());
    let copy = match arguments {
        [_] if file.is_dir() => format!("cp -R {} \"$d\"", shown(file)),
        [_] => format!("cp {} \"$d\"", shown(file)),
        several => {
            let depth = several.first().map_or(0, |first| first.components().count());
            let above = file.ancestors().nth(depth).filter(|above| *above != Path::new(""));
            let names = several.iter().map(|name| shown(name)).collect::<Vec<_>>().join(" ");
            let copy = format!("cp --parents {names} \"$d\"");
            above.map_or_else(|| copy.clone(), |above| format!("(cd {} && {copy})", shown(above)))
        }
    };
    let paths: Vec<PathBuf> = match arguments {
        [_] => vec![file.file_name().unwrap_or(OsStr::new("input")).into()],
        several => several.iter().map(|path| path.to_path_buf()).collect(),
    };
    let command = test.plan.shown(&paths);
    let attempt = || format!("try d=$(mktemp -d) && {copy} && cd \"$d\" && {command}; echo $?");
    explain(test, original, first, attempt).map_or_else(|fault| fault, Fault::Broken)
}

/// The input with nothing in its files.
pub(super) fn emptied(original: &Contents) -> Contents {
    let has_text = |file: &NamedFile| entries::kind(file) != FileKind::Link;
    let emptied = |file: &NamedFile| if has_text(file) { file.with(Vec::new()) } else { file.clone() };
    original.iter().map(emptied).collect()
}

/// What the emptied input is, in words.
pub(super) fn nothing(original: &Contents) -> &'static str {
    if original.len() == 1 { "an empty file" } else { "nothing but empty files" }
}

/// Refuses a test that accepts empty files.
pub(super) fn refuse_empty(
    test: &CommandOracle,
    original: &Contents,
    flicker: Option<Tally>,
    times: &mut Times,
) -> Result<(), Fault> {
    let empty = emptied(original);
    let files = nothing(original);
    if empty == *original || !is_accepted(test, &empty, flicker, times)? {
        return Ok(());
    }
    let error = UserError::bad_test(format!("the test accepts {files}"))
        .fact(format!("it seems to accept anything, so the result would be {files}"))
        .help("make the test look for the failure's own message, not only for an exit code");
    Err(Fault::Broken(error))
}

/// A remark if the test accepts a trivial file of the original's kind, which `may_be` a candidate. Its failure may be
/// just that, so the test is not refused.
pub(super) fn try_trivial(
    test: &CommandOracle,
    original: &Contents,
    may_be: impl Fn(&[u8]) -> bool,
    flicker: Option<Tally>,
    times: &mut Times,
) -> Result<Option<UserError>, Fault> {
    let [file] = &original[..] else { return Ok(None) };
    let text = trivial::program(&file.path).filter(|text| text.len() < file.len() && may_be(text.as_bytes()));
    let Some(text) = text else { return Ok(None) };
    if !is_accepted(test, &vec![file.with(text.as_bytes().to_vec())], flicker, times)? {
        return Ok(None);
    }
    Ok(Some(
        UserError::bad_test("the test accepts a trivial file")
            .fact(format!("it is: {}", text.trim_end()))
            .help("if that does not show the failure, make the test look for the failure's own message"),
    ))
}

/// Whether the test accepts a candidate that should be boring each time or, if it flickers, about as often as the
/// original.
fn is_accepted(
    test: &CommandOracle,
    candidate: &Contents,
    flicker: Option<Tally>,
    times: &mut Times,
) -> Result<bool, Fault> {
    let mut tally = Tally::default();
    loop {
        let (verdict, time) = timed(test, candidate)?;
        times.add_trivial(time, verdict);
        tally = tally.plus(Tally::once(verdict == Verdict::Interesting));
        match flicker.map(|original| Rates::new(original, Tally::default()).decide(tally)) {
            None if tally.accepted < tally.runs => return Ok(false),
            None if tally.runs == BORING_RUNS => return Ok(true),
            None | Some(Decision::Open) => {}
            Some(decision) => return Ok(decision != Decision::Boring),
        }
    }
}

fn flaky() -> UserError {
    UserError::bad_test("the test does not give the same answer twice")
        .fact("in two consecutive runs, it accepted the original file once and rejected it once")
        .help("make the test retry until the failure shows, or fix the seeds of its random numbers")
}

/// The error for a test that reaches a limit on the original.
pub(super) fn exceeded(test: &CommandOracle, limit: Limit) -> UserError {
    match limit {
        Limit::Time => {
            let (seconds, more) = (test.limit.as_secs_f64(), (test.limit * 10).as_secs_f64());
            UserError::bad_test("the test takes too long")
                .fact(format!("it was stopped after {seconds} s"))
                .help(format!("--timeout {more} gives it more time"))
        }
        Limit::Memory => {
            let bytes = test.memory.unwrap_or(0);
            UserError::bad_test("the test takes too much memory")
                .fact(format!("it was stopped when it held more than {}", shown(bytes)))
                .help(format!("--memory-limit {} gives more to each of the --jobs", shown(bytes * 4)))
        }
    }
}

/// The error for a test that does not accept the original. `attempt` is the command to try.
pub(super) fn explain(
    test: &CommandOracle,
    original: &Contents,
    first: &Judgement,
    attempt: impl FnOnce() -> String,
) -> Result<UserError, Fault> {
    let status = match first.run.status {
        Ok(status) => status,
        Err(limit) => return Ok(exceeded(test, limit).help(attempt())),
    };
    if test.run(0, original)? == Verdict::Interesting {
        return Ok(flaky().help(attempt()));
    }
    let cannot_tell = first.verdict == Verdict::Invalid;
    let title = if cannot_tell { format!("{REFUSED}: it cannot tell") } else { REFUSED.to_owned() };
    let unmet = first.unmet.as_ref().filter(|_| !test.plan.is_plain());
    let mut error = UserError::bad_test(title).fact(match status.code() {
        _ if let Some(unmet) = unmet => unmet.clone(),
        Some(code) if cannot_tell => format!(
            "it ended with exit code {code}, which means that it cannot tell whether the failure is there"
        ),
        Some(code) => format!("it ended with exit code {code}; 0 would mean that the failure is there"),
        None => format!("it was ended by a signal ({status})"),
    });
    let lines = first.run.last_lines(10);
    if !lines.is_empty() {
        error = error.fact("its output:");
    }
    error = lines.iter().fold(error, |error, line| error.fact(format!("  {line}")));
    if cannot_tell {
        error = error.help("a tool that the test needs may be missing, or may reject the file");
    }
    // The test is never run on the user's own file, to see whether it accepts that: it may remove all files
    // that it finds.
    Ok(error
        .help(attempt())
        .help("the test runs in an empty folder that holds only a copy of the input: use absolute paths for everything else"))
}
