//! `lopper isolate`: finds a minimal failing input, a maximal passing one, or the least difference between
//! the two.

mod answer;
mod course;
mod inputs;
mod results;

use super::conditions::{Conditions, RequireOptions};
use super::language::Choice;
use super::limits::Limits;
use super::signals::catch_signals;
use super::{Exit, check, flicker};
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::isolation::{Isolation, Task, isolate};
use crate::journal::Session;
use crate::looks::Looks;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::ground::Ground;
use crate::oracle::watch::Watch;
use crate::oracle::{Contents, Fault, Repeated, Test, Verdict};
use crate::reducer::measure;
use crate::report;
use crate::run::{End, Event, Options, Stats};
use answer::{answer, ending};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use course::{Course, differing};
use inputs::{Input, input};
use lopper_engine::flicker::Tally;
use lopper_engine::isolate::inputs::{Made, Variant, all, files};
use lopper_engine::isolate::{By, Goal, Obstacle, Outcome};
use results::Places;
use std::cell::Cell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The forms of the command line.
const USAGE: &str = "usage: lopper isolate TEST FILE..., or lopper isolate FILE... -- COMMAND {}, or lopper isolate --server COMMAND FILE...";

/// Isolates the part of FILE that makes it fail
///
/// Finds a failing input that is as small as possible (min), a passing input that is as large as possible
/// (max), or a passing and a failing input that differ as little as possible (diff). TEST is a program that
/// exits with code 0 if the failure is there, as for `lopper reduce`, and with 125 if it cannot tell. Any
/// other exit means that the input passes; a run that exceeds a limit counts as neither. If there are several
/// FILEs, TEST gets all their paths.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "lopper isolate [OPTIONS] TEST FILE...\n       lopper isolate [OPTIONS] FILE... -- COMMAND...\n       lopper isolate [OPTIONS] --server COMMAND FILE...",
    after_help = "Exit codes: 0 isolated, or a limit on tests or time was reached; 1 a bug in Lopper; 2 usage or files; \
                  3 the test does not fail or pass as it should; 130 interrupted (the best inputs so far are kept)."
)]
pub(super) struct Arguments {
    /// The test and the failing files; or only the files, if a COMMAND follows; with --by files, a folder
    #[arg(value_name = "[TEST] FILE", required = true, hide_short_help = true)]
    paths: Vec<PathBuf>,
    /// A command to run as the test; `{}` stands for the candidate's paths
    #[arg(last = true, value_name = "COMMAND", hide_short_help = true)]
    command: Vec<OsString>,
    /// What to look for: min, max or diff
    #[arg(long, value_name = "MODE", default_value = Goal::Diff.name(), value_parser = goal_parser())]
    mode: Goal,
    /// The parts to divide by [default: lines, or files]
    ///
    /// The default is lines, and files for a folder.
    #[arg(long, value_name = "PARTS", value_parser = by_parser())]
    by: Option<By>,
    /// The algorithm; ddmin requires --mode min and one FILE
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = DD, value_parser = variant_parser())]
    search: Variant,
    /// A passing file for each FILE [default: empty]
    ///
    /// They are in the order of the FILEs; for a folder, it is a folder.
    #[arg(long, value_name = "PATH")]
    passing: Vec<PathBuf>,
    /// The folder for the results [default: beside FILE]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Write a page about the results and the run to PATH, in HTML
    #[arg(long, hide_short_help = true, value_name = "PATH")]
    report: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    language: Choice,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    required: RequireOptions,
}

const DD: &str = "dd";
const DDMIN: &str = "ddmin";

fn goal_parser() -> impl TypedValueParser<Value = Goal> {
    let names = Goal::ALL.iter().map(|goal| PossibleValue::new(goal.name()).help(goal.summary()));
    let named = |name: String| Goal::ALL.iter().copied().find(|goal| goal.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| named(name).ok_or("there is no such mode"))
}

fn by_parser() -> impl TypedValueParser<Value = By> {
    let names = By::ALL.iter().map(|by| PossibleValue::new(by.name()).help(by.summary()));
    let named = |name: String| By::ALL.iter().copied().find(|by| by.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| named(name).ok_or("there are no such parts"))
}

fn variant_parser() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new([
        PossibleValue::new(DD)
            .help("tests parts and complements, from the passing and the failing input at once"),
        PossibleValue::new(DDMIN).help("tests complements only, of a single failing input"),
    ])
    .map(|name| if name == DDMIN { Variant::Ddmin } else { Variant::Dd })
}

/// Runs an isolation, from the first run of the test to the answer.
pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, UserError> {
    let start = Instant::now();
    let (plan, paths) = plan_and_files(arguments)?;
    let input = input(arguments, paths)?;
    let interrupt = catch_signals()?;
    let limits = &arguments.limits;
    let options = limits.options(start, &interrupt)?;
    let mut watch = Watch::new(&plan, Vec::new());
    let mut test = limits.test(plan, &input.arguments, Ground::default(), &options, &interrupt)?;
    let (first, mut flicker) = match first_run(&mut test, &input, limits.quiet) {
        Ok(known) => known,
        Err(Fault::Interrupted | Fault::Cancelled) => return Ok(Exit::Interrupted),
        Err(Fault::Broken(error)) => return Err(super::with_left_behind(error, &test.close())),
    };
    if !limits.quiet {
        if !test.plan.is_plain() {
            report::remark(&test.plan.sentence());
        }
        flicker.iter().for_each(|original| report::remark(&report::flickers(*original, false)));
    }
    watch.leave_out_what_changed();
    test.limit = limits.run(first);

    let mut places = Places::new(arguments.output.as_deref(), arguments.mode, &input)?;
    let task = Task { inputs: &input.changes, goal: arguments.mode, variant: arguments.search };
    let mut earlier = Stats::default();
    let (mut steps, runs) = (vec![(0, all(&input.changes).iter().map(Vec::len).sum())], Cell::new(0));
    let (isolation, verified, edited) = loop {
        test.deadline = options.deadline;
        let max_tests = options.max_tests.map(|max| max.saturating_sub(earlier.runs));
        let options = Options { max_tests, ..options.clone() };
        let mut looks = Looks::default();
        let may_look = flicker.is_none().then_some(&mut looks);
        let mut tell = report::runs(limits.verbosity());
        let before = earlier.runs;
        let mut listener = |event: &Event| {
            if let Event::Tested { stats, .. } = event {
                runs.set(before + stats.runs);
            }
            tell(event)
        };
        let asked = Repeated::new(&test, flicker);
        let mut isolation = isolate(&task, &asked, &options, may_look, &mut listener, &mut |best| {
            refuse_edited_test(&mut watch)?;
            steps.push((runs.get(), differing(best)));
            places.save(best)
        });
        test.deadline = None;
        isolation.stats.add(&earlier);
        let edited = refuse_edited_test(&mut watch);
        let verified = verify(&Repeated::new(&test, flicker), &input, arguments.mode, &isolation);
        let is_settled = flicker.is_some() || edited.is_err();
        if is_settled || verified.is_ok() && !looks.has_contradicted() {
            break (isolation, verified, edited);
        }
        // The test flickers. What was found cannot be relied on.
        let measured = measure(&test, &failing(&input)).and_then(|original| {
            let nothing = [vec![Vec::new(); input.changes.len()], all(&input.changes)];
            let saved = if isolation.has_progressed { places.save(&nothing) } else { Ok(()) };
            saved.map_err(Fault::Broken).map(|()| original)
        });
        match measured {
            Ok(original) => {
                if !limits.quiet {
                    report::remark(&report::flickers(original, true));
                }
                (flicker, earlier) = (Some(original), isolation.stats);
            }
            Err(Fault::Interrupted | Fault::Cancelled) => break (isolation, verified, edited),
            Err(Fault::Broken(error)) => break (isolation, Err(error), edited),
        }
    };
    let course = Course { session, start, test: test.plan.sentence(), steps, runs: runs.get() };
    let ended = close(arguments, &input, isolation, places, verified, edited, &course);
    let left = test.close();
    super::remark_unanswered(&test);
    if let Err(error) = ended {
        return Err(super::with_left_behind(error, &left));
    }
    if !left.is_empty() {
        report::remark(&super::left_behind(&left));
    }
    ended
}

/// Writes and prints the results. `verified` is an error if the test does not accept them any more, and `edited` if it was
/// edited.
fn close(
    arguments: &Arguments,
    input: &Input,
    isolation: Isolation,
    mut places: Places,
    verified: Result<(), UserError>,
    edited: Result<(), UserError>,
    course: &Course,
) -> Result<Exit, UserError> {
    let settled = if isolation.has_progressed { places.settle(&isolation.best) } else { Ok(()) };
    // The edit itself may have ended the run.
    match &isolation.end {
        End::Broken(error) if !isolation.has_progressed => {
            let is_passing_one = input.from_passing && input.is_passing_one();
            let error = error.clone();
            return Err(if is_passing_one {
                error.fact("it does not differ from the input that fails")
            } else {
                error
            });
        }
        _ => {}
    }
    if !arguments.limits.quiet {
        let effort = report::effort(&isolation.stats, course.start.elapsed());
        report::remark(&format!("{}\n{effort}", ending(&isolation)));
    }
    let text = answer(input, &places, &isolation);
    course.publish(arguments, input, &isolation, &text);
    report::answer(&text)?;
    match isolation.end {
        // The place of the results matters more than the earlier failure to write them.
        End::Broken(error) => return Err(settled.err().unwrap_or(error)),
        End::Interrupted => return settled.map(|()| Exit::Interrupted),
        End::Fixpoint | End::Tests | End::Time | End::Asked => {}
    }
    settled?;
    edited?;
    verified.map(|()| Exit::Reduced)
}

/// Fails if the test was edited.
fn refuse_edited_test(watch: &mut Watch) -> Result<(), UserError> {
    watch.changed().map_or(Ok(()), |file| {
        Err(UserError::bad_test(format!("'{}' was changed during the run", file.display()))
            .fact("verdicts since then cannot be combined with earlier ones, and are discarded")
            .help("start again with the edited test"))
    })
}

fn plan_and_files(arguments: &Arguments) -> Result<(TestPlan, Vec<PathBuf>), UserError> {
    let Arguments { paths, command, conditions, required, .. } = arguments;
    conditions.plan_and_files(&required.require, paths, command, "isolate", USAGE, usize::MAX)
}

/// The failing inputs.
fn failing(input: &Input) -> Contents {
    files(&input.changes, &all(&input.changes)).unwrap_or_default()
}

/// Runs the test on the failing inputs for the first time; returns the time of the run, and how often a test that
/// flickers accepts them.
fn first_run(
    test: &mut CommandOracle,
    input: &Input,
    quiet: bool,
) -> Result<(Duration, Option<Tally>), Fault> {
    let files = failing(input);
    check::learn(test, &files)?;
    let first = test.run_and_watch(&files)?;
    let (flicker, times) = flicker::compared(test, &files, &first, None)?;
    if first.verdict == Verdict::Interesting || flicker.is_some() {
        // The passing inputs are what the user names, or empty, and the search itself begins with them.
        flicker::try_trivial(test, &files, |_| !input.from_passing, flicker, times, quiet)?;
        return Ok((first.time, flicker));
    }
    let status = first.run.status.map_err(|limit| Fault::Broken(check::exceeded(test, limit)))?;
    let obstacle =
        if first.verdict == Verdict::Invalid { Obstacle::CannotTell } else { Obstacle::NotFailing };
    let mut error = UserError::from(obstacle).fact(format!("the test ended with {status}"));
    error = first.unmet.into_iter().fold(error, UserError::fact);
    for line in first.run.last_lines(10) {
        error = error.fact(format!("  {line}"));
    }
    Err(Fault::Broken(error))
}

/// Runs the test once more on the results.
fn verify(test: &dyn Test, input: &Input, goal: Goal, isolation: &Isolation) -> Result<(), UserError> {
    let Some(isolated) = &isolation.isolated else { return Ok(()) };
    let [passing, failing] = &isolation.best;
    let says = |made: &Made, wanted: Outcome| match files(&input.changes, made) {
        None => Ok(()),
        Some(files) => match test.run(0, &files) {
            Err(Fault::Broken(error)) => Err(error),
            Ok(verdict) if Outcome::from(verdict) != wanted => {
                let title = match wanted {
                    Outcome::Fail => "the failing input no longer fails",
                    _ => "the passing input no longer passes",
                };
                Err(UserError::bad_test(title)
                    .fact(format!(
                        "on the same files, the answer of the test is now: {}",
                        report::said(verdict)
                    ))
                    .help("its answer depends on something besides the files, such as time, load or chance"))
            }
            _ => Ok(()),
        },
    };
    says(failing, Outcome::Fail)?;
    let alone = !isolated.holds_together || isolated.arguments.iter().any(|a| a.obstacle.is_some());
    if goal == Goal::Min || alone { Ok(()) } else { says(passing, Outcome::Pass) }
}
