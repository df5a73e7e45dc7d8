//! The oracle that runs a test's commands, and judges their results.

use super::contents::key;
use super::executor::{Executor, Job, Run};
use super::ground::Ground;
use super::interrupt::Interrupt;
use super::{Contents, Fault, Test, Timed, Verdict, local};
use crate::conditions::{Judgement, Remarks, Slips, TestPlan};
use crate::error::UserError;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Commands as the test.
#[derive(Debug)]
pub struct CommandOracle {
    /// The commands, and how their results are judged.
    pub plan: TestPlan,
    /// Candidates that failed in another way.
    pub slips: Arc<Slips>,
    /// Why candidates were refused, if somebody wants to know.
    pub remarks: Arc<Remarks>,
    executor: Box<dyn Executor>,
    /// The time limit of a run of a command.
    pub limit: Duration,
    /// The memory limit of a run, in bytes.
    pub memory: Option<u64>,
    /// The time at which every run is stopped, without a verdict.
    pub deadline: Option<Instant>,
}

impl CommandOracle {
    /// A test on this machine, with these paths of a candidate as arguments, for `workers` workers. This
    /// process starts it without helpers; [`local::executor`] describes the difference.
    ///
    /// # Errors
    /// If no working folder can be made.
    pub fn new(
        plan: impl Into<TestPlan>,
        arguments: &[Arc<Path>],
        workers: usize,
        limit: Duration,
        interrupt: Interrupt,
    ) -> Result<Self, UserError> {
        let plan = plan.into();
        let local = local::executor(plan.commands(), arguments, workers, interrupt, None, Ground::default())?;
        Ok(Self::on(local, plan, limit))
    }

    /// As [`CommandOracle::new`], with helper processes. `helper` is the path of the `lopper` executable.
    /// Every candidate stands on this ground.
    ///
    /// # Errors
    /// If no working folder can be made.
    pub fn with_helper(
        plan: TestPlan,
        arguments: &[Arc<Path>],
        workers: usize,
        limit: Duration,
        interrupt: Interrupt,
        helper: PathBuf,
        ground: Ground,
    ) -> Result<Self, UserError> {
        let local = local::executor(plan.commands(), arguments, workers, interrupt, Some(helper), ground)?;
        Ok(Self::on(local, plan, limit))
    }

    /// A test on an executor for its commands.
    pub fn on(executor: Box<dyn Executor>, plan: TestPlan, limit: Duration) -> Self {
        Self {
            plan,
            slips: Arc::default(),
            remarks: Arc::default(),
            executor,
            limit,
            memory: None,
            deadline: None,
        }
    }

    /// Judges a candidate and keeps the output.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub fn run_and_watch(&self, candidate: &Contents) -> Result<Judgement, Fault> {
        self.judge(0, candidate, self.limit, true)
    }

    /// Runs the main command, or else the first one, and keeps the output.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub fn run_first_command(&self, candidate: &Contents) -> Result<Run, Fault> {
        self.executor.execute(0, &self.job(candidate, 0, true))
    }

    /// Runs the test on the final result, with a time limit of its own and without the deadline.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub fn run_in_the_end(&self, candidate: &Contents, limit: Duration) -> Result<Verdict, Fault> {
        let run = |command, watch| {
            let job = Job { limit, deadline: None, ..self.job(candidate, command, watch) };
            self.executor.execute(0, &job)
        };
        self.plan.judge(candidate, false, run).map(|judgement| judgement.verdict)
    }

    /// Ends all runs, and leaves no process and no file, even if this test is still shared: later runs fail.
    /// Returns a line for each file that could not be removed.
    pub fn close(&self) -> Vec<String> {
        self.executor.close();
        self.executor.left()
    }

    /// The number of runs without an answer of the server, although it was asked in two processes.
    pub fn unanswered(&self) -> usize {
        self.executor.unanswered()
    }

    fn judge(
        &self,
        worker: usize,
        candidate: &Contents,
        limit: Duration,
        keeps_output: bool,
    ) -> Result<Judgement, Fault> {
        self.plan.judge(candidate, keeps_output, |command, watch| {
            self.executor.execute(worker, &Job { limit, ..self.job(candidate, command, watch) })
        })
    }

    fn job<'a>(&self, candidate: &'a Contents, command: usize, watch: bool) -> Job<'a> {
        Job { candidate, command, limit: self.limit, memory: self.memory, deadline: self.deadline, watch }
    }
}

impl Test for CommandOracle {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.run_within(worker, candidate, 0, None).map(|timed| timed.verdict)
    }

    fn run_within(
        &self,
        worker: usize,
        candidate: &Contents,
        _earlier: u32,
        limit: Option<Duration>,
    ) -> Result<Timed, Fault> {
        let limit = limit.unwrap_or(self.limit);
        let keeps_output = self.remarks.is_wanted();
        let judgement = self.judge(worker, candidate, limit, keeps_output)?;
        if keeps_output && judgement.verdict != Verdict::Interesting {
            // The exit code of a script says no more than the verdict.
            let unmet = judgement.unmet.as_deref().filter(|_| !self.plan.is_plain());
            self.remarks.add(key(candidate), unmet, &judgement.run);
        }
        let Judgement { verdict, slowest, slip, .. } = judgement;
        if let Some(slip) = slip {
            self.slips.add(slip, candidate);
        }
        Ok(Timed::new(verdict, slowest, limit))
    }

    fn cancel(&self, worker: usize) {
        self.executor.cancel(worker);
    }

    fn is_shared(&self) -> bool {
        self.executor.is_shared()
    }
}
