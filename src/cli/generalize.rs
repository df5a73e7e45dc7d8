//! `lopper generalize`: finds the circumstances under which a file fails.

use super::Exit;
use super::check;
use super::given::{file_name, read, refuse_overwriting, test_and_file};
use super::language::Choice;
use super::limits::Limits;
use super::signals::catch_signals;
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::generalization::{Required, generalize};
use crate::oracle::command::TestCommand;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::{Contents, Fault, NamedFile, Test, Verdict};
use crate::output::{Output, Target, is_same_file};
use crate::reduce;
use crate::report;
use crate::run::{End, Options};
use clap::ValueEnum;
use lopper_languages::grammar::Parser;
use lopper_languages::{Language, Parsed};
use lopper_passes::Base;
use lopper_patterns::{Generalizing, Names, Pattern};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The forms of the command line.
const USAGE: &str = "usage: lopper generalize TEST FILE, or lopper generalize FILE -- COMMAND {}";

/// Finds which parts of FILE may vary without losing the failure
///
/// Reduces FILE first, then puts random texts into every part of the result, and prints a pattern: the parts that have
/// to stay, and holes such as `<expression>` for those that may be anything of that sort. TEST is as for `lopper
/// reduce`; exit code 125 means that a text is not valid and says nothing.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "lopper generalize [OPTIONS] TEST FILE\n       lopper generalize [OPTIONS] FILE -- COMMAND...",
    after_help = "Exit codes: 0 a pattern was printed; 1 a bug in Lopper; 2 usage or files; 3 the test cannot be used; \
                  130 interrupted (the pattern so far is printed)."
)]
pub(super) struct Arguments {
    /// The test and the file; or only the file, if a COMMAND follows
    #[arg(value_name = "[TEST] FILE", required = true, num_args = 1..=2)]
    paths: Vec<PathBuf>,
    /// A command to run as the test; `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// FILE reduced by an earlier run: it is not reduced again
    #[arg(long, value_name = "FILE")]
    reduced: Option<PathBuf>,
    /// Take fragments of this file, too
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// A command that accepts valid texts; what it rejects is not counted [default: a syntax check by the language's
    /// own compiler or interpreter, if it accepts the reduced FILE; `none` for none]
    #[arg(long, value_name = "COMMAND")]
    require: Option<String>,
    /// Seed of the random numbers; the same seed gives the same pattern
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Runs of the test after the reduction, at most
    #[arg(long, value_name = "N", default_value_t = 2000)]
    budget: usize,
    /// Number of fresh instances on which the rate is measured
    #[arg(long, value_name = "N", default_value_t = 100)]
    instances: usize,
    /// Make holes narrower until this share of the instances fails
    #[arg(long, value_name = "RATE", default_value_t = 0.9)]
    min_rate: f64,
    /// The confidence of the bounds
    #[arg(long, value_name = "C", default_value_t = 0.95)]
    confidence: f64,
    /// The verdict on a text whose run exceeds the time limit
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = TimedOutAs::Failed)]
    timeout_as: TimedOutAs,
    /// Write the pattern to this file, in JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a page to this file, in HTML: each hole with instances and counterexamples
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    language: Choice,
}

/// What a run over the time limit says.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TimedOutAs {
    /// The failure is not there
    Failed,
    /// The text is not valid
    Invalid,
}

/// The syntax check of a language, if Lopper knows one.
fn syntax_check(language: &str) -> Option<&'static [&'static str]> {
    const PYTHON: &str =
        "import sys; compile(open(sys.argv[1], 'rb').read(), 'f', 'exec', dont_inherit=True)";
    match language {
        "c" => Some(&["cc", "-w", "-fsyntax-only", "{}"]),
        "python" => Some(&["python3", "-I", "-S", "-c", PYTHON, "{}"]),
        _ => None,
    }
}

/// Reduces, generalizes, and prints the pattern.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    if !(0.0..1.0).contains(&arguments.min_rate) || !(0.0..1.0).contains(&arguments.confidence) {
        return Err(UserError::usage("a rate and a confidence are numbers from 0 to less than 1"));
    }
    let start = Instant::now();
    let (command, file) = test_and_file(&arguments.paths, &arguments.command, "generalize", USAGE)?;
    let plan = command.into();
    refuse_other_uses(arguments, &plan, &file)?;
    let name = file_name(&file)?;
    let parser = arguments.language.parser()?;
    let language: &'static dyn Language = match parser {
        Some(parser) => parser,
        None => arguments.language.named(&name)?,
    };
    let original: Contents = vec![NamedFile::new(&name, read(&file)?)];
    Choice::refuse_rejected(parser, &original[0])?;
    let interrupt = catch_signals()?;
    let options = arguments.limits.options(start, &interrupt)?;
    let mut test = arguments.limits.test(plan, &[Arc::clone(&original[0].path)], &options, &interrupt)?;
    let work =
        Work { arguments, language, parser, original: &original, options: &options, interrupt: &interrupt };
    let ended = work.first_run(&mut test, &file).and_then(|()| work.run(&test, start));
    let left = test.close();
    match ended {
        Ok(exit) => {
            if !left.is_empty() {
                report::remark(&super::left_behind(&left));
            }
            Ok(exit)
        }
        Err(Fault::Interrupted | Fault::Cancelled) => Ok(Exit::Interrupted),
        Err(Fault::Broken(error)) => Err(super::with_left_behind(error, &left)),
    }
}

/// The state of a generalization.
struct Work<'a> {
    arguments: &'a Arguments,
    language: &'static dyn Language,
    parser: Option<&'static Parser>,
    original: &'a Contents,
    options: &'a Options,
    interrupt: &'a Interrupt,
}

impl Work<'_> {
    fn first_run(&self, test: &mut CommandOracle, file: &Path) -> Result<(), Fault> {
        let first = check::check(test, file, self.original, self.parser.is_none())?;
        test.limit = self.arguments.limits.run(first.time);
        test.deadline = self.options.deadline;
        Ok(())
    }

    fn run(&self, test: &CommandOracle, start: Instant) -> Result<Exit, Fault> {
        let reduced = self.reduced(test)?;
        let check = self.syntax_check(&reduced)?;
        let required = check.as_ref().map(|check| Required { test, check });
        let asked: &dyn Test = required.as_ref().map_or(test, |required| required);
        let mut search = self.search(&reduced).map_err(Fault::Broken)?;
        let mut listener = report::runs(self.arguments.limits.verbosity());
        let options = Options { max_tests: None, ..self.options.clone() };
        let (end, stats) = generalize(&mut search, &reduced, asked, &options, &mut listener);
        if let Some(check) = check {
            check.close();
        }
        if let End::Broken(error) = end {
            return Err(Fault::Broken(error));
        }
        match end {
            End::Interrupted => report::remark("interrupted: the pattern is what was known by then"),
            End::Time => report::remark("the time is over: the pattern is what was known by then"),
            _ => {}
        }
        let pattern = search.pattern();
        self.tell(&pattern, &report::effort(&stats, start.elapsed())).map_err(Fault::Broken)?;
        Ok(if matches!(end, End::Interrupted) { Exit::Interrupted } else { Exit::Reduced })
    }

    /// The reduced file: the one that the user names, or the result of a reduction of the original.
    fn reduced(&self, test: &CommandOracle) -> Result<Contents, Fault> {
        let Some(path) = &self.arguments.reduced else {
            let mut listener = report::runs(self.arguments.limits.verbosity());
            let file = &self.original[0];
            let base = Base {
                files: vec![Arc::new(Parsed::at(Arc::clone(&file.path), self.language, file.to_vec()))],
            };
            let options = Options { stay_in_grammar: self.parser.is_some(), ..self.options.clone() };
            let verdict = reduce::reduce(base, test, &options, &mut listener);
            return match verdict.end {
                End::Broken(error) => Err(Fault::Broken(error)),
                End::Interrupted => Err(Fault::Interrupted),
                _ => Ok(verdict.contents),
            };
        };
        let reduced = vec![self.original[0].with(read(path).map_err(Fault::Broken)?)];
        Choice::refuse_rejected(self.parser, &reduced[0]).map_err(Fault::Broken)?;
        if test.run(0, &reduced)? != Verdict::Interesting {
            let error = UserError::bad_test(format!("the test does not accept '{}'", path.display()));
            return Err(Fault::Broken(error));
        }
        Ok(reduced)
    }

    /// The test that recognises valid texts, if there is one.
    fn syntax_check(&self, reduced: &Contents) -> Result<Option<CommandOracle>, Fault> {
        let words: Vec<OsString> = match self.arguments.require.as_deref() {
            Some("none") => return Ok(None),
            Some(command) => command.split_whitespace().map(OsString::from).collect(),
            None => {
                let known = syntax_check(self.language.name()).unwrap_or_default();
                known.iter().map(OsString::from).collect()
            }
        };
        if words.is_empty() {
            return Ok(None);
        }
        let is_wanted = self.arguments.require.is_some();
        let command = match TestCommand::line(&words) {
            Ok(command) => command,
            Err(error) if is_wanted => return Err(Fault::Broken(error)),
            // The compiler of the language is not installed.
            Err(_) => return Ok(None),
        };
        let limits = &self.arguments.limits;
        let arguments = [Arc::clone(&reduced[0].path)];
        let check = limits.test(command.into(), &arguments, self.options, self.interrupt);
        let mut check = check.map_err(Fault::Broken)?;
        check.limit = Duration::from_secs(10);
        if check.run(0, reduced)? == Verdict::Interesting {
            return Ok(Some(check));
        }
        check.close();
        if is_wanted {
            let error = UserError::bad_test("the command of --require rejects the reduced file");
            return Err(Fault::Broken(error));
        }
        report::remark("the usual syntax check rejects the reduced file, and is not used: see --require");
        Ok(None)
    }

    fn search(&self, reduced: &Contents) -> Result<Generalizing, UserError> {
        let arguments = self.arguments;
        let base = match self.parser {
            Some(_) => lopper_patterns::Options::published(arguments.seed),
            None => lopper_patterns::Options::thrifty(arguments.seed),
        };
        let options = lopper_patterns::Options {
            timed_out_as: match arguments.timeout_as {
                TimedOutAs::Failed => Verdict::Boring,
                TimedOutAs::Invalid => Verdict::Invalid,
            },
            most_runs: arguments.budget,
            instances: arguments.instances,
            min_rate: arguments.min_rate,
            confidence: arguments.confidence,
            enough: lopper_patterns::rate::trials_for(arguments.min_rate, arguments.confidence),
            ..base
        };
        let text = reduced[0].to_vec();
        if let Some(parser) = self.parser {
            let example = Parsed::new(parser.derivation_trees(), text);
            let search = Generalizing::of_grammar(&example, options);
            return search.map_err(|error| UserError::usage(error.to_string()));
        }
        let mut files = vec![Parsed::new(self.language, self.original[0].to_vec())];
        for path in &arguments.from {
            files.push(Parsed::new(self.language, read(path)?));
        }
        let example = Parsed::new(self.language, text);
        Ok(Generalizing::of_source(&example, &files.iter().collect::<Vec<_>>(), options))
    }

    fn tell(&self, pattern: &Pattern, effort: &str) -> Result<(), UserError> {
        let names = self.parser.map_or_else(Names::of_roles, |p| Names::of_grammar(p.grammar()));
        let text = String::from_utf8_lossy(&pattern.to_text(&names)).into_owned();
        let end = if text.ends_with('\n') { "" } else { "\n" };
        report::answer(&format!("{text}{end}"))?;
        if !self.arguments.limits.quiet {
            report::remark(&format!("{}\n{effort}", report::circumstances(pattern)));
        }
        if let Some(path) = &self.arguments.json {
            let json = pattern.to_json(&names).map_err(|error| UserError::usage(error.to_string()))?;
            write(path, json.as_bytes())?;
        }
        if let Some(path) = &self.arguments.html {
            let title = format!("When {} fails", self.original[0].path.display());
            write(path, pattern.to_html(&title, &names).as_bytes())?;
        }
        Ok(())
    }
}

/// Refuses to write where the files are that are read.
fn refuse_other_uses(arguments: &Arguments, plan: &TestPlan, file: &Path) -> Result<(), UserError> {
    let outputs = [(&arguments.json, "--json"), (&arguments.html, "--html")];
    for (output, option) in outputs.into_iter().filter_map(|(path, option)| Some((path.as_ref()?, option))) {
        refuse_overwriting(output, plan, arguments.language.grammar(), option)?;
        let mut read = arguments.from.iter().chain(&arguments.reduced).map(PathBuf::as_path).chain([file]);
        if read.any(|path| is_same_file(path, output)) {
            return Err(UserError::usage("the output is an input")
                .fact(format!("'{}' would be overwritten", output.display()))
                .help(format!("choose another path with {option}")));
        }
    }
    Ok(())
}

/// Writes a file, in one step unless it is a stream.
fn write(path: &Path, content: &[u8]) -> Result<(), UserError> {
    match Target::of(path) {
        Target::File(path) => Output::new(path).replace(content),
        Target::Stream(_) => fs::write(path, content).map_err(|error| {
            UserError::usage(format!("'{}' cannot be written", path.display())).fact(error.to_string())
        }),
    }
}
