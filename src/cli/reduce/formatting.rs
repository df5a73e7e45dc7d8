//! The layout of the result, once nothing more is tried: the usual one, or that of a command of the user's (`--format`).

use crate::cli::given::words;
use crate::error::UserError;
use crate::files;
use crate::oracle::command::TestCommand;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::executor::{Limit, Run};
use crate::oracle::ground::Ground;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::{Contents, Fault, NamedFile, Repeated, Test, Verdict, local};
use crate::platform::executable;
use crate::report;
use lopper_engine::contents::base_of;
use lopper_engine::flicker::Tally;
use lopper_languages::edit::FileId;
use lopper_languages::text::TEXT;
use lopper_languages::{Language, Parsed};
use lopper_passes::{Base, laid_out};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The word of `--format` for a result that keeps its layout.
pub(super) const NONE: &str = "none";

/// The time limit, unless the user has named one for the test.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs a command on the file `$0` as its standard input; `$1` gets the output.
const THROUGH: &str = "out=$1; shift; exec \"$@\" <\"$0\" >\"$out\"";
/// Runs a command that changes the file `$0`; `$1` gets what the file holds then.
const IN_PLACE: &str = "out=$1; shift; \"$@\" || exit; exec cat <\"$0\" >\"$out\"";

/// What lays out the result.
#[derive(Debug)]
pub(super) enum Formatter {
    /// Lopper itself.
    Usual,
    /// A command of the user's.
    Command(FormatCommand),
}

/// A formatter of the user's.
#[derive(Debug)]
pub(super) struct FormatCommand {
    /// The absolute path of the program, and its arguments.
    words: Vec<OsString>,
    /// Whether the command changes a file whose path stands in the place of `{}`.
    is_in_place: bool,
}

/// What a formatter may use.
pub(super) struct Means<'a> {
    /// A folder for its output, to which only we may write.
    pub(super) folder: &'a Path,
    pub(super) timeout: Option<Duration>,
    pub(super) memory: Option<u64>,
    pub(super) interrupt: &'a Interrupt,
}

impl Formatter {
    /// Reads the value of the option; `None` if the result keeps its layout.
    ///
    /// # Errors
    /// If it is no command, or there is no such program.
    pub(super) fn read(command: &str) -> Result<Option<Self>, UserError> {
        if command == NONE {
            return Ok(None);
        }
        let mut words = words(command)?;
        let found = TestCommand::line(&words).map_err(|why| {
            let shown = words[0].to_string_lossy();
            let error = UserError::usage(format!("the formatter '{shown}' cannot be started"));
            let error = why.facts.into_iter().fold(error, UserError::fact);
            error.help("--format takes a command such as 'clang-format' or 'black -q -', or none")
        })?;
        let is_in_place = words[1..].iter().any(|word| word.to_string_lossy().contains("{}"));
        words[0] = found.program.into();
        Ok(Some(Self::Command(FormatCommand { words, is_in_place })))
    }

    /// The program with those files laid out that differ from the original's; of several files, those in a language that
    /// Lopper knows. A line for each file that stays as it is, because the formatter failed.
    pub(super) fn format(
        &self,
        program: &Contents,
        original: &Base,
        means: &Means,
    ) -> (Contents, Vec<String>) {
        let base = base_of(program, original);
        let is_original = |file: &NamedFile| {
            original.files.iter().any(|old| old.path == file.path && old.text == file.content)
        };
        let mut failures = Vec::new();
        let mut format = |(id, (file, parsed)): (FileId, (&NamedFile, &Arc<Parsed>))| {
            let is_known = !original.is_of_several() || parsed.language.name() != TEXT.name();
            // After Ctrl-C, one line is enough.
            let is_stopped = means.interrupt.is_raised() && !failures.is_empty();
            if is_stopped || !is_known || !parsed.is_regular() || file.is_empty() || is_original(file) {
                return file.clone();
            }
            let command = match self {
                Self::Usual => {
                    return laid_out(&base, id).map_or_else(|| file.clone(), |text| file.with(text));
                }
                Self::Command(command) => command,
            };
            match command.output(file, means) {
                Ok(text) => file.with(text),
                Err(why) => {
                    failures.push(format!("'{}' is not formatted: {why}", file.path.display()));
                    file.clone()
                }
            }
        };
        ((0..).zip(program.iter().zip(&base.files)).map(&mut format).collect(), failures)
    }
}

impl FormatCommand {
    /// What the formatter makes of a file, or why that cannot be used.
    fn output(&self, file: &NamedFile, means: &Means) -> Result<Vec<u8>, String> {
        let said = |error: UserError| error.title;
        let out =
            files::stage(means.folder, OsStr::new("formatted"), b"", None).map_err(|e| e.to_string())?;
        let script = if self.is_in_place { IN_PLACE } else { THROUGH };
        let shell = ["sh", "-c", script, "{}"].into_iter().map(OsString::from);
        let line: Vec<OsString> =
            shell.chain([out.path().into()]).chain(self.words.iter().cloned()).collect();
        let command = TestCommand::line(&line).map_err(said)?;
        let (commands, paths) = ([command.clone()], [Arc::clone(&file.path)]);
        let (interrupt, helper) = (means.interrupt.clone(), Some(executable()));
        let executor = local::executor(&commands, &paths, 1, interrupt, helper, Ground::default());
        let limit = means.timeout.unwrap_or(LIMIT);
        let mut oracle = CommandOracle::on(executor.map_err(said)?, command.into(), limit);
        oracle.memory = means.memory;
        // With the usual permissions, so that the formatter may write to it.
        let run = oracle.run_first_command(&vec![NamedFile::new(&file.path, file.to_vec())]);
        let left = oracle.close();
        if !left.is_empty() {
            let begin = "the formatter left something that could not be removed".to_owned();
            report::remark(&left.iter().fold(begin, |text, line| text + "\n  " + line));
        }
        match run {
            Err(Fault::Broken(error)) => Err(error.title),
            Err(Fault::Interrupted | Fault::Cancelled) => Err("the formatter was stopped".to_owned()),
            Ok(run) => {
                refuse_failed(&run, limit)?;
                let text = fs::read(out.path()).map_err(|e| e.to_string())?;
                if text.is_empty() { Err("the formatter printed nothing".to_owned()) } else { Ok(text) }
            }
        }
    }
}

/// Why the output of a run cannot be used, if it cannot.
fn refuse_failed(run: &Run, limit: Duration) -> Result<(), String> {
    match run.status {
        Err(Limit::Time) => Err(format!("the formatter did not end within {} s", limit.as_secs_f64())),
        Err(Limit::Memory) => {
            Err("the formatter needs more memory than a run of the test may use".to_owned())
        }
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            let line = run.last_lines(1).pop().filter(|line| !line.is_empty());
            let line = line.map_or_else(String::new, |line| format!(": {line}"));
            Err(format!("the formatter failed with {status}{line}"))
        }
    }
}

/// The test on a final result, which may need several runs.
struct Final<'a>(&'a CommandOracle, Duration);

impl Test for Final<'_> {
    fn run(&self, _worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.0.run_in_the_end(candidate, self.1)
    }
}

/// Whether the test accepts a program in its new layout; one that flickers, which has accepted the original so often, is
/// asked until its answer is certain.
///
/// # Errors
/// If there is no answer.
pub(super) fn is_accepted(
    test: &CommandOracle,
    limit: Duration,
    flicker: Option<Tally>,
    formatted: &Contents,
) -> Result<bool, Fault> {
    let verdict = Repeated::new(&Final(test, limit), flicker).run(0, formatted)?;
    Ok(verdict == Verdict::Interesting)
}
