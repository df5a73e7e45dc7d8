//! `lopper reduce`: shrinks a file as long as its test accepts what is left.

use super::AlgorithmChoice;
use super::check;
use super::language::Choice;
use super::limits::{Limits, usual};
use super::logging;
use super::passes::find;
use super::place::{self, Place};
use crate::background::reduce_in_background;
use crate::error::{Exit, UserError};
use crate::journal::{Header, Keeper, Key, Log, Logged, Past, RunFolder, Session};
use crate::oracle::command::{TestCommand, quoted};
use crate::oracle::interrupt::Interrupt;
use crate::oracle::local::Local;
use crate::oracle::memo;
use crate::oracle::process_test::ProcessTest;
use crate::oracle::{Contents, Fault, Verdict};
use crate::output::Output;
use crate::reduce::{End, Event, Options, Outcome};
use crate::report::{self, Progress, Summary};
use crate::search::{Kind, SEARCHES};
use lopper_languages::Parsed;
use lopper_languages::measure::Measure;
use lopper_passes::{Base, Pass};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Shrinks FILE as long as TEST accepts what is left
///
/// TEST is a program that ends with exit code 0 if the failure is there: it runs in an empty folder
/// that holds only the candidate, under FILE's own name, and gets its path as its argument. Exit code
/// 125 says that it cannot tell. FILE itself is not touched.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "lopper reduce [OPTIONS] TEST FILE\n       lopper reduce [OPTIONS] FILE -- COMMAND...",
    after_help = Exit::help()
)]
pub(super) struct Arguments {
    /// The test and the file, or the file alone before a command
    #[arg(value_name = "[TEST] FILE", required = true, num_args = 1..=2)]
    paths: Vec<PathBuf>,
    /// A command to run instead of a test; `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// Where the result goes [default: NAME.reduced.EXT beside FILE]
    #[arg(short, long, value_name = "PATH", conflicts_with = "in_place")]
    pub(super) output: Option<PathBuf>,
    /// Replace FILE by the result; FILE.orig keeps the original
    #[arg(long)]
    pub(super) in_place: bool,
    /// Go on with a run that was interrupted; without one a new run begins
    #[arg(long)]
    pub(super) resume: bool,
    /// Keep the run folder, NAME.lopper beside the result, when nothing is left to do
    #[arg(long)]
    pub(super) keep_run: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    language: Choice,
    /// Use only these passes
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pass: Vec<String>,
    /// Use all but these passes
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with = "pass")]
    skip_pass: Vec<String>,
    /// Which search decides what to test next
    #[arg(long, value_name = "NAME", default_value = SEARCHES[0].name, value_parser = super::search_parser())]
    search: &'static Kind,
    /// A published algorithm to compare with, in place of passes and search
    #[arg(long, value_name = "NAME", value_parser = super::algorithm_parser(),
        conflicts_with_all = ["pass", "skip_pass", "search"])]
    algorithm: Option<AlgorithmChoice>,
    /// Print what changed as a unified diff
    #[arg(long)]
    diff: bool,
}

/// Runs a reduction from the check of the test to the summary.
pub(super) fn run(
    arguments: &Arguments,
    session: &Session,
    registry: &'static [Pass],
) -> Result<Exit, UserError> {
    let start = Instant::now();
    let (command, file) = test_and_file(arguments)?;
    refuse_input_as_output(arguments, &file)?;
    let earlier = place::earlier(arguments, &file)?;
    let text = read(&source(arguments, &file, earlier.is_some()))?;
    let name = file_name(&file)?;
    let interrupt = catch_signals()?;
    let mut options = Options {
        passes: passes(arguments, registry)?,
        search: arguments.search,
        algorithm: arguments.algorithm.and_then(|AlgorithmChoice(algorithm)| algorithm),
        ..arguments.limits.options(start, &interrupt)?
    };
    let (language, grammar) = arguments.language.language_and_key(&name)?;
    let original: Contents = vec![Arc::new(text)];
    let mut header = Header {
        lopper: env!("CARGO_PKG_VERSION").to_owned(),
        name: name.clone(),
        input: Key(memo::key(&original)),
        test: Key(command.fingerprint()),
        language: language.name().to_owned(),
        grammar: grammar.map(Key),
        algorithm: options.algorithm.map(|algorithm| algorithm.name.to_owned()),
        search: options.search.name.to_owned(),
        passes: options.passes.iter().map(|pass| pass.name.to_owned()).collect(),
        limit: 0,
        memory: arguments.limits.memory(),
    };
    let (jobs, limit) = (options.jobs, arguments.limits.first_run());
    let names = std::slice::from_ref(&name);
    let log = Arc::new(Log::default());
    logging::begin(&log, session, &options);
    let local = Local::new(&command, names, jobs, interrupt.clone(), Some(super::executable()))?;
    let executor = Logged::new(Box::new(local), Arc::clone(&log));
    let mut test = ProcessTest::on(Box::new(executor), command, limit, interrupt);

    if let Some(Place { folder, past: Some(past), output }) = &earlier {
        header.limit = arguments.limits.timeout.map_or(past.header.limit, micros);
        header.memory = arguments.limits.named_memory().unwrap_or(past.header.memory);
        refuse_another_run(&past.header, &header, folder)?;
        refuse_edited_file(arguments, output, past)?;
    }
    test.memory = header.memory();
    let check = if earlier.is_some() { check::accepts } else { check::check };
    let first = match check(&test, &file, &original) {
        Ok(run) => run,
        Err(Fault::Interrupted | Fault::Cancelled) => return Ok(Exit::Interrupted),
        Err(Fault::Broken(error)) => return Err(error),
    };
    test.deadline = options.deadline;
    if earlier.is_none() {
        header.limit = micros(arguments.limits.run(first.time));
    }
    test.limit = header.limit();

    let Place { output, folder, past } = match earlier {
        Some(place) => place,
        None => {
            back_up(arguments, &file, &original[0])?;
            place::new(arguments, &file)?
        }
    };
    let output = Output::by_way_of(output, folder.temporary());
    if let Some(past) = &past {
        options.known = Arc::new(past.verdicts.clone());
    }
    let verdicts = options.known.len();
    let was_kept = past.as_ref().is_some_and(|past| past.finished);
    // The output of a run that goes on is what it was, but for a step back to the very beginning.
    let written = match past.as_ref().is_some_and(|past| !past.commits.is_empty()) {
        true if output.path().exists() => Ok(()),
        true => output.replace(&folder.best().unwrap_or_else(|_| original[0].to_vec())),
        false => output.replace(&original[0]),
    };
    if let Err(error) = written {
        if past.is_none() {
            folder.remove();
        }
        return Err(error);
    }
    // A run folder that cannot be written to shows where it matters, at the journal.
    let _ = log.open(&folder.log());
    logging::log_panics(Arc::clone(&log));
    let keeper = Keeper::new(folder, &header, session, past, Arc::clone(&log))?;
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
    let text = Arc::clone(&original[0]);
    let parse = move || Base { files: vec![Arc::new(Parsed::new(language, text.to_vec()))] };
    let test = Arc::new(test);
    let listeners = Listeners { progress, keeper, output, in_place: arguments.in_place };
    let (outcome, Listeners { mut progress, keeper, output, .. }) = reduce_in_background(
        (original.clone(), before),
        parse,
        Arc::clone(&test) as Arc<_>,
        &options,
        listeners,
        Listeners::hear,
    )?;
    progress.finish();

    let result = &outcome.contents[0];
    let lines = |text: &[u8]| text.split_inclusive(|&c| c == b'\n').count();
    let summary = Summary {
        before: (before, lines(&original[0])),
        after: (outcome.measure, lines(result)),
        stats: &outcome.stats,
        time: start.elapsed(),
        output: &output.path().to_string_lossy(),
    };
    let (ending, summary) = (ending(&outcome.end, &options), summary.text());
    if !arguments.limits.quiet {
        report::remark(&format!("{ending}\n{}", summary.trim_end()));
    }
    if arguments.diff {
        let names = (&*file.to_string_lossy(), &*output.path().to_string_lossy());
        report::answer(&report::diff(&original[0], result, names));
    }
    // The last look is not held up by a generous limit: nobody waits for it to find anything more.
    let verified = verify(&test, &outcome, test.limit.min(usual(first.time)));
    test.close();
    logging::end(&log, ending, &summary, outcome.end.error().or(verified.as_ref().err()));
    let finished = matches!(outcome.end, End::Fixpoint) && verified.is_ok();
    let kept = !finished || arguments.keep_run || was_kept || progress.has_bugs();
    if kept && !arguments.limits.quiet {
        report::remark(&kept_folder(finished, progress.has_bugs(), keeper.folder()));
    }
    keeper.finish(finished, kept);
    verified?;
    match outcome.end {
        End::Broken(error) => Err(error),
        End::Interrupted => Ok(Exit::Interrupted),
        _ if *result == original[0] => Ok(Exit::NothingToReduce),
        _ => Ok(Exit::Reduced),
    }
}

/// Who hears of what happens.
struct Listeners {
    progress: Progress,
    keeper: Keeper,
    output: Output,
    in_place: bool,
}

impl Listeners {
    fn hear(&mut self, event: &Event) -> Result<(), UserError> {
        self.progress.event(event);
        let is_best = self.keeper.hear(event)?;
        if let Event::Accepted { contents, .. } = event
            && is_best
        {
            // What the file may hold is what the journal knows, or going on would refuse it.
            if self.in_place {
                self.keeper.sync()?;
            }
            self.output.replace(&contents[0])?;
        }
        Ok(())
    }
}

fn kept_folder(finished: bool, bugs: bool, folder: &RunFolder) -> String {
    let shown = quoted(&folder.path().to_string_lossy());
    match (finished, bugs) {
        (false, _) => format!("the same command with --resume goes on; {shown} has the journal"),
        (true, true) => format!("{shown} has the log to send with a report"),
        (true, false) => format!("{shown} has the journal: see lopper replay and lopper undo"),
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A journal is of use only to the run that wrote it.
fn refuse_another_run(then: &Header, now: &Header, folder: &RunFolder) -> Result<(), UserError> {
    then.refuses(now).map_or(Ok(()), |reason| {
        let shown = folder.path().display();
        Err(UserError::usage(format!("the journal in '{shown}' is of another run"))
            .fact(reason)
            .help("without --resume a new run begins; with --output it has a place of its own")
            .help("remove the folder to start afresh there"))
    })
}

/// What `--in-place` is to go on with must be what it wrote, or it would overwrite somebody's work.
fn refuse_edited_file(arguments: &Arguments, output: &Path, past: &Past) -> Result<(), UserError> {
    let Some(content) = fs::read(output).ok().filter(|_| arguments.in_place) else { return Ok(()) };
    let key = Key(memo::key(&vec![Arc::new(content)]));
    if key == past.header.input || past.commits.iter().any(|commit| commit.key == key) {
        return Ok(());
    }
    Err(UserError::usage(format!("'{}' is not what the run wrote there", output.display()))
        .fact("going on would overwrite what was changed since")
        .help("save it elsewhere, and bring back the original from the file that ends in .orig"))
}

/// Where the original is: where a run in place goes on, its file holds the best program so far.
fn source(arguments: &Arguments, file: &Path, goes_on: bool) -> PathBuf {
    let backup = place::backup(file);
    if goes_on && arguments.in_place && backup.exists() { backup } else { file.to_owned() }
}

fn ending(end: &End, options: &Options) -> &'static str {
    match end {
        End::Fixpoint if options.algorithm.is_some() => "the algorithm has ended",
        End::Fixpoint => "no pass finds anything more",
        End::Tests => "the runs that --max-tests allows are used up",
        End::Time => "the time that --max-time allows is over",
        End::Interrupted => "interrupted; the result so far is kept",
        End::Broken(_) => "stopped by an error; the result so far is kept",
    }
}

/// The test must still accept what it accepted.
fn verify(test: &ProcessTest, outcome: &Outcome, limit: Duration) -> Result<(), UserError> {
    if matches!(outcome.end, End::Interrupted | End::Broken(_)) {
        return Ok(());
    }
    match test.run_in_the_end(&outcome.contents, limit) {
        Err(Fault::Broken(error)) => Err(error),
        Err(Fault::Interrupted | Fault::Cancelled) | Ok(Verdict::Interesting) => Ok(()),
        Ok(verdict) => Err(UserError::bad_test("the test no longer accepts the result")
            .fact(format!("it accepted this very file during the run, and says {verdict:?} now"))
            .help("its answer depends on more than the file: time, load, or chance")),
    }
}

fn test_and_file(arguments: &Arguments) -> Result<(TestCommand, PathBuf), UserError> {
    match (&arguments.paths[..], &arguments.command[..]) {
        ([test, file], []) => Ok((TestCommand::program(test)?, file.clone())),
        ([file], command @ [_, ..]) => Ok((TestCommand::line(command)?, file.clone())),
        ([_], []) => Err(UserError::usage("there is a file but no test")
            .help("lopper reduce TEST FILE, or lopper reduce FILE -- COMMAND {}")),
        _ => Err(UserError::usage("there is both a test and a command")
            .help("lopper reduce TEST FILE, or lopper reduce FILE -- COMMAND {}")),
    }
}

/// The input is touched only where that is asked for.
fn refuse_input_as_output(arguments: &Arguments, file: &Path) -> Result<(), UserError> {
    let same =
        |output: &PathBuf| matches!((output.canonicalize(), file.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if arguments.output.as_ref().is_some_and(same) {
        return Err(UserError::usage("the output is the input")
            .fact(format!("'{}' would be overwritten", file.display()))
            .help("--in-place does that, and keeps the original beside it"));
    }
    Ok(())
}

/// The bytes of the user's file.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, UserError> {
    let text = fs::read(file).map_err(|e| {
        UserError::usage(format!("the file '{}' cannot be read", file.display())).fact(e.to_string())
    })?;
    if u32::try_from(text.len()).is_err() {
        return Err(UserError::usage(format!("the file '{}' is too large", file.display()))
            .fact("files of 4 GiB and more cannot be reduced"));
    }
    Ok(text)
}

pub(super) fn file_name(file: &Path) -> Result<String, UserError> {
    let name = file.file_name().and_then(|n| n.to_str()).map(str::to_owned);
    name.ok_or_else(|| UserError::usage(format!("the name of '{}' is not UTF-8", file.display())))
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

/// Ctrl-C, SIGTERM and SIGHUP end the run, with the result kept; the second one ends it at once, and
/// leaves the cleaning to the helpers. What nohup(1) has let us ignore stays ignored.
pub(super) fn catch_signals() -> Result<Interrupt, UserError> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level::pipe};
    let register = || -> std::io::Result<Interrupt> {
        let (reader, writer) = std::os::unix::net::UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            let again = Arc::new(AtomicBool::new(false));
            flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, Arc::clone(&again))?;
            flag::register(signal, again)?;
            pipe::register(signal, writer.try_clone()?)?;
        }
        Ok(Interrupt::new(reader))
    };
    register().map_err(|e| UserError::usage("signals cannot be caught").fact(e.to_string()))
}

/// Whether this process was started with a signal ignored, as /proc tells it.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// With `--in-place` the original is saved first.
fn back_up(arguments: &Arguments, file: &Path, original: &[u8]) -> Result<(), UserError> {
    if !arguments.in_place {
        return Ok(());
    }
    let backup = Output::new(place::backup(file));
    if fs::read(backup.path()).is_ok_and(|old| old != original) {
        let shown = backup.path().display();
        return Err(UserError::usage(format!("the backup '{shown}' already exists"))
            .help("move it away, or name the result's place with --output"));
    }
    backup.replace(original)
}
