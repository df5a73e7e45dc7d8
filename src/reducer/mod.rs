//! The library's main interface: reduces texts in memory, with a closure or a command as the test.

mod check;
mod closure;

use crate::error::UserError;
use crate::oracle::command::TestCommand;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::ground::Ground;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::{Contents, Fault, NamedFile, Test, Verdict, local, memory};
use crate::reduce::reduce;
use crate::run::{End, Event, Options, Reduced, Stats};
use crate::search::Kind;
use crate::time_limit::usual_limit;
use closure::Closure;
use lopper_engine::effort::Effort;
use lopper_languages::measure::{Goal, Measure};
use lopper_languages::{Language, Parsed, detect};
use lopper_passes::{Base, Pass};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

pub(crate) use check::FIRST_LIMIT;
#[cfg(feature = "cli")]
pub(crate) use check::measure;

/// The stack of the reduction's thread, in bytes: trees may be deep, and the caller's stack may be small.
const STACK: usize = 16 << 20;

/// A reduction that has not begun: its files, its options and its limits.
///
/// Everything is kept in memory. A reduction prints nothing and writes no files, except the candidates for a
/// command, in a temporary folder that is removed at the end. The result depends only on the files, the
/// passes, the search and the verdicts, not on [`jobs`](Self::jobs).
pub struct Reducer<'a> {
    files: Vec<(String, Vec<u8>)>,
    language: Option<&'static dyn Language>,
    options: Options,
    max_time: Option<Duration>,
    run_time: Option<Duration>,
    run_memory: Option<u64>,
    helper: Option<PathBuf>,
    listener: Box<dyn FnMut(&Event) + Send + 'a>,
}

/// The result of a reduction.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The names and texts of the smallest files found that the test accepts, in the given order.
    pub files: Vec<(String, Vec<u8>)>,
    /// The reason why the reduction ended.
    pub end: End,
    /// The measure of all files together at the beginning.
    pub before: Measure,
    /// The measure of all files together at the end.
    pub after: Measure,
    /// The accepted candidates, in order.
    pub history: Vec<Commit>,
    /// The number of test runs, and their verdicts.
    pub stats: Stats,
    /// Whether the test accepted the result once more at the end. This is not tested if the reduction was
    /// stopped or failed.
    pub confirmed: bool,
}

/// A candidate that became the best program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The pass that proposed it; `None` if the test refused a program that it had accepted, and an earlier
    /// one is the best again.
    pub pass: Option<&'static str>,
    /// Tokens of all files.
    pub tokens: usize,
    /// Bytes of all files.
    pub bytes: usize,
    /// Runs of the test until then.
    pub runs: usize,
}

impl Reduction {
    /// The text of the first file.
    pub fn text(&self) -> &[u8] {
        self.files.first().map_or(b"", |(_, text)| text)
    }
}

impl<'a> Reducer<'a> {
    /// A reduction of a text. The name decides the language, and is the name of the file that a command
    /// reads.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self {
            files: vec![(name.into(), text.into())],
            language: None,
            options: Options::default(),
            max_time: None,
            run_time: None,
            run_memory: None,
            helper: None,
            listener: Box::new(|_| {}),
        }
    }

    /// Adds a text that is reduced together with the others. It may become empty, but it stays.
    pub fn file(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), text.into()));
        self
    }

    /// Sets the language of all files, whatever their names: one of
    /// [`languages::all`](crate::languages::all), or a [grammar](crate::languages::grammar) of your own.
    pub fn language(mut self, language: &'static dyn Language) -> Self {
        self.language = Some(language);
        self
    }

    /// Sets the passes, in this order, in place of [`PASSES`](crate::passes::PASSES).
    pub fn passes(mut self, passes: impl IntoIterator<Item = &'static Pass>) -> Self {
        self.options.passes = passes.into_iter().collect();
        self
    }

    /// Sets the search, one of [`SEARCHES`](crate::search::SEARCHES). The default is the first of them.
    pub fn search(mut self, search: &'static Kind) -> Self {
        self.options.search = search;
        self
    }

    /// Sets what shall become as small as possible. The default is the number of tokens. Closures take no time, so
    /// [`Goal::Time`] needs a command.
    pub fn goal(mut self, goal: Goal) -> Self {
        self.options.goal = goal;
        self
    }

    /// Sets how many runs may be spent on leaving a local minimum. The default is [`Effort::Normal`].
    pub fn effort(mut self, effort: Effort) -> Self {
        self.options.effort = effort;
        self
    }

    /// Sets the number of tests that may run at once. The default is 1.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.jobs = jobs.max(1);
        self
    }

    /// Stops the reduction after this many runs of the test.
    pub fn max_tests(mut self, runs: usize) -> Self {
        self.options.max_tests = Some(runs);
        self
    }

    /// Stops the reduction after this time. A running command is stopped; a running closure, and the
    /// computation of a candidate, are finished first.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.max_time = Some(time);
        self
    }

    /// Sets the time limit for one run of a command. The default is 10 times the first run, and at least a
    /// second; it falls as the runs become faster. Closures have no time limit.
    pub fn run_time(mut self, time: Duration) -> Self {
        self.run_time = Some(time);
        self
    }

    /// Sets the memory limit for one run of a command, in bytes; 0 is no limit. The default is three quarters
    /// of the memory, divided by the number of processors, and at least 1 GiB.
    pub fn run_memory(mut self, bytes: u64) -> Self {
        self.run_memory = Some(bytes);
        self
    }

    /// Sets the path of the `lopper` executable, which then serves as a helper for commands. With it, no
    /// process that a command starts outlives this process, even if this process is killed. Without it, this
    /// process starts the commands, and becomes the parent of the processes that they leave running ("child
    /// subreaper"), so that it can end them.
    pub fn helper(mut self, lopper: impl Into<PathBuf>) -> Self {
        self.helper = Some(lopper.into());
        self
    }

    /// Stops the reduction as soon as the closure returns `true`. It is called between runs of the test.
    pub fn stop_when(mut self, is_to_stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.options.interrupted = Arc::new(is_to_stop);
        self
    }

    /// Calls the listener for every event, as it happens.
    pub fn listener(mut self, listener: impl FnMut(&Event) + Send + 'a) -> Self {
        self.listener = Box::new(listener);
        self
    }

    /// Reduces a single file as long as a closure accepts the candidate. The closure returns a [`Verdict`],
    /// or a `bool`: whether the failure is reproduced.
    ///
    /// # Errors
    /// If the closure does not accept the original, if it panics on it, or if there are
    /// several files. Later failures are in [`Reduction::end`].
    pub fn reduce<V: Into<Verdict>>(self, test: impl Fn(&[u8]) -> V + Sync) -> Result<Reduction, UserError> {
        if self.files.len() > 1 {
            return Err(UserError::usage("there are several files, and the test takes one")
                .help("reduce_files takes a test of all of them"));
        }
        self.reduce_files(|candidate| test(&candidate[0]))
    }

    /// Reduces all files as long as a closure accepts their candidates, which it gets in the given order.
    ///
    /// # Errors
    /// If the closure does not accept the originals, or panics on them. Later failures are in
    /// [`Reduction::end`].
    pub fn reduce_files<V: Into<Verdict>>(
        mut self,
        test: impl Fn(&Contents) -> V + Sync,
    ) -> Result<Reduction, UserError> {
        let original = self.original()?;
        let test = Closure(|candidate: &Contents| test(candidate).into());
        self.options.flicker = check::accepts(&test, &original)?;
        self.run(original, &test, &|best| test.run(0, best))
    }

    /// Reduces the files as long as a command accepts the candidate. The command exits with code 0 if the
    /// failure is reproduced, and with 125 if it cannot tell. It runs in a folder that holds only the files.
    /// `{}` stands for the path of the first file; without `{}`, that path is the last argument.
    ///
    /// # Errors
    /// If there is no such program, if it does not accept the originals, or if a file's name is a
    /// path or equals another one. Later failures are in [`Reduction::end`].
    pub fn reduce_with_command(self, command: &[impl AsRef<OsStr>]) -> Result<Reduction, UserError> {
        let words: Vec<OsString> = command.iter().map(|word| word.as_ref().to_owned()).collect();
        let command = TestCommand::line(&words)?;
        let original = self.original()?;
        self.check_names()?;
        let arguments: Vec<_> = original.iter().take(1).map(|file| Arc::clone(&file.path)).collect();
        // The request to stop comes through `stop_when`.
        let interrupt = Interrupt::never()
            .map_err(|e| UserError::usage("no more files can be opened").fact(e.to_string()))?;
        let jobs = self.options.jobs;
        let local = local::executor(
            std::slice::from_ref(&command),
            &arguments,
            jobs,
            interrupt,
            self.helper.clone(),
            Ground::default(),
        )?;
        let limit = self.run_time.unwrap_or(FIRST_LIMIT);
        let mut test = CommandOracle::on(local, command.into(), limit);
        test.memory = self.run_memory.or_else(memory::default_limit).filter(|bytes| *bytes > 0);
        let result = self.run_command(original, &mut test);
        test.close();
        result
    }

    fn run_command(mut self, original: Contents, test: &mut CommandOracle) -> Result<Reduction, UserError> {
        self.begin();
        let (first, flicker) = check::accepts_command(test, &original)?;
        self.options.flicker = flicker;
        test.limit = self.run_time.unwrap_or_else(|| usual_limit(first));
        self.options.limit = self.run_time.is_none().then_some(test.limit);
        self.options.first_run = first;
        test.deadline = self.options.deadline;
        let test = &*test;
        self.run(original, test, &|best| test.run_in_the_end(best, test.limit))
    }

    /// The original texts.
    ///
    /// # Errors
    /// If one is too large.
    fn original(&self) -> Result<Contents, UserError> {
        if let Some((name, _)) = self.files.iter().find(|(_, text)| u32::try_from(text.len()).is_err()) {
            return Err(UserError::usage(format!("the file '{name}' is too large"))
                .fact("files of 4 GiB and more cannot be reduced"));
        }
        Ok(self.files.iter().map(|(name, text)| NamedFile::new(name, text.clone())).collect())
    }

    /// Checks that all files can be in the same folder.
    ///
    /// # Errors
    /// If a name is a path, or equals another one.
    fn check_names(&self) -> Result<(), UserError> {
        for (i, (name, _)) in self.files.iter().enumerate() {
            if Path::new(name).file_name() != Some(OsStr::new(name)) {
                return Err(UserError::usage(format!("'{name}' is not the plain name of a file")));
            }
            if self.files[..i].iter().any(|(other, _)| other == name) {
                return Err(UserError::usage(format!("two files have the name '{name}'")));
            }
        }
        Ok(())
    }

    /// Starts the clock.
    fn begin(&mut self) {
        let end = self.max_time.take().and_then(|time| Instant::now().checked_add(time));
        self.options.deadline = self.options.deadline.or(end);
    }

    /// Reduces the original, which the test accepts; `confirm` tests the result once more.
    fn run(
        mut self,
        original: Contents,
        test: &dyn Test,
        confirm: &dyn Fn(&Contents) -> Result<Verdict, Fault>,
    ) -> Result<Reduction, UserError> {
        self.begin();
        // A program may find its files by their numbers, so every file stays in its place.
        self.options.passes.retain(|pass| !pass.several);
        let Self { files, language, options, mut listener, .. } = self;
        let languages: Vec<_> =
            files.iter().map(|(name, _)| language.unwrap_or_else(|| detect(name))).collect();
        let measures = languages.iter().zip(&original).map(|(l, file)| Measure::of(file, l.lexis()));
        let before = measures.fold(Measure::default(), Measure::plus);
        let mut history = Vec::new();
        // The last events: they are the result if a bug in Lopper ends the thread.
        let mut told = (original.clone(), before, Stats::default());
        let mut flickers = false;
        let hear = &mut |event: &Event| {
            match event {
                Event::Tested { stats, .. } => told.2 = (*stats).clone(),
                Event::Accepted { pass, contents, measure, runs, .. } => {
                    let Measure { tokens, bytes, .. } = *measure;
                    history.push(Commit { pass: *pass, tokens, bytes, runs: *runs });
                    (told.0, told.1) = ((*contents).clone(), *measure);
                }
                Event::Flickers { .. } => flickers = true,
                _ => {}
            }
            listener(event);
            Ok(())
        };
        let outcome = std::thread::scope(|scope| {
            let work = || {
                let parse = |(l, file): (&&'static dyn Language, &NamedFile)| {
                    Arc::new(Parsed::at(Arc::clone(&file.path), *l, file.to_vec()))
                };
                let base = Base { files: languages.iter().zip(&original).map(parse).collect() };
                reduce(base, test, &options, hear)
            };
            let thread = Builder::new().name("reduction".into()).stack_size(STACK);
            let thread = thread.spawn_scoped(scope, work).map_err(|e| UserError::no_threads(&e))?;
            Ok::<_, UserError>(thread.join().ok())
        })?;
        let (contents, measure, stats) = told;
        let broken = || Reduced { contents, measure, end: End::Broken(UserError::internal()), stats };
        let Reduced { contents, measure, end, stats } = outcome.unwrap_or_else(broken);
        let asks = matches!(end, End::Fixpoint | End::Tests | End::Time | End::Asked);
        // The driver has looked at the result of a complete run once more. If the test flickers, many runs have
        // confirmed the result, and one more would tell nothing.
        let is_confirmed = flickers || matches!(end, End::Fixpoint) && !history.is_empty();
        let confirmed = asks && (is_confirmed || matches!(confirm(&contents), Ok(Verdict::Interesting)));
        let names = files.into_iter().map(|(name, _)| name);
        let files = names.zip(contents.iter().map(|text| text.to_vec())).collect();
        Ok(Reduction { files, end, before, after: measure, history, stats, confirmed })
    }
}
