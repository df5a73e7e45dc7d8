//! The command line of `lopper reduce`.

use super::formatting::NONE;
use super::protection::{Protection, protected};
use super::watching::Watching;
use crate::cli::conditions::{Conditions, RequireOptions};
use crate::cli::executor::ExecutorOptions;
use crate::cli::input::Input;
use crate::cli::language::{Choice, PROGRAM};
use crate::cli::limits::Limits;
use crate::cli::passes::find;
use crate::cli::{AlgorithmChoice, Exit};
use crate::conditions::TestPlan;
use crate::entries::{Selection, globs};
use crate::error::UserError;
use crate::journal::Form;
use crate::oracle::NamedFile;
use crate::oracle::command::quoted;
use crate::oracle::interrupt::Interrupt;
use crate::run::Options;
use crate::search::{Kind, SEARCHES};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lopper_engine::effort::Effort;
use lopper_languages::measure::Goal;
use lopper_passes::{Pass, WHITE_SPACE};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The forms of the command line.
const USAGE: &str = "usage: lopper reduce TEST FILE, or lopper reduce FILE -- COMMAND {}, or lopper reduce --server COMMAND FILE; several \
     files or a folder may stand for FILE";

/// Headings in the help.
const RESULT: &str = "Result";
const FILES: &str = "Several files, or a folder";
const JOURNAL: &str = "Journal";
const SEARCH: &str = "Passes and search";

/// Shrinks FILE to the smallest program that TEST accepts
///
/// TEST is a program that exits with code 0 if the failure is there. It runs in an empty folder that holds
/// only the candidate, under the name of FILE, and gets the candidate's path as its argument. Exit code 125
/// means that it cannot tell; any other code means that the failure is not there. Or TEST is any command, and
/// conditions on its result tell whether the failure is there. FILE itself is not modified, except with
/// --in-place.
///
/// In the place of FILE there may be several files, or a folder: files are deleted, emptied and reduced together. The
/// test gets the path of the folder, or the paths of all files as they are on the command line.
#[derive(Clone, Debug, clap::Args)]
#[command(
    override_usage = "lopper reduce [OPTIONS] TEST FILE...|FOLDER\n       lopper reduce [OPTIONS] FILE -- COMMAND...\n       lopper reduce [OPTIONS] --server COMMAND FILE",
    after_long_help = Exit::help()
)]
pub(in crate::cli) struct Arguments {
    /// The test and the file, the files or the folder; without the test, if a COMMAND follows
    #[arg(value_name = "[TEST] FILE...", required = true, num_args = 1.., hide_short_help = true)]
    paths: Vec<PathBuf>,
    /// A command to run as the test; `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND", hide_short_help = true)]
    command: Vec<OsString>,
    /// Write the result to PATH [default: beside FILE]
    ///
    /// The default is NAME.reduced.EXT beside FILE; for several files and for a folder, it is the folder NAME.reduced.
    #[arg(short, long, help_heading = RESULT, value_name = "PATH", conflicts_with = "in_place")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Replace FILE; FILE.orig keeps the original
    ///
    /// Several files, and those of a folder, are replaced when the run ends; until then, the result is in NAME.reduced.
    #[arg(long, help_heading = RESULT)]
    pub(in crate::cli) in_place: bool,
    /// Leave out what this glob matches below the folder
    ///
    /// It is neither copied nor changed. Version control, caches and object files beside their sources are always left out: .git, __pycache__.
    #[arg(long, hide_short_help = true, help_heading = FILES, value_name = "GLOB")]
    ignore: Vec<String>,
    /// Change only files that this glob matches; the others stay beside every candidate
    #[arg(long, hide_short_help = true, help_heading = FILES, value_name = "GLOB")]
    only: Vec<String>,
    /// Keep the files that this glob matches as they are
    #[arg(long, hide_short_help = true, help_heading = FILES, value_name = "GLOB")]
    keep: Vec<String>,
    /// Continue a run that was stopped, or start a new one
    #[arg(long, help_heading = JOURNAL)]
    pub(in crate::cli) resume: bool,
    /// Reduce a candidate that failed in another way
    ///
    /// SIGNATURE is its number in the list of the run that --resume would continue, or the text that names the failure.
    /// The result is written beside that candidate.
    #[arg(long, hide_short_help = true, help_heading = JOURNAL, value_name = "SIGNATURE", requires = "resume", conflicts_with = "in_place")]
    pub(in crate::cli) follow: Option<String>,
    /// Keep the run folder even when the run is complete
    ///
    /// It is NAME.lopper beside the result.
    #[arg(long, hide_short_help = true, help_heading = JOURNAL)]
    pub(in crate::cli) keep_run: bool,
    #[command(flatten)]
    pub(super) limits: Limits,
    #[command(flatten)]
    pub(super) executor: ExecutorOptions,
    #[command(flatten)]
    pub(super) watching: Watching,
    #[command(flatten)]
    pub(super) language: Choice,
    /// Use only these passes, separated by commas
    #[arg(long, hide_short_help = true, help_heading = SEARCH, value_name = "NAME", value_delimiter = ',')]
    pass: Vec<String>,
    /// Use all passes except these
    #[arg(long, hide_short_help = true, help_heading = SEARCH, value_name = "NAME", value_delimiter = ',',
        conflicts_with = "pass")]
    skip_pass: Vec<String>,
    /// Keep the names of the program: the same as --skip-pass rename
    #[arg(long, hide_short_help = true, help_heading = PROGRAM, conflicts_with_all = ["pass", "algorithm"])]
    keep_names: bool,
    /// Leave a part of FILE as it is: 7, 3-5, or a regex
    ///
    /// PART is a line (7), lines (3-5), or a regular expression. All that the regular expression matches stays byte for byte. The option may be given several times. Lines between
    /// comments with `lopper: keep` and `lopper: end` always stay.
    #[arg(long, help_heading = PROGRAM, value_name = "PART", value_parser = Protection::read)]
    protect: Vec<Protection>,
    /// The search that decides which units of a pass to test together
    #[arg(long, hide_short_help = true, help_heading = SEARCH, value_name = "NAME", default_value = SEARCHES[0].name,
        value_parser = crate::cli::search_parser())]
    search: &'static Kind,
    /// What to make small [default: tokens]
    ///
    /// Of programs that are equal in it, the one with fewer tokens is smaller. With `time`, candidates are refused whose
    /// test takes more than twice as long as that of the fastest program, and tests run one at a time.
    #[arg(long, hide_short_help = true, help_heading = PROGRAM, value_name = "SIZE", default_value = Goal::Tokens.name(), hide_default_value = true,
        value_parser = goal_parser())]
    goal: Goal,
    /// How many runs to spend once no single step helps
    ///
    /// None; at most half as many again, while they help and more than 64 tokens are left; or as many as help.
    #[arg(long, hide_short_help = true, help_heading = PROGRAM, value_name = "EFFORT", default_value = Effort::Normal.name(), value_parser = effort_parser())]
    effort: Effort,
    /// Use a published algorithm instead of passes and search, for comparison
    #[arg(long, hide_short_help = true, help_heading = SEARCH, value_name = "NAME",
        value_parser = crate::cli::algorithm_parser(),
        conflicts_with_all = ["pass", "skip_pass", "search", "goal", "effort"])]
    algorithm: Option<AlgorithmChoice>,
    /// Test only candidates that the grammar accepts; it must accept FILE, too
    #[arg(long, hide_short_help = true, help_heading = SEARCH, requires = "grammar")]
    stay_in_grammar: bool,
    /// The formatter for the result, such as 'clang-format' or 'black -q -'; or none [default: the usual layout]
    ///
    /// It gets the result on its standard input, or in a file whose path takes the place of `{}`, and changes that file. It
    /// runs in an empty folder when the reduction ends. The result stays as it was if the formatter fails or the test refuses
    /// what it makes. The usual layout is that of C, C++, C#, Go, Java, JavaScript, TypeScript, Python, Rust, Scheme and SMT-LIB; with `--goal bytes` or
    /// `lines`, and in other languages, it is the shortest one. With `none`, the layout is not changed: the pass `white-space` is not used either.
    #[arg(long, hide_short_help = true, help_heading = RESULT, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(super) format: Option<String>,
    /// Print the changes as a unified diff
    #[arg(long, hide_short_help = true, help_heading = RESULT)]
    pub(super) diff: bool,
    /// Find which parts of the result may vary, too, and print a pattern
    ///
    /// As lopper generalize does with its default options.
    #[arg(long, hide_short_help = true, help_heading = RESULT)]
    pub(super) generalize: bool,
    /// Find an excerpt of FILE, too, as lopper generalize --excerpt does
    #[arg(long, hide_short_help = true, help_heading = RESULT, requires = "generalize", conflicts_with = "grammar")]
    pub(super) excerpt: bool,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    required: RequireOptions,
}

/// Reads the name of a goal.
fn goal_parser() -> impl TypedValueParser<Value = Goal> {
    let named = |name: String| Goal::ALL.into_iter().find(|goal| goal.name() == name);
    PossibleValuesParser::new(Goal::ALL.map(Goal::name))
        .try_map(move |name| named(name).ok_or("there is no such goal"))
}

/// Reads the name of an effort.
fn effort_parser() -> impl TypedValueParser<Value = Effort> {
    let named = |name: String| Effort::ALL.into_iter().find(|effort| effort.name() == name);
    let names = Effort::ALL.map(|effort| PossibleValue::new(effort.name()).help(effort.summary()));
    PossibleValuesParser::new(names).try_map(move |name| named(name).ok_or("there is no such effort"))
}

impl Arguments {
    /// The test, and the files or the folder.
    ///
    /// # Errors
    /// If there is no such test, or if the command line has too few words.
    pub(super) fn plan_and_files(&self) -> Result<(TestPlan, Vec<PathBuf>), UserError> {
        let (require, most) = (&self.required.require, usize::MAX);
        self.conditions.plan_and_files(require, &self.paths, &self.command, "reduce", USAGE, most)
    }

    /// The choice of files by the globs on the command line.
    ///
    /// # Errors
    /// If a glob is invalid.
    pub(super) fn selection(&self) -> Result<Selection, UserError> {
        Selection::new(&self.ignore, &self.only, &self.keep)
    }

    /// The globs, as on the command line.
    pub(super) fn globs(&self) -> Vec<String> {
        let lists = [("ignore", &self.ignore), ("only", &self.only), ("keep", &self.keep)];
        lists
            .iter()
            .flat_map(|(name, globs)| globs.iter().map(move |glob| format!("{name} {glob}")))
            .collect()
    }

    /// The options with a glob that matches nothing in the input.
    ///
    /// # Errors
    /// If a glob is invalid.
    pub(super) fn idle_globs(&self, input: &Input) -> Result<Vec<String>, UserError> {
        let mut idle = Vec::new();
        for (name, list) in [("ignore", &self.ignore), ("only", &self.only), ("keep", &self.keep)] {
            for glob in list {
                let set = globs([&**glob])?;
                if !input.has(|path| set.is_match(path)) {
                    idle.push(format!("--{name} {}", quoted(glob)));
                }
            }
        }
        Ok(idle)
    }

    /// Whether nothing but errors is printed on standard error.
    pub(super) fn is_quiet(&self) -> bool {
        self.watching.is_quiet(&self.limits)
    }

    /// Whether the result replaces the file at every moment. Several files are replaced at the end.
    pub(super) fn replaces_file(&self, form: Form) -> bool {
        self.in_place && form == Form::File
    }

    /// The words before `--`.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The parts of the file that must stay, as on the command line.
    pub(super) fn protect(&self) -> Vec<String> {
        self.protect.iter().map(ToString::to_string).collect()
    }

    /// The options of a run on these files that began at `start`, with passes from this registry. Call this once.
    ///
    /// # Errors
    /// If there is no such pass, nothing to protect, or no threads can be started.
    pub(super) fn options(
        &self,
        registry: &'static [Pass],
        files: &[NamedFile],
        start: Instant,
        interrupt: &Interrupt,
    ) -> Result<Options, UserError> {
        Ok(Options {
            passes: self.passes(registry)?,
            search: self.search,
            goal: self.goal,
            effort: self.effort,
            algorithm: self.algorithm.and_then(|AlgorithmChoice(algorithm)| algorithm),
            stay_in_grammar: self.stay_in_grammar,
            protected: Arc::new(protected(files, &self.protect)?),
            ..self.limits.options(start, interrupt)?
        })
    }

    fn passes(&self, registry: &'static [Pass]) -> Result<Vec<&'static Pass>, UserError> {
        let names = self.keep_names.then_some("rename");
        let skipped = self
            .skip_pass
            .iter()
            .map(String::as_str)
            .chain(names)
            .map(|n| find(registry, n))
            .collect::<Result<Vec<_>, _>>()?;
        let wanted = self.pass.iter().map(|n| find(registry, n)).collect::<Result<Vec<_>, _>>()?;
        let named = |list: &[&Pass], pass: &Pass| list.iter().any(|p| p.name == pass.name);
        let keeps_layout = self.format.as_deref() == Some(NONE);
        let is_skipped = |pass: &Pass| named(&skipped, pass) || keeps_layout && pass.name == WHITE_SPACE.name;
        let used = |pass: &&Pass| (wanted.is_empty() || named(&wanted, pass)) && !is_skipped(pass);
        Ok(registry.iter().filter(used).collect())
    }
}
