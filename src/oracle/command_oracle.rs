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

/// A command as the test.
#[derive(Debug)]
pub struct CommandOracle {
    /// The command.
    pub command: TestCommand,
    executor: Box<dyn Executor>,
    /// The time limit of a run.
    pub limit: Duration,
    /// The memory limit of a run, in bytes.
    pub memory: Option<u64>,
    /// The time at which every run is stopped, without a verdict.
    pub deadline: Option<Instant>,
}

impl CommandOracle {
    /// A test on this machine, with these paths of a candidate as arguments, for `workers` workers. This
    /// process starts it without helpers; [`Local::new`] describes the difference.
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

    /// As [`CommandOracle::new`], with helper processes. `helper` is the path of the `lopper` executable.
    /// Files get the permissions in `modes`.
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

    /// A test on an executor for this command.
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

    /// Runs the test on the final result, with a time limit of its own and without the deadline.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub fn run_in_the_end(&self, candidate: &Contents, limit: Duration) -> Result<Verdict, Fault> {
        let job = Job { limit, deadline: None, ..self.job(candidate, false) };
        self.executor.execute(0, &job).map(|run| run.verdict())
    }

    /// Ends all runs, and leaves no process and no file, even if this test is still shared: later runs fail.
    /// Returns a line for each file that could not be removed.
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
