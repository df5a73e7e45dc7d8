//! The library's front door: reduces texts in memory, with a closure or a command as the test.

mod check;
mod closure;

use crate::error::UserError;
use crate::oracle::command::TestCommand;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::folder::Modes;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::local::Local;
use crate::oracle::{Contents, Fault, NamedFile, Test, Verdict, memory};
use crate::reduce::reduce;
use crate::run::{End, Event, Options, Reduced, Stats};
use crate::search::Kind;
use closure::Closure;
use lopper_languages::measure::Measure;
use lopper_languages::{Language, Parsed, detect};
use lopper_passes::{Base, Pass};
use std::ffi::{OsStr, OsString};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

pub(crate) use check::{FIRST_LIMIT, usual_limit};

/// Bytes of stack for a reduction: the caller's may be a small one, and trees may be deep.
const STACK: usize = 16 << 20;

/// A reduction that is yet to begin: what is reduced, what may be used, and how long it may take.
///
/// It keeps everything in memory: it writes no files, except for the candidates that a command is to read, in a
/// folder for temporary files that is removed in the end; and it prints nothing. The result depends on the
/// files, the passes, the search and the verdicts only, not on [`jobs`](Self::jobs).
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

/// What came of a reduction.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The names and the texts of the smallest files that the test accepts, in the order in which they were given.
    pub files: Vec<(String, Vec<u8>)>,
    /// Why it ended.
    pub end: End,
    /// How large the files were, all together.
    pub before: Measure,
    /// How large they are now.
    pub after: Measure,
    /// What was accepted, in order.
    pub history: Vec<Commit>,
    /// How often the test ran, and what it said.
    pub stats: Stats,
    /// Whether the test accepted the result once more in the end. It is not asked where the reduction was
    /// stopped or broke off.
    pub confirmed: bool,
}

/// A candidate that became the best program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The pass that proposed it; `None` where the test took back what it had said, and an earlier program
    /// is the best one again.
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
    /// Reduces a text. The name decides the language, and is that of the file that a command reads.
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

    /// Reduces one more text together with the others.
    pub fn file(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), text.into()));
        self
    }

    /// The language of all files, whatever their names: one of [`languages::all`](crate::languages::all), or a
    /// [grammar](crate::languages::grammar) of your own.
    pub fn language(mut self, language: &'static dyn Language) -> Self {
        self.language = Some(language);
        self
    }

    /// The passes, in this order, in place of [`PASSES`](crate::passes::PASSES).
    pub fn passes(mut self, passes: impl IntoIterator<Item = &'static Pass>) -> Self {
        self.options.passes = passes.into_iter().collect();
        self
    }

    /// The search, one of [`SEARCHES`](crate::search::SEARCHES), in place of the first one of them.
    pub fn search(mut self, search: &'static Kind) -> Self {
        self.options.search = search;
        self
    }

    /// How many tests may run at once: 1 where nothing else is said.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.jobs = jobs.max(1);
        self
    }

    /// Stop after so many runs of the test.
    pub fn max_tests(mut self, runs: usize) -> Self {
        self.options.max_tests = Some(runs);
        self
    }

    /// Stop after this time. A closure that runs then, and what is computed for a candidate, comes to its end
    /// first; a command is stopped.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.max_time = Some(time);
        self
    }

    /// How long one run of a command may take: where nothing else is said, 10 times as long as the first one, and
    /// at least a second. Closures have no limit.
    pub fn run_time(mut self, time: Duration) -> Self {
        self.run_time = Some(time);
        self
    }

    /// How many bytes of memory one run of a command may hold, 0 for any number: where nothing else is said,
    /// three quarters of what there is, divided by the number of processors, and at least 1 GiB.
    pub fn run_memory(mut self, bytes: u64) -> Self {
        self.run_memory = Some(bytes);
        self
    }

    /// The path of the `lopper` executable, as a helper for commands. With it, nothing that a command
    /// leaves running outlives this process, even if this process is killed. Without it, this process starts the
    /// commands, and becomes the parent of what they leave running ("child subreaper"), so that it can be ended.
    pub fn helper(mut self, lopper: impl Into<PathBuf>) -> Self {
        self.helper = Some(lopper.into());
        self
    }

    /// Stop as soon as this says so. It is asked between runs of the test.
    pub fn stop_when(mut self, is_to_stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.options.interrupted = Arc::new(is_to_stop);
        self
    }

    /// Tells this of everything that happens, as it happens.
    pub fn listener(mut self, listener: impl FnMut(&Event) + Send + 'a) -> Self {
        self.listener = Box::new(listener);
        self
    }

    /// Reduces the one file as long as a closure accepts what is left of it. It returns a [`Verdict`], or a
    /// `bool`: whether the failure is there.
    ///
    /// # Errors
    /// If the closure does not accept the file as it is, in two calls; if it panics then; and if there are
    /// several files. What fails later is in [`Reduction::end`].
    pub fn reduce<V: Into<Verdict>>(self, test: impl Fn(&[u8]) -> V + Sync) -> Result<Reduction, UserError> {
        if self.files.len() > 1 {
            return Err(UserError::usage("there are several files, and the test takes one")
                .help("reduce_files takes a test of all of them"));
        }
        self.reduce_files(|candidate| test(&candidate[0]))
    }

    /// Reduces all files as long as a closure accepts what is left of them, in the order in which they were given.
    ///
    /// # Errors
    /// If the closure does not accept the files as they are, in two calls, and if it panics then. What fails later
    /// is in [`Reduction::end`].
    pub fn reduce_files<V: Into<Verdict>>(
        self,
        test: impl Fn(&Contents) -> V + Sync,
    ) -> Result<Reduction, UserError> {
        let original = self.original()?;
        let test = Closure(|candidate: &Contents| test(candidate).into());
        check::accepts(&test, &original)?;
        self.run(original, &test, &|best| test.run(0, best))
    }

    /// Reduces the files as long as a command accepts what is left of them: it ends with exit code 0 if the
    /// failure is there, and with 125 if it cannot tell. It runs in a folder that holds the files only; `{}`
    /// stands for the path of the first one, which is the last argument if there is no `{}`.
    ///
    /// # Errors
    /// If there is no such program, or it does not accept the files as they are, in two runs; and if a file's name
    /// is a path, or that of another one. What fails later is in [`Reduction::end`].
    pub fn reduce_with_command(self, command: &[impl AsRef<OsStr>]) -> Result<Reduction, UserError> {
        let words: Vec<OsString> = command.iter().map(|word| word.as_ref().to_owned()).collect();
        let command = TestCommand::line(&words)?;
        let original = self.original()?;
        self.check_names()?;
        let arguments: Vec<_> = original.iter().take(1).map(|file| Arc::clone(&file.path)).collect();
        // Nobody ever writes to the other end: the wish to stop comes by way of `stop_when`.
        let (reader, _writer) = UnixStream::pair()
            .map_err(|e| UserError::usage("no more files can be opened").fact(e.to_string()))?;
        let interrupt = Interrupt::new(reader);
        let jobs = self.options.jobs;
        let local = Local::new(&command, &arguments, jobs, interrupt, self.helper.clone(), Modes::new())?;
        let limit = self.run_time.unwrap_or(FIRST_LIMIT);
        let mut test = CommandOracle::on(Box::new(local), command, limit);
        test.memory = self.run_memory.or_else(memory::default_limit).filter(|bytes| *bytes > 0);
        let result = self.run_command(original, &mut test);
        test.close();
        result
    }

    fn run_command(mut self, original: Contents, test: &mut CommandOracle) -> Result<Reduction, UserError> {
        self.begin();
        let first = check::accepts_command(test, &original)?;
        test.limit = self.run_time.unwrap_or_else(|| usual_limit(first));
        test.deadline = self.options.deadline;
        let test = &*test;
        self.run(original, test, &|best| test.run_in_the_end(best, test.limit))
    }

    /// The texts.
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

    /// Sees to it that the names can stand in one and the same folder.
    ///
    /// # Errors
    /// If one cannot.
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

    /// The time runs from here.
    fn begin(&mut self) {
        let end = self.max_time.take().and_then(|time| Instant::now().checked_add(time));
        self.options.deadline = self.options.deadline.or(end);
    }

    /// Reduces what the test accepts; `confirm` runs it once more on the result.
    fn run(
        mut self,
        original: Contents,
        test: &dyn Test,
        confirm: &dyn Fn(&Contents) -> Result<Verdict, Fault>,
    ) -> Result<Reduction, UserError> {
        self.begin();
        let Self { files, language, options, mut listener, .. } = self;
        let languages: Vec<_> =
            files.iter().map(|(name, _)| language.unwrap_or_else(|| detect(name))).collect();
        let measures = languages.iter().zip(&original).map(|(l, file)| Measure::of(file, l.lexis()));
        let before = measures.fold(Measure::default(), Measure::plus);
        let mut history = Vec::new();
        // What was told last: the outcome if a bug of ours ends the thread.
        let mut told = (original.clone(), before, Stats::default());
        let hear = &mut |event: &Event| {
            match event {
                Event::Tested { stats, .. } => told.2 = (*stats).clone(),
                Event::Accepted { pass, contents, measure, runs } => {
                    let Measure { tokens, bytes, .. } = *measure;
                    history.push(Commit { pass: *pass, tokens, bytes, runs: *runs });
                    (told.0, told.1) = ((*contents).clone(), *measure);
                }
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
        let asks = matches!(end, End::Fixpoint | End::Tests | End::Time);
        let confirmed = asks && matches!(confirm(&contents), Ok(Verdict::Interesting));
        let names = files.into_iter().map(|(name, _)| name);
        let files = names.zip(contents.iter().map(|text| text.to_vec())).collect();
        Ok(Reduction { files, end, before, after: measure, history, stats, confirmed })
    }
}
