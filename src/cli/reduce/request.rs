//! The request for a reduction: the input, the language, the options, and the run to be resumed, if any.

use super::arguments::Arguments;
use super::followed::Followed;
use super::place::{self, Place};
use super::refusals::refuse_other_uses;
use crate::cli::given::{file_name, read, unreadable};
use crate::cli::language::Choice;
use crate::cli::signals::catch_signals;
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::{Contents, NamedFile};
use crate::output::Target;
use crate::run::Options;
use lopper_engine::algorithms::Algorithm;
use lopper_languages::Language;
use lopper_languages::measure::Measure;
use lopper_passes::Pass;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A request; see the module. Nothing is written yet, and the test has not run.
pub(super) struct Request<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) start: Instant,
    pub(super) plan: TestPlan,
    /// The file as the user named it, or the candidate that is followed.
    pub(super) file: PathBuf,
    /// The place of the run to be resumed.
    pub(super) earlier: Option<Place>,
    pub(super) original: Contents,
    /// The measure of the original.
    pub(super) before: Measure,
    /// The permissions and the owner for the result.
    pub(super) like: Metadata,
    pub(super) language: &'static dyn Language,
    /// The key of the user's grammar, by its content.
    pub(super) grammar: Option<u128>,
    pub(super) options: Options,
    /// The passes of the registry that are not used.
    pub(super) unused: Vec<&'static str>,
    pub(super) interrupt: Interrupt,
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
        let (mut plan, file) = arguments.plan_and_file()?;
        let name = file_name(&file)?;
        let file = followed.map_or(file, |followed| followed.path.clone());
        if let Some(followed) = followed {
            followed.hold(&mut plan);
        }
        refuse_other_uses(arguments, &file, &plan)?;
        let earlier = place::earlier(arguments, &file)?;
        if earlier.is_none() && undoes {
            return Err(UserError::usage("the command line of the run leads to another place now")
                .fact("the file or the run folder was moved, or a symbolic link was changed"));
        }
        let source = source(arguments, &file, earlier.is_some());
        let text = read(&source)?;
        let like = fs::metadata(&source).map_err(|e| unreadable(&source, &e))?;
        let interrupt = catch_signals()?;
        let original = vec![NamedFile::new(&name, text)];
        let options = arguments.options(registry, &original, start, &interrupt)?;
        let (language, grammar) = arguments.language.language_and_key(&name)?;
        if options.stay_in_grammar {
            Choice::refuse_others(language, &original[0], "--stay-in-grammar")?;
        } else if options.algorithm.is_some_and(Algorithm::needs_grammar) {
            Choice::refuse_others(language, &original[0], "this algorithm")?;
        }
        let before = Measure::of(&original[0], language.lexis());
        let unused = unused(registry, &options);
        Ok(Self {
            arguments,
            start,
            plan,
            file,
            earlier,
            original,
            before,
            like,
            language,
            grammar,
            options,
            unused,
            interrupt,
        })
    }

    /// The file that the resumed run replaces in place, if it does.
    pub(super) fn replaced(&self) -> Option<&Path> {
        match &self.earlier {
            Some(Place { target: Target::File(output), .. }) if self.arguments.in_place => Some(output),
            _ => None,
        }
    }
}

/// The path of the original. When a run in place is resumed, its file holds the best program so far, and the
/// backup the original.
fn source(arguments: &Arguments, file: &Path, goes_on: bool) -> PathBuf {
    let backup = place::backup(file);
    if goes_on && arguments.in_place && backup.exists() { backup } else { file.to_owned() }
}

/// The passes that are not used.
fn unused(registry: &'static [Pass], options: &Options) -> Vec<&'static str> {
    let is_unused = |name: &&str| options.passes.iter().all(|pass| pass.name != *name);
    registry.iter().map(|pass| pass.name).filter(is_unused).collect()
}
