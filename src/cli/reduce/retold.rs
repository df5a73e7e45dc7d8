//! A run that is told again from its journal: the same search, with the verdicts that are known, and without a test.

use super::arguments::Arguments;
use super::followed::Followed;
use super::place;
use super::told;
use crate::background::reduce_in_background;
use crate::cli::input::Input;
use crate::cli::signals::catch_signals;
use crate::conditions::Failure;
use crate::error::UserError;
use crate::journal::{Form, Key, Past};
use crate::oracle::{Contents, Fault, Test, Verdict};
use crate::report::events::{Ending, SCHEMA, Start};
use crate::report::page::{Account, Recorder};
use crate::report::{self, as_one};
use crate::run::{End, Event, Options};
use lopper_languages::Language;
use lopper_passes::Pass;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The run; see the module.
pub(in crate::cli) struct Retold {
    start: Start,
    recorder: Recorder,
    ending: Ending,
    result: Vec<u8>,
    language: &'static dyn Language,
}

/// In place of the test: where the journal ends, the run ends.
struct Unknown;

impl Test for Unknown {
    fn run(&self, _worker: usize, _candidate: &Contents) -> Result<Verdict, Fault> {
        Err(Fault::Interrupted)
    }
}

impl Retold {
    /// Tells the run with this command line and journal again.
    ///
    /// # Errors
    /// If the file or the test is not there any more, or has changed.
    pub(in crate::cli) fn new(
        arguments: &Arguments,
        past: Past,
        folder: &Path,
        registry: &'static [Pass],
    ) -> Result<Self, UserError> {
        let begin = Instant::now();
        let followed = Followed::find(arguments)?;
        let (mut plan, paths) = arguments.plan_and_files()?;
        let (named, form) = Form::named(&paths)?;
        let file = followed.as_ref().map_or(named, |followed| followed.path.clone());
        if let Some(followed) = &followed {
            followed.hold(&mut plan);
        } else if let Some(failure) = past.header.failure.as_deref().and_then(Failure::recorded) {
            plan.learn(failure);
        }
        let source = |path: &Path| place::original(arguments, path);
        let input = Input::read(&arguments.selection()?, form, &paths, &file, source)?;
        refuse_changed(&past, &input, &source(&file))?;
        let (base, _) = input.base(&arguments.language)?;
        let (before, like) = (base.measure(), base.clone());
        let options = arguments.options(registry, &input.original, begin, &catch_signals()?)?;
        let jobs = options.jobs;
        let options = retelling(options, &past);
        let parse = move || base;
        let mut recorder = Recorder::new(&input.original);
        past.others.iter().for_each(|other| recorder.met(other));
        let hear = |recorder: &mut Recorder, event: &Event| {
            recorder.hear(event);
            Ok(())
        };
        let start = (input.original.clone(), before);
        let (outcome, recorder) =
            reduce_in_background(start, parse, Arc::new(Unknown), &options, recorder, hear)?;
        if recorder.commits() < past.commits.len() {
            report::remark(&format!(
                "the journal has {} commits, of which this Lopper repeats only {}: it differs from the one that wrote it",
                past.commits.len(),
                recorder.commits()
            ));
        }
        let end = if past.finished { End::Fixpoint } else { End::Interrupted };
        let result = as_one(&outcome.contents).to_vec();
        let language = told::language(&like, &outcome.contents);
        let program = (&outcome.contents, outcome.measure);
        let fingerprint = told::fingerprint(&end, &like, &outcome.contents);
        let ending = told::ending(&end, past.finished, None, program, fingerprint, &outcome.stats);
        let start = Start {
            schema: SCHEMA,
            test: plan.sentence(),
            output: folder.with_extension("").to_string_lossy().into_owned(),
            tokens: before.tokens,
            bytes: before.bytes,
            lines: told::lines(&input.original),
            jobs,
            known: 0,
            session: past.session.ok_or_else(UserError::internal)?,
            run: past.header,
        };
        Ok(Self { start, recorder, ending, result, language })
    }

    /// All that a page tells.
    pub(in crate::cli) fn account(&self) -> Account<'_> {
        let Self { start, recorder, ending, result, language } = self;
        Account { start, recorder, ending, result, language: *language }
    }
}

/// The options for the run again, with its verdicts and without limits.
fn retelling(options: Options, past: &Past) -> Options {
    Options {
        jobs: 1,
        max_tests: None,
        deadline: None,
        known: Arc::new(past.verdicts.clone()),
        skips: Arc::new(past.skips.clone()),
        flicker: past.header.flicker,
        first_run: Duration::from_micros(past.header.first_run),
        limit: past.header.limit_follows.then(|| past.header.limit()),
        ..options
    }
}

fn refuse_changed(past: &Past, input: &Input, source: &Path) -> Result<(), UserError> {
    if past.header.lopper != env!("CARGO_PKG_VERSION") {
        return Err(UserError::usage(format!(
            "the run was written by Lopper {}, and this is Lopper {}",
            past.header.lopper,
            env!("CARGO_PKG_VERSION")
        )));
    }
    match past.header.input == Key(input.key()) {
        true => Ok(()),
        false => Err(UserError::usage(format!("'{}' has changed since the run", source.display()))
            .fact("the programs of the run are found by repeating it, from the same file")),
    }
}
