//! The oracle that runs a command: its exit status is the verdict.

use super::command::TestCommand;
use super::executor::{Executor, Job, Run};
use super::folder::Modes;
use super::interrupt::Interrupt;
use super::local::Local;
use super::{Contents, Fault, Test, Verdict};
use crate::error::UserError;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A test that is a command.
#[derive(Debug)]
pub struct CommandOracle {
    /// What is run.
    pub command: TestCommand,
    executor: Box<dyn Executor>,
    /// How long one run may take.
    pub limit: Duration,
    /// How many bytes of memory one run may hold.
    pub memory: Option<u64>,
    /// When a run ends whatever it is at; there is no verdict then.
    pub deadline: Option<Instant>,
}

impl CommandOracle {
    /// A test whose arguments are these paths in a candidate, for so many workers, on this machine. This
    /// process itself starts it; see [`Local::new`] for what a helper is better at.
    ///
    /// # Errors
    /// If no working folder can be made.
    pub fn new(
        command: TestCommand,
        arguments: &[Arc<Path>],
        workers: usize,
        limit: Duration,
        interrupt: Interrupt,
    ) -> Result<Self, UserError> {
        let local = Local::new(&command, arguments, workers, interrupt, None, Modes::new())?;
        Ok(Self::on(Box::new(local), command, limit))
    }

    /// The same with helper processes; `helper` is the path of the `lopper` executable. Files have the
    /// permissions that `modes` says.
    ///
    /// # Errors
    /// If no working folder can be made.
    pub fn with_helper(
        command: TestCommand,
        arguments: &[Arc<Path>],
        workers: usize,
        limit: Duration,
        interrupt: Interrupt,
        helper: PathBuf,
        modes: Modes,
    ) -> Result<Self, UserError> {
        let local = Local::new(&command, arguments, workers, interrupt, Some(helper), modes)?;
        Ok(Self::on(Box::new(local), command, limit))
    }

    /// A test on an executor that was made for this command.
    pub fn on(executor: Box<dyn Executor>, command: TestCommand, limit: Duration) -> Self {
        Self { command, executor, limit, memory: None, deadline: None }
    }

    /// Runs the test once and keeps the end of its output.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub fn run_and_watch(&self, candidate: &Contents) -> Result<Run, Fault> {
        self.executor.execute(0, &self.job(candidate, true))
    }

    /// Runs the test on what came of it all: with a limit of its own, and whatever the deadline was.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub fn run_in_the_end(&self, candidate: &Contents, limit: Duration) -> Result<Verdict, Fault> {
        let job = Job { limit, deadline: None, ..self.job(candidate, false) };
        self.executor.execute(0, &job).map(|run| run.verdict())
    }

    /// Ends what runs, and leaves no process and no file, even if somebody still has this test: it does
    /// not run any more. Gives what could not be removed, a line each.
    pub fn close(&self) -> Vec<String> {
        self.executor.close();
        self.executor.left()
    }

    fn job<'a>(&self, candidate: &'a Contents, watch: bool) -> Job<'a> {
        Job { candidate, limit: self.limit, memory: self.memory, deadline: self.deadline, watch }
    }
}

impl Test for CommandOracle {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.executor.execute(worker, &self.job(candidate, false)).map(|run| run.verdict())
    }

    fn cancel(&self, worker: usize) {
        self.executor.cancel(worker);
    }
}
