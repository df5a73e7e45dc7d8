//! The command line of `lopper generalize`.

use crate::cli::conditions::Conditions;
use crate::cli::given::refuse_overwriting;
use crate::cli::language::Choice;
use crate::cli::limits::Limits;
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::oracle::Verdict;
use crate::output::is_same_file;
use clap::{Parser, ValueEnum};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The forms of the command line.
pub(super) const USAGE: &str = "usage: lopper generalize TEST FILE..., or lopper generalize FILE... -- COMMAND {}, or lopper generalize --server COMMAND FILE...";

/// Finds which parts of FILE may vary without losing the failure
///
/// Reduces FILE first, then puts random texts into every part of the result, and prints a pattern: the parts that have
/// to stay, and holes such as `<expression>` for those that may be anything of that sort. TEST is as for `lopper
/// reduce`; exit code 125 means that a text is not valid and says nothing. Of several FILEs each gets its own pattern, in
/// turn; the others stay as they are. A folder may stand for FILE if one file in it has a text, as in most results of
/// `lopper reduce TEST FOLDER`.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("max_tests", |arg| arg.help(
        "Stop a reduction after N runs, and generalize its result; --budget limits the runs after it")),
    override_usage = "lopper generalize [OPTIONS] TEST FILE...\n       lopper generalize [OPTIONS] FILE... -- COMMAND...\n       lopper generalize [OPTIONS] --server COMMAND FILE...",
    after_help = "Exit codes: 0 a pattern was printed; 1 a bug in Lopper; 2 usage or files; 3 the test cannot be used; \
                  130 interrupted (the pattern so far is printed)."
)]
pub(in crate::cli) struct Arguments {
    /// The test and the files; or only the files, if a COMMAND follows
    #[arg(value_name = "[TEST] FILE", required = true, num_args = 1.., hide_short_help = true)]
    pub(super) paths: Vec<PathBuf>,
    /// A command to run as the test; `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND", hide_short_help = true)]
    pub(super) command: Vec<OsString>,
    /// FILE reduced by an earlier run: it is not reduced again; once for each FILE, in the same order
    #[arg(long, value_name = "FILE")]
    pub(super) reduced: Vec<PathBuf>,
    /// Take fragments of this file, too
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub(super) from: Vec<PathBuf>,
    /// A command that accepts valid texts, or `none`; what it rejects is not counted
    ///
    /// The default is a syntax check by the language's own compiler or interpreter, if it accepts the reduced FILE.
    #[arg(long, value_name = "COMMAND")]
    pub(super) require: Option<String>,
    /// Seed of the random numbers; the same seed gives the same pattern
    #[arg(long, hide_short_help = true, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// Runs of the test after the reduction, at most
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 2000)]
    pub(super) budget: usize,
    /// Number of fresh instances on which the rate is measured
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 100)]
    pub(super) instances: usize,
    /// Make holes narrower until this share of the instances fails
    #[arg(long, hide_short_help = true, value_name = "RATE", default_value_t = 0.9)]
    pub(super) min_rate: f64,
    /// The confidence of the bounds
    #[arg(long, hide_short_help = true, value_name = "C", default_value_t = 0.95)]
    pub(super) confidence: f64,
    /// Continue a run that was stopped, or start a new one
    #[arg(long)]
    pub(super) resume: bool,
    /// Tell which alternatives of the grammar can fail in each part that must stay
    ///
    /// N texts of each are tried; the default is 10.
    #[arg(long, hide_short_help = true, value_name = "N", requires = "grammar", num_args = 0..=1, default_missing_value = "10")]
    pub(super) constructors: Option<usize>,
    /// Find an excerpt of FILE, too, that fails without being rewritten
    ///
    /// With it, `lopper match` finds the pattern in programs that were not reduced. It takes up to as many runs again as the
    /// reduction took, and a quarter of --budget.
    #[arg(long, hide_short_help = true, conflicts_with = "grammar")]
    pub(super) excerpt: bool,
    /// The verdict on a text whose run exceeds the time limit
    #[arg(long, hide_short_help = true, value_name = "WHAT", value_enum, default_value_t = TimedOutAs::Failed)]
    pub(super) timeout_as: TimedOutAs,
    /// Write the pattern to this file, in JSON
    ///
    /// Of several FILEs, the patterns are written to NAME.json in this folder.
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write a page with instances to this file, in HTML
    ///
    /// It has counterexamples, too. Of several FILEs, the pages are written to NAME.html in this folder.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: Limits,
    #[command(flatten)]
    pub(super) language: Choice,
    #[command(flatten)]
    pub(super) conditions: Conditions,
}

/// A command line of nothing but the arguments.
#[derive(clap::Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: Arguments,
}

impl Arguments {
    /// The defaults, with these options.
    pub(in crate::cli) fn with(resume: bool, excerpt: bool, limits: Limits, language: Choice) -> Self {
        Self {
            resume,
            excerpt,
            limits,
            language,
            ..CommandLine::parse_from(["generalize", "FILE"]).arguments
        }
    }

    /// Refuses rates that are none, and reduced files of nothing.
    pub(super) fn refuse_nonsense(&self, files: usize) -> Result<(), UserError> {
        if !(0.0..1.0).contains(&self.min_rate) || !(0.0..1.0).contains(&self.confidence) {
            return Err(UserError::usage("a rate and a confidence are numbers from 0 to less than 1"));
        }
        if !self.reduced.is_empty() && self.reduced.len() != files {
            return Err(UserError::usage("there must be as many reduced files as files")
                .fact(format!("--reduced names {}, but there are {files}", self.reduced.len())));
        }
        Ok(())
    }

    /// Where the patterns of these files are written. The folders for those of several files are made.
    ///
    /// # Errors
    /// If a folder cannot be made.
    pub(super) fn outputs(&self, files: &[PathBuf]) -> Result<Vec<Outputs>, UserError> {
        if let [_] = files {
            return Ok(vec![Outputs { json: self.json.clone(), html: self.html.clone(), page: None }]);
        }
        for folder in self.json.iter().chain(&self.html) {
            fs::create_dir_all(folder).map_err(|error| {
                UserError::usage(format!("the folder '{}' cannot be made", folder.display()))
                    .fact(error.to_string())
                    .help("several files have several patterns: --json and --html name folders for them")
            })?;
        }
        let within = |folder: &Option<PathBuf>, file: &Path, extension: &str| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            folder.as_ref().map(|folder| folder.join(format!("{name}.{extension}")))
        };
        let outputs = |file: &PathBuf| Outputs {
            json: within(&self.json, file, "json"),
            html: within(&self.html, file, "html"),
            page: None,
        };
        Ok(files.iter().map(outputs).collect())
    }
}

/// Where what is known of the pattern of a file is written.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Outputs {
    pub(super) json: Option<PathBuf>,
    pub(super) html: Option<PathBuf>,
    /// The page about the reduction, to which the pattern is added.
    pub(super) page: Option<PathBuf>,
}

impl Outputs {
    /// Those of a reduction with this page.
    pub(in crate::cli) fn of_reduction(page: Option<PathBuf>) -> Self {
        Self { page, ..Self::default() }
    }
}

/// What a run over the time limit says.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum TimedOutAs {
    /// The failure is not there
    Failed,
    /// The text is not valid
    Invalid,
}

impl TimedOutAs {
    pub(super) fn verdict(self) -> Verdict {
        match self {
            Self::Failed => Verdict::Boring,
            Self::Invalid => Verdict::Invalid,
        }
    }
}

/// Refuses to write where the files are that are read.
pub(super) fn refuse_other_uses(
    arguments: &Arguments,
    plan: &TestPlan,
    files: &[PathBuf],
    outputs: &[Outputs],
) -> Result<(), UserError> {
    let all = outputs.iter().flat_map(|to| [(&to.json, "--json"), (&to.html, "--html")]);
    for (output, option) in all.filter_map(|(path, option)| Some((path.as_ref()?, option))) {
        refuse_overwriting(output, plan, arguments.language.grammar(), option)?;
        let mut read = arguments.from.iter().chain(&arguments.reduced).chain(files);
        if read.any(|path| is_same_file(path, output)) {
            return Err(UserError::usage("the output is an input")
                .fact(format!("'{}' would be overwritten", output.display()))
                .help(format!("choose another path with {option}")));
        }
    }
    Ok(())
}
