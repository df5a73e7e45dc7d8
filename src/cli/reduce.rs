//! `lopper reduce`: shrinks a file as long as its test accepts what is left.

use super::AlgorithmChoice;
use super::Exit;
use super::check;
use super::closing::Closing;
use super::given::{file_name, look_swapped, read, swapped, test_program, unreadable};
use super::language::Choice;
use super::limits::Limits;
use super::listeners::Listeners;
use super::logging;
use super::passes::find;
use super::place::{self, Place};
use super::refusals::{refuse_another_run, refuse_edited_file, refuse_other_uses};
use super::signals::catch_signals;
use crate::background::reduce_in_background;
use crate::error::UserError;
use crate::journal::{Header, Keeper, Key, Log, Logged, Session, Word};
use crate::oracle::command::TestCommand;
use crate::oracle::contents::key;
use crate::oracle::folder::modes_of;
use crate::oracle::local::Local;
use crate::oracle::process_test::ProcessTest;
use crate::oracle::watch::Watch;
use crate::oracle::{Contents, Fault, NamedFile};
use crate::output::{Output, Target};
use crate::reduce::Options;
use crate::reducer::usual_limit;
use crate::report::{self, Progress};
use crate::search::{Kind, SEARCHES};
use lopper_engine::algorithms::Algorithm;
use lopper_languages::Parsed;
use lopper_languages::measure::Measure;
use lopper_passes::{Base, Pass};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What may stand on the command line.
const USAGE: &str = "usage: lopper reduce TEST FILE, or lopper reduce FILE -- COMMAND {}";

/// Shrinks FILE to the smallest program that TEST accepts
///
/// TEST is a program that exits with code 0 if the failure is there. It runs in an empty folder that holds
/// only the candidate, under the name of FILE, and gets the candidate's path as its argument. Exit code 125
/// means that it cannot tell; any other code means that the failure is not there. FILE itself is not
/// modified, except with --in-place.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "lopper reduce [OPTIONS] TEST FILE\n       lopper reduce [OPTIONS] FILE -- COMMAND...",
    after_help = Exit::help()
)]
pub(super) struct Arguments {
    /// The test and the file; or only the file, if a COMMAND follows
    #[arg(value_name = "[TEST] FILE", required = true, num_args = 1..=2)]
    paths: Vec<PathBuf>,
    /// A command to run as the test; `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// Write the result to PATH [default: NAME.reduced.EXT beside FILE]
    #[arg(short, long, value_name = "PATH", conflicts_with = "in_place")]
    pub(super) output: Option<PathBuf>,
    /// Replace FILE with the result; FILE.orig keeps the original
    #[arg(long)]
    pub(super) in_place: bool,
    /// Continue a run that was stopped; if there is none, start a new one
    #[arg(long)]
    pub(super) resume: bool,
    /// Keep the run folder, NAME.lopper beside the result, even when the run is complete
    #[arg(long)]
    pub(super) keep_run: bool,
    #[command(flatten)]
    pub(super) limits: Limits,
    #[command(flatten)]
    pub(super) language: Choice,
    /// Use only these passes, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pass: Vec<String>,
    /// Use all passes except these
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with = "pass")]
    skip_pass: Vec<String>,
    /// The search that decides which units of a pass to test together
    #[arg(long, value_name = "NAME", default_value = SEARCHES[0].name, value_parser = super::search_parser())]
    search: &'static Kind,
    /// Use a published algorithm instead of passes and search, for comparison
    #[arg(long, value_name = "NAME", value_parser = super::algorithm_parser(),
        conflicts_with_all = ["pass", "skip_pass", "search"])]
    algorithm: Option<AlgorithmChoice>,
    /// Test only candidates that the grammar accepts; it must accept FILE, too
    #[arg(long, requires = "grammar")]
    stay_in_grammar: bool,
    /// Print the changes as a unified diff
    #[arg(long)]
    pub(super) diff: bool,
}

/// Runs a reduction from the check of the test to the summary.
pub(super) fn run(
    arguments: &Arguments,
    session: &Session,
    registry: &'static [Pass],
) -> Result<Exit, UserError> {
    run_or_go_back(arguments, session, registry, None)
}

/// The same; with `undo`, an earlier run goes on from its commit of this number.
pub(super) fn run_or_go_back(
    arguments: &Arguments,
    session: &Session,
    registry: &'static [Pass],
    undo: Option<usize>,
) -> Result<Exit, UserError> {
    let start = Instant::now();
    let (command, file) = test_and_file(arguments)?;
    refuse_other_uses(arguments, &file, &command)?;
    let earlier = place::earlier(arguments, &file)?;
    if earlier.is_none() && undo.is_some() {
        return Err(UserError::usage("the command line of the run leads to another place now")
            .fact("the file or the run folder was moved, or a symbolic link was changed"));
    }
    let source = source(arguments, &file, earlier.is_some());
    let text = read(&source)?;
    let like = fs::metadata(&source).map_err(|e| unreadable(&source, &e))?;
    let name = file_name(&file)?;
    let interrupt = catch_signals()?;
    let mut options = Options {
        passes: passes(arguments, registry)?,
        search: arguments.search,
        algorithm: arguments.algorithm.and_then(|AlgorithmChoice(algorithm)| algorithm),
        stay_in_grammar: arguments.stay_in_grammar,
        ..arguments.limits.options(start, &interrupt)?
    };
    let (language, grammar) = arguments.language.language_and_key(&name)?;
    if arguments.stay_in_grammar {
        Choice::refuse_others(language, &text, "--stay-in-grammar")?;
    } else if options.algorithm.is_some_and(Algorithm::needs_grammar) {
        Choice::refuse_others(language, &text, "this algorithm")?;
    }
    let original: Contents = vec![NamedFile::new(&name, text)];
    let past = earlier.as_ref().and_then(|place| place.past.as_ref());
    let known = past.map_or_else(Vec::new, |past| past.header.own.clone());
    let mut watch = Watch::new(&command, known.into_iter().map(|own| OsString::from(own).into()).collect());
    let mut header = Header {
        lopper: env!("CARGO_PKG_VERSION").to_owned(),
        name: name.clone(),
        input: Key(key(&original)),
        test: Key(watch.fingerprint()),
        own: own(&watch),
        language: language.name().to_owned(),
        grammar: grammar.map(Key),
        stay_in_grammar: options.stay_in_grammar,
        algorithm: options.algorithm.map(|algorithm| algorithm.name.to_owned()),
        search: options.search.name.to_owned(),
        passes: options.passes.iter().map(|pass| pass.name.to_owned()).collect(),
        limit: 0,
        memory: arguments.limits.memory(),
    };
    let (jobs, limit) = (options.jobs, arguments.limits.first_run());
    let log = Arc::new(Log::default());
    logging::begin(&log, session, &options);
    let path = Arc::clone(&original[0].path);
    let modes = modes_of([(Arc::clone(&path), file.clone())]);
    let local = Local::new(&command, &[path], jobs, interrupt.clone(), Some(super::executable()), modes)?;
    let executor = Logged::new(Box::new(local), Arc::clone(&log));
    let mut test = ProcessTest::on(Box::new(executor), command, limit);

    // What the file holds that is replaced in place.
    let mut held = original[0].to_vec();
    if let Some(Place { folder, past: Some(past), target }) = &earlier {
        header.limit = arguments.limits.timeout.map_or(past.header.limit, micros);
        header.memory = arguments.limits.named_memory().unwrap_or(past.header.memory);
        refuse_another_run(&past.header, &header, folder)?;
        if let (Target::File(output), true) = (target, arguments.in_place) {
            held = refuse_edited_file(output, past)?;
        }
    }
    test.memory = header.memory();
    let empty = !options.stay_in_grammar || language.parser().is_none_or(|parser| parser.errors(b"") == 0);
    let checked = match earlier.is_some() {
        true => check::accepts(&test, &file, &original),
        false => check::check(&test, &file, &original, empty),
    };
    let first = match checked {
        Ok(run) => run,
        Err(Fault::Interrupted | Fault::Cancelled) => return Ok(Exit::Interrupted),
        Err(Fault::Broken(error)) => {
            let error = match &arguments.paths[..] {
                [test, file] if look_swapped(test, file) => swapped(error, "reduce", test, file),
                _ => error,
            };
            return Err(super::with_left_behind(error, &test.close()));
        }
    };
    watch.leave_out_what_changed();
    test.deadline = options.deadline;
    if earlier.is_none() {
        header.limit = micros(arguments.limits.run(first.time));
        (header.test, header.own) = (Key(watch.fingerprint()), own(&watch));
    }
    test.limit = header.limit();

    let mut place = earlier.map_or_else(|| place::new(arguments, &file), Ok)?;
    let undone = undo.and_then(|to| place.past.as_mut()?.undo(to));
    let last = place.last_program();
    let Place { target, folder, past } = place;
    let mut output = Output::at(&target, folder.path(), &like);
    if arguments.in_place {
        output.guard(&held);
    }
    if let Some(past) = &past {
        options.known = Arc::new(past.verdicts.clone());
    }
    let verdicts = options.known.len();
    let was_kept = past.as_ref().is_some_and(|past| past.finished);
    let commits = past.as_ref().map(|past| past.commits.len());
    if arguments.in_place
        && commits.is_none()
        && let Err(error) = place::back_up(&file, &original[0], &like, &folder)
    {
        folder.remove();
        return Err(error);
    }
    // A run folder that cannot be written to shows where it matters, at the journal.
    let _ = log.open(&folder.log());
    logging::log_panics(Arc::clone(&log));
    let mut keeper = Keeper::new(folder, &header, session, past, Arc::clone(&log))?;
    undone.map_or(Ok(()), |record| keeper.undo(&record))?;
    // The output of a run that goes on is what it was, but for a step back to the very beginning.
    let written = match commits {
        None if arguments.in_place => Ok(()),
        Some(1..) if output.path().exists() => Ok(()),
        Some(1..) => output.replace(last.as_deref().unwrap_or(&original[0])),
        _ => output.replace(&original[0]),
    };
    if let Err(error) = written {
        if commits.is_none() {
            keeper.finish(false, false);
        }
        return Err(error);
    }
    keeper.keep_first_output(&first.output)?;

    let before = Measure::of(&original[0], language.lexis());
    logging::describe(&log, &header, &unused(registry, &options), &before, &first);
    let progress = Progress::new(arguments.limits.verbosity(), before);
    if verdicts > 0 {
        let resuming = format!("resuming; {verdicts} verdicts are known");
        log.note(&resuming);
        if !arguments.limits.quiet {
            report::remark(&resuming);
        }
    }
    let input = original[0].clone();
    let parse =
        move || Base { files: vec![Arc::new(Parsed::at(input.path.clone(), language, input.to_vec()))] };
    let test = Arc::new(test);
    let is_ahead = last.is_some();
    let best = last.map_or_else(
        || (original.clone(), before),
        |last| {
            let measure = Measure::of(&last, language.lexis());
            (vec![original[0].with(last)], measure)
        },
    );
    let in_place = arguments.in_place;
    let listeners = Listeners { progress, keeper, output, watch, in_place, best, is_ahead };
    let (outcome, listeners) = reduce_in_background(
        (original.clone(), before),
        parse,
        Arc::clone(&test) as Arc<_>,
        &options,
        listeners,
        Listeners::hear,
    )?;
    // The last look is not held up by a generous limit: nobody waits for it to find anything more.
    let limit = test.limit.min(usual_limit(first.time));
    let original = (&original, before);
    let closing =
        Closing { arguments, options: &options, file: &file, start, original, test: &test, limit, log: &log };
    closing.close(outcome, listeners, was_kept)
}

/// The files that the test writes, for the journal.
fn own(watch: &Watch) -> Vec<Word> {
    watch.own().iter().map(|file| Word::from(file.as_os_str())).collect()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Where the original is: where a run in place goes on, its file holds the best program so far.
fn source(arguments: &Arguments, file: &Path, goes_on: bool) -> PathBuf {
    let backup = place::backup(file);
    if goes_on && arguments.in_place && backup.exists() { backup } else { file.to_owned() }
}

fn test_and_file(arguments: &Arguments) -> Result<(TestCommand, PathBuf), UserError> {
    match (&arguments.paths[..], &arguments.command[..]) {
        ([test, file], []) => {
            Ok((test_program(test, std::slice::from_ref(file), "reduce", USAGE)?, file.clone()))
        }
        ([file], command @ [_, ..]) => Ok((TestCommand::line(command)?, file.clone())),
        ([_], []) => Err(UserError::usage("there is a file but no test").help(USAGE)),
        _ => Err(UserError::usage("there is both a test and a command").help(USAGE)),
    }
}

fn passes(arguments: &Arguments, registry: &'static [Pass]) -> Result<Vec<&'static Pass>, UserError> {
    let skipped = arguments.skip_pass.iter().map(|n| find(registry, n)).collect::<Result<Vec<_>, _>>()?;
    let wanted = arguments.pass.iter().map(|n| find(registry, n)).collect::<Result<Vec<_>, _>>()?;
    let named = |list: &[&Pass], pass: &Pass| list.iter().any(|p| p.name == pass.name);
    let used = |pass: &&Pass| (wanted.is_empty() || named(&wanted, pass)) && !named(&skipped, pass);
    Ok(registry.iter().filter(used).collect())
}

/// The passes that are not used.
fn unused(registry: &'static [Pass], options: &Options) -> Vec<&'static str> {
    let is_unused = |name: &&str| options.passes.iter().all(|pass| pass.name != *name);
    registry.iter().map(|pass| pass.name).filter(is_unused).collect()
}
