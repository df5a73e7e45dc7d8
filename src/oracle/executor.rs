//! The interface to the place where tests run, so that a cluster can replace this machine.

use super::{Contents, Fault, Verdict};
use std::fmt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The exit code for "cannot tell", as for `git bisect run`.
const CANNOT_TELL: i32 = 125;

/// A request for a run of one of the test's commands.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The candidate.
    pub candidate: &'a Contents,
    /// The number of the command.
    pub command: usize,
    /// The time limit.
    pub limit: Duration,
    /// The memory limit, in bytes.
    pub memory: Option<u64>,
    /// The time at which the run is stopped, without a verdict.
    pub deadline: Option<Instant>,
    /// Whether the output is kept.
    pub watch: bool,
}

/// The limit that ended a run of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
}

/// The answer of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict; `None` if there was no answer, from two processes.
    pub verdict: Option<Verdict>,
    /// What names the failure of a candidate that fails in another way.
    pub signature: Option<String>,
}

/// The result of a run of the test.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit status, or the limit that was reached. It is 0 if there is an answer.
    pub status: Result<ExitStatus, Limit>,
    /// The answer, if the command is a server.
    pub answer: Option<Answer>,
    /// The wall time.
    pub time: Duration,
    /// The standard output and the standard error, if the job asked for them: of each, the first and the last
    /// 256 KiB.
    pub output: [Vec<u8>; 2],
}

impl Run {
    /// The output as text: first the standard output, then the standard error.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.concat()).into_owned()
    }

    /// The last lines of the output.
    pub fn last_lines(&self, count: usize) -> Vec<String> {
        let text = self.text();
        let lines: Vec<&str> = text.trim_end().lines().collect();
        lines.iter().skip(lines.len().saturating_sub(count)).map(|line| (*line).to_owned()).collect()
    }

    /// The verdict on the candidate, by the answer of a server, or by the exit status alone.
    pub fn verdict(&self) -> Verdict {
        if let Some(answer) = &self.answer {
            return answer.verdict.unwrap_or(Verdict::Invalid);
        }
        match self.status {
            Err(Limit::Time) => Verdict::TimedOut,
            Err(Limit::Memory) => Verdict::OutOfMemory,
            Ok(status) if status.success() => Verdict::Interesting,
            Ok(status) if status.code() == Some(CANNOT_TELL) => Verdict::Invalid,
            Ok(_) => Verdict::Boring,
        }
    }
}

/// Runs the commands of a test on candidates for a number of workers, always with the same paths of a candidate
/// as arguments. A run must leave nothing behind when it ends: no process, no file.
pub trait Executor: fmt::Debug + Send + Sync {
    /// Runs a command on behalf of a worker; a worker runs one at a time.
    ///
    /// # Errors
    /// If there is no result: the run was cancelled or interrupted, or the command cannot be run.
    fn execute(&self, worker: usize, job: &Job) -> Result<Run, Fault>;

    /// Ends a worker's current run, if it is not too late. The run then returns `Fault::Cancelled`.
    fn cancel(&self, worker: usize);

    /// Ends all runs, and leaves nothing behind. Further runs return `Fault::Cancelled`.
    fn close(&self);

    /// A line for each file that runs left and that could not be removed, with the reason. Complete once the
    /// executor is closed.
    fn left(&self) -> Vec<String> {
        Vec::new()
    }

    /// The number of runs without an answer of the server, although it was asked in two processes.
    fn unanswered(&self) -> usize {
        0
    }

    /// Whether others need the machines that run it, so that runs in vain should be few.
    fn is_shared(&self) -> bool {
        false
    }

    /// A line for the log about all runs, if there is more to say than how many there were.
    fn account(&self) -> Option<String> {
        None
    }
}
