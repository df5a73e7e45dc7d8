//! `lopper init`: writes a test script for a common situation, and tries it.

mod asking;
mod scripts;

use super::checking::Trial;
use super::input::Input;
use super::limits::Limits;
use super::signals::catch_signals;
use super::{Exit, check, trivial};
use crate::conditions::{Failure, TestPlan};
use crate::entries::Selection;
use crate::error::UserError;
use crate::files;
use crate::journal::Form;
use crate::oracle::command::{TestCommand, quoted};
use crate::oracle::{Fault, Test, Verdict};
use crate::platform;
use crate::report;
use scripts::{Known, Situation};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Writes a test for a common situation, and tries it
///
/// The test is a commented shell script that recognises the failure of FILE. It is tried on FILE as `lopper check`
/// does it: what would it accept by mistake? Without a situation, the questions are asked on the terminal.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 the test was written and can be used; 1 a bug in Lopper; 2 usage or files; \
                        3 the test was written, and has a fault, or nothing recognises the failure."
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    situation: Option<Situation>,
    /// Write the script to PATH
    #[arg(short, long, value_name = "PATH", default_value = "interesting.sh", global = true)]
    output: PathBuf,
    /// Time limit for each tool in the script, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..),
        global = true)]
    seconds: u32,
    #[command(flatten)]
    limits: Limits,
}

/// Writes a script and tries it.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let asked;
    let situation = match &arguments.situation {
        Some(situation) => situation,
        None if std::io::stdin().is_terminal() => {
            asked = asking::situation()?;
            &asked
        }
        None => {
            return Err(UserError::usage("there is no situation").help(
                "name one of crash, wrong-code, refused, pytest, unittest, hang: lopper init crash --help",
            ));
        }
    };
    if files::is_taken(&arguments.output) {
        return Err(UserError::usage(format!("'{}' exists already", arguments.output.display()))
            .help("choose another path with --output"));
    }
    let file = situation.file();
    let files = [file.to_owned()];
    let input = Input::read(&Selection::default(), Form::File, &files, file, Path::to_owned)?;
    let interrupt = catch_signals()?;
    let options = arguments.limits.options(Instant::now(), &interrupt)?;
    let trial = Trial {
        limits: &arguments.limits,
        words: &[],
        plan: TestPlan::without_command(),
        input,
        options,
        interrupt,
    };
    match write_and_try(arguments, situation, trial) {
        Ok(exit) => Ok(exit),
        Err(Fault::Interrupted | Fault::Cancelled) => Ok(Exit::Interrupted),
        Err(Fault::Broken(error)) => Err(error),
    }
}

fn write_and_try(arguments: &Arguments, situation: &Situation, mut trial: Trial) -> Result<Exit, Fault> {
    let failure = match situation.failing_command(&trial.input.original[0].path).map_err(Fault::Broken)? {
        Some(words) => Some(learn(&trial, &words)?),
        None => None,
    };
    let sanitizers = match situation.probe() {
        Some(words) => accepts_trivial(&trial, &words)?,
        None => false,
    };
    let known = Known { failure, has_sanitizers: sanitizers, seconds: arguments.seconds };
    let script = situation.script(&known, &trial.input.original[0].path);
    write(&arguments.output, &script).map_err(Fault::Broken)?;
    let (test, file) = (&arguments.output, situation.file());
    let shown = |path: &Path| quoted(&path.to_string_lossy());
    let test_word = if test.components().count() == 1 { Path::new(".").join(test) } else { test.clone() };
    report::answer(&format!("{}: written\n\n", test.display())).map_err(Fault::Broken)?;
    trial.plan = TestCommand::program(&test_word).map_err(Fault::Broken)?.into();
    let is_usable = trial.run()?;
    let next = match situation.command_line() {
        _ if !is_usable => {
            format!("mend {}, then: lopper check {} {}\n", test.display(), shown(&test_word), shown(file))
        }
        Some(line) => {
            format!("lopper reduce {} {}\nor, without the script:\n{line}\n", shown(&test_word), shown(file))
        }
        None => format!("lopper reduce {} {}\n", shown(&test_word), shown(file)),
    };
    report::answer(&format!("next: {next}")).map_err(Fault::Broken)?;
    Ok(if is_usable { Exit::Reduced } else { Exit::BadTest })
}

/// How a command fails on the original.
fn learn(trial: &Trial, words: &[OsString]) -> Result<Failure, Fault> {
    let plan = TestPlan::from(TestCommand::line(words).map_err(Fault::Broken)?).like_original();
    let mut test = trial.test(&plan)?;
    let learned = check::learn(&mut test, &trial.input.original);
    test.close();
    learned?;
    test.plan.failure().cloned().ok_or_else(|| Fault::Broken(UserError::internal()))
}

/// Whether a command accepts a trivial program.
fn accepts_trivial(trial: &Trial, words: &[OsString]) -> Result<bool, Fault> {
    let text = trivial::program(&trial.input.original[0].path).unwrap_or_default();
    let plan = TestPlan::from(TestCommand::line(words).map_err(Fault::Broken)?);
    let test = trial.test(&plan)?;
    let verdict = test.run(0, &vec![trial.input.original[0].with(text.as_bytes().to_vec())]);
    test.close();
    Ok(verdict? == Verdict::Interesting)
}

/// Writes an executable file that does not exist yet.
fn write(path: &Path, script: &str) -> Result<(), UserError> {
    let unwritable = |e: std::io::Error| {
        UserError::usage(format!("'{}' cannot be written", path.display())).fact(e.to_string())
    };
    files::create(&files::folder_of(path), path, script.as_bytes(), None).map_err(unwritable)?;
    platform::set_mode(path, 0o755).map_err(unwritable)
}
