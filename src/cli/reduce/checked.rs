//! The test of a reduction after it has accepted the original, and the header of the journal that depends on
//! it.

use super::place;
use super::refusals::{refuse_another_run, refuse_edited_file, refuse_edited_result};
use super::request::Request;
use crate::cli::check::REFUSED;
use crate::cli::elsewhere::Elsewhere;
use crate::cli::executor::Site;
use crate::cli::given::{look_swapped, swapped};
use crate::cli::input::Input;
use crate::cli::{check, flicker, with_left_behind};
use crate::conditions::{Failure, Judgement};
use crate::error::{ErrorKind, UserError};
use crate::journal::{Form, Header, Key, Log, Logged, Word};
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::watch::Watch;
use crate::oracle::{Contents, Fault, Test, Verdict, micros};
use crate::time_limit::usual_limit;
use lopper_engine::flicker::Tally;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

/// The checked test; see the module.
pub(super) struct Checked {
    pub(super) test: CommandOracle,
    pub(super) watch: Watch,
    pub(super) header: Header,
    /// The judgement on the original.
    pub(super) first: Judgement,
    /// What the files that are replaced in place hold now.
    pub(super) held: Contents,
}

impl Checked {
    /// Runs the test on the original: once for a resumed run, and as [`flicker::check`] does for a new one.
    /// `None` if the user stops that.
    ///
    /// # Errors
    /// If the test cannot be used, or the run to be resumed is a different one.
    pub(super) fn new(request: &Request, log: &Arc<Log>) -> Result<Option<Self>, UserError> {
        let arguments = request.arguments;
        let earlier = request.earlier.as_ref().and_then(|place| Some((place, place.past.as_ref()?)));
        let own = earlier.map_or_else(Vec::new, |(_, past)| past.header.own.clone());
        let own = own.into_iter().map(|own| OsString::from(own).into()).collect();
        let mut watch = Watch::new(&request.plan, own);
        let mut header = header(request, &watch);
        let mut held = request.input.original.clone();
        if let Some((place, past)) = earlier {
            header.flicker = past.header.flicker;
            header.first_run = past.header.first_run;
            header.limit = arguments.limits.timeout.map_or(past.header.limit, micros);
            header.limit_follows &= past.header.limit_follows;
            header.memory = arguments.limits.named_memory().unwrap_or(past.header.memory);
            refuse_another_run(&past.header, &header, &place.folder).map_err(|error| {
                let has_backup = place::backup(&request.input.path).exists();
                match past.header.input != header.input && has_backup {
                    false => error,
                    true if arguments.in_place => {
                        error.fact(format!("the original is read from '{}'", request.original().display()))
                    }
                    true => error.help("if the run was one with --in-place, name that option again"),
                }
            })?;
            if let Some(output) = request.replaced() {
                held = vec![refuse_edited_file(output, past)?];
            } else if request.input.form != Form::File {
                refuse_edited_result(place, past, &request.input)?;
                if arguments.in_place {
                    held = place.found_in_place(&request.input)?;
                }
            }
        }
        let mut test = test(request, log)?;
        test.memory = header.memory();
        let failure = earlier.and_then(|(_, past)| past.header.failure.as_deref());
        if let Some(failure) = failure.and_then(Failure::recorded) {
            test.plan.learn(failure);
        }
        let (first, flicker) = match run_first(request, &mut test) {
            Ok(checked) => checked,
            Err(Fault::Interrupted | Fault::Cancelled) => return Ok(None),
            Err(Fault::Broken(error)) => {
                let error = match arguments.paths() {
                    [test, file] if look_swapped(test, file) => swapped(error, "reduce", test, file),
                    _ => error,
                };
                let left_out = request.input.left_out().filter(|_| error.title.starts_with(REFUSED));
                let error = left_out.into_iter().fold(error, UserError::fact);
                let error = works_here(request, &error).unwrap_or(error);
                return Err(with_left_behind(error, &test.close()));
            }
        };
        watch.leave_out_what_changed();
        header.failure = test.plan.failure().map(Failure::record);
        if earlier.is_none() {
            header.flicker = flicker;
            header.first_run = micros(first.slowest);
            header.limit = micros(arguments.limits.run(first.time));
            (header.test, header.own) =
                (Key(watch.fingerprint()), watch.own().iter().map(Word::from).collect());
        }
        test.deadline = request.options.deadline;
        test.limit = header.limit();
        Ok(Some(Self { test, watch, header, first, held }))
    }

    /// The time limit of the final test run on the result. It is the usual one at most, so that a generous
    /// limit does not delay the end.
    pub(super) fn last_limit(&self) -> Duration {
        self.test.limit.min(usual_limit(self.first.time))
    }
}

fn test(request: &Request, log: &Arc<Log>) -> Result<CommandOracle, UserError> {
    let Request { site, plan, interrupt, options, input, .. } = request;
    let executor = site.executor(plan, &input.arguments, input.ground(), options.jobs, interrupt)?;
    let executor = Logged::new(executor, Arc::clone(log));
    Ok(CommandOracle::on(Box::new(executor), plan.clone(), request.arguments.limits.first_run()))
}

fn run_first(request: &Request, test: &mut CommandOracle) -> Result<(Judgement, Option<Tally>), Fault> {
    let Request { input, base, site, options, interrupt, earlier, .. } = request;
    let Input { path: file, original, .. } = input;
    check::learn(test, original)?;
    if let Some(place) = earlier {
        let flicker = place.past.as_ref().and_then(|past| past.header.flicker);
        return flicker::accepts(test, file, &input.arguments, original, flicker)
            .map(|first| (first, flicker));
    }
    let parser = base.files[0].language.parser();
    let may_be =
        |text: &[u8]| !options.stay_in_grammar || parser.is_none_or(|parser| parser.errors(text) == 0);
    let limits = &request.arguments.limits;
    let Input { arguments, fixed, .. } = input;
    let elsewhere = Elsewhere { limits, site, options, interrupt, file, arguments, fixed };
    flicker::check(test, &elsewhere, original, may_be)
}

/// The error for a test that accepts the original on this machine, while it fails on a cluster with this error.
fn works_here(request: &Request, there: &UserError) -> Option<UserError> {
    let Request { arguments, plan, interrupt, input, beside, .. } = request;
    if !arguments.executor.is_remote() || plan.has_to_learn() || there.kind != ErrorKind::BadTest {
        return None;
    }
    let executor = Site::Here.executor(plan, &input.arguments, input.ground(), 1, interrupt).ok()?;
    let here = CommandOracle::on(executor, plan.clone(), arguments.limits.first_run());
    let verdict = here.run(0, &input.original);
    here.close();
    matches!(verdict, Ok(Verdict::Interesting)).then(|| {
        let error = UserError::bad_test("the test accepts the original file here, but not on the cluster");
        let error = arguments.executor.not_sent(plan, beside).into_iter().fold(error, |error, path| {
            error.fact(format!("the test names '{}', which is not sent", path.display()))
        });
        let error = beside.lacks().fold(error, |error, (fact, help)| error.fact(fact).help(help));
        let error = there.facts.iter().fold(error, |error, fact| error.fact(fact.clone()));
        error
            .help("--with PATH sends what the test needs; what it names by absolute paths must be on the workers")
            .help("--executor-env NAME sets a variable there as it is here: see docs/remote.md")
            .help("if the workers have changed since an earlier try, --executor-env ROUND=2 asks them, and not the cache")
    })
}

/// The header of the journal, as known before the first run of the test.
fn header(request: &Request, watch: &Watch) -> Header {
    let Request { options, input, .. } = request;
    Header {
        lopper: env!("CARGO_PKG_VERSION").to_owned(),
        name: input.name(),
        form: input.form,
        input: Key(input.key()),
        globs: request.arguments.globs(),
        test: Key(watch.fingerprint()),
        own: watch.own().iter().map(Word::from).collect(),
        failure: None,
        language: request.languages(),
        grammar: request.grammar.map(Key),
        stay_in_grammar: options.stay_in_grammar,
        protect: request.arguments.protect(),
        algorithm: options.algorithm.map(|algorithm| algorithm.name.to_owned()),
        goal: options.goal.name().to_owned(),
        effort: options.effort.name().to_owned(),
        search: options.search.name.to_owned(),
        passes: options.passes.iter().map(|pass| pass.name.to_owned()).collect(),
        flicker: None,
        first_run: 0,
        limit: 0,
        limit_follows: request.arguments.limits.timeout.is_none(),
        memory: request.arguments.limits.memory(),
    }
}
