//! Where runs of the test happen: an interface, so that a cluster can stand in for this machine.

use super::{Contents, Fault, Verdict};
use std::fmt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The exit code that says "cannot tell", as for `git bisect run`.
const CANNOT_TELL: i32 = 125;

/// A run of the test that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// What it runs on.
    pub candidate: &'a Contents,
    /// How long the run may take.
    pub limit: Duration,
    /// How many bytes of memory it may hold.
    pub memory: Option<u64>,
    /// When the run ends whatever it is at; there is no verdict then.
    pub deadline: Option<Instant>,
    /// Whether the end of what it prints is wanted.
    pub watch: bool,
}

/// What ended a run of the test that did not end by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// It took too long.
    Time,
    /// It held too much.
    Memory,
}

/// How a run of the test ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit status, or the limit that was reached.
    pub status: Result<ExitStatus, Limit>,
    /// How long it took.
    pub time: Duration,
    /// The end of what it printed, where that was asked for.
    pub output: String,
}

impl Run {
    /// What the run says of the candidate.
    pub fn verdict(&self) -> Verdict {
        match self.status {
            Err(Limit::Time) => Verdict::TimedOut,
            Err(Limit::Memory) => Verdict::OutOfMemory,
            Ok(status) if status.success() => Verdict::Interesting,
            Ok(status) if status.code() == Some(CANNOT_TELL) => Verdict::Invalid,
            Ok(_) => Verdict::Boring,
        }
    }
}

/// Runs one command on candidates, with the same paths in them as its arguments, for a number of workers. Nothing of a run may be left when it has
/// ended: no process, no file.
pub trait Executor: fmt::Debug + Send + Sync {
    /// Runs the command on behalf of a worker; a worker runs one at a time.
    ///
    /// # Errors
    /// When there is no verdict: the run was cancelled or interrupted, or the command cannot be run.
    fn execute(&self, worker: usize, job: &Job) -> Result<Run, Fault>;

    /// Ends what a worker runs now, which may come too late. The run is then `Fault::Cancelled`.
    fn cancel(&self, worker: usize);

    /// Ends what runs, and leaves nothing. Further runs are `Fault::Cancelled`.
    fn close(&self);

    /// What runs left that could not be removed, and why: a line each. Complete once the executor is closed.
    fn left(&self) -> Vec<String> {
        Vec::new()
    }
}
