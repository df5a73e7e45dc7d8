//! The request for a reduction: the input, the language, the options, and the run to be resumed, if any.

use super::arguments::Arguments;
use super::followed::Followed;
use super::formatting::Formatter;
use super::place::{self, Place};
use super::refusals::{refuse_other_uses, refuse_to_lose_test};
use crate::cli::beside::Beside;
use crate::cli::executor::Site;
use crate::cli::given::unreadable;
use crate::cli::input::Input;
use crate::cli::language::Choice;
use crate::cli::signals::catch_signals;
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::journal::Form;
use crate::oracle::interrupt::Interrupt;
use crate::output::Target;
use crate::report;
use crate::run::Options;
use lopper_engine::algorithms::Algorithm;
use lopper_languages::measure::Goal;
use lopper_passes::{Base, Pass, WHITE_SPACE};
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// A request; see the module. Nothing is written yet, and the test has not run.
pub(super) struct Request<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) start: Instant,
    pub(super) plan: TestPlan,
    /// The place of the run to be resumed.
    pub(super) earlier: Option<Place>,
    pub(super) input: Input,
    /// The original as a base.
    pub(super) base: Base,
    /// The permissions and the owner for the result, if it is a single file.
    pub(super) like: Metadata,
    /// The key of the user's grammar, by its content.
    pub(super) grammar: Option<u128>,
    pub(super) options: Options,
    /// What lays out the result, if it does not keep its layout.
    pub(super) formatter: Option<Formatter>,
    /// The passes of the registry that are not used.
    pub(super) unused: Vec<&'static str>,
    pub(super) interrupt: Interrupt,
    /// The commit to which the user wants to return, by a key of the live view.
    pub(super) asked_to_undo: Arc<OnceLock<usize>>,
    /// Where tests run.
    pub(super) site: Site,
    /// What the test names beside it, if it runs on a cluster.
    pub(super) beside: Beside,
}

impl<'a> Request<'a> {
    /// Reads the files on the command line. `followed` is the candidate that takes the place of the file. With
    /// `undoes`, there must be a run to be resumed.
    ///
    /// # Errors
    /// If the command line makes no sense, or a file cannot be read.
    pub(super) fn read(
        arguments: &'a Arguments,
        followed: Option<&Followed>,
        registry: &'static [Pass],
        start: Instant,
        undoes: bool,
    ) -> Result<Self, UserError> {
        let (mut plan, paths) = arguments.plan_and_files()?;
        let (file, form) = Form::named(&paths)?;
        let file = followed.map_or(file, |followed| followed.path.clone());
        if let Some(followed) = followed {
            followed.hold(&mut plan);
        }
        refuse_other_uses(arguments, &file, form, &plan)?;
        let earlier = place::earlier(arguments, &file, form)?;
        if earlier.is_none() && undoes {
            return Err(UserError::usage("the command line of the run leads to another place now")
                .fact("the file or the run folder was moved, or a symbolic link was changed"));
        }
        let goes_on = earlier.is_some();
        let source = |path: &Path| source(arguments, path, goes_on);
        let input = Input::read(&arguments.selection()?, form, &paths, &file, source)?;
        refuse_to_lose_test(arguments, &plan, &input)?;
        for glob in arguments.idle_globs(&input)?.iter().filter(|_| !arguments.is_quiet()) {
            report::remark(&format!("{glob} matches nothing in '{}'", file.display()));
        }
        let like = fs::metadata(source(&file)).map_err(|e| unreadable(&file, &e))?;
        let command = arguments.format.as_deref().map_or(Ok(None), Formatter::read)?;
        let interrupt = catch_signals()?;
        let options = arguments.options(registry, &input.original, start, &interrupt)?;
        let formatter =
            command.or_else(|| uses_usual_layout(arguments, &options).then_some(Formatter::Usual));
        let (base, grammar) = input.base(&arguments.language)?;
        if !arguments.is_quiet() {
            arguments.language.remark_missing(&base);
        }
        for file in &base.files {
            if options.stay_in_grammar {
                Choice::refuse_others(file.language, &file.text, "--stay-in-grammar")?;
            } else if options.algorithm.is_some_and(Algorithm::needs_grammar) {
                Choice::refuse_others(file.language, &file.text, "this algorithm")?;
            }
        }
        let unused = unused(registry, &options);
        let asked_to_undo = Arc::default();
        let named_memory = arguments.limits.named_memory().is_some() && !arguments.executor.falls_back();
        arguments.executor.refuse_on_cluster(&[
            (options.goal == Goal::Time, "--goal time", "its workers are not equally fast"),
            (arguments.generalize, "--generalize", "it runs the test on this machine"),
            (plan.has_server(), "--server", "a cluster starts the test anew for each candidate"),
            (named_memory, "--memory-limit", "its workers have limits of their own"),
        ])?;
        let beside = arguments.executor.beside(&plan, &paths);
        let site = arguments.executor.site(options.jobs, &beside)?;
        for notice in beside.notices().iter().filter(|_| !arguments.is_quiet()) {
            report::remark(notice);
        }
        Ok(Self {
            arguments,
            start,
            plan,
            earlier,
            input,
            base,
            like,
            grammar,
            options,
            formatter,
            unused,
            interrupt,
            asked_to_undo,
            site,
            beside,
        })
    }

    /// The names of the languages of the original's files.
    pub(super) fn languages(&self) -> String {
        let names: BTreeSet<&str> = self.base.files.iter().map(|file| file.language.name()).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// Where the original of the input is.
    pub(super) fn original(&self) -> PathBuf {
        source(self.arguments, &self.input.path, self.earlier.is_some())
    }

    /// The file that the resumed run replaces in place, if it does.
    pub(super) fn replaced(&self) -> Option<&Path> {
        match &self.earlier {
            Some(Place { target: Target::File(output), .. })
                if self.arguments.replaces_file(self.input.form) =>
            {
                Some(output)
            }
            _ => None,
        }
    }
}

/// Where the original of a path is. When a run in place is resumed, the path itself may hold the best program so far, and
/// the backup holds the original.
fn source(arguments: &Arguments, file: &Path, goes_on: bool) -> PathBuf {
    if goes_on { place::original(arguments, file) } else { file.to_owned() }
}

/// The passes that are not used.
fn unused(registry: &'static [Pass], options: &Options) -> Vec<&'static str> {
    let is_unused = |name: &&str| options.passes.iter().all(|pass| pass.name != *name);
    registry.iter().map(|pass| pass.name).filter(is_unused).collect()
}

/// Whether the result gets the usual layout, which may be longer than the shortest one.
fn uses_usual_layout(arguments: &Arguments, options: &Options) -> bool {
    let has_pass = options.passes.iter().any(|pass| pass.name == WHITE_SPACE.name);
    let is_free = matches!(options.goal, Goal::Tokens | Goal::Time);
    arguments.format.is_none() && has_pass && options.algorithm.is_none() && is_free
}
