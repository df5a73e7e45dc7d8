//! The oracle: what turns the bytes of a candidate into a verdict.

pub mod command;
pub mod executor;
pub mod folder;
pub mod helper;
pub mod interrupt;
pub mod local;
pub mod memo;
pub mod memory;
mod process;
pub mod process_test;

use crate::error::UserError;
use std::sync::Arc;

/// What the user's test says of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The failure is reproduced.
    Interesting,
    /// A valid run without the failure.
    Boring,
    /// Cannot tell: the test ended with exit code 125, as for `git bisect run`.
    Invalid,
    /// The test took longer than its limit.
    TimedOut,
    /// The test held more memory than its limit.
    OutOfMemory,
}

/// Why there is no verdict.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The user stopped the run.
    Interrupted,
    /// Nobody wants the verdict any more.
    Cancelled,
    /// The test could not be run, for a reason that the user can mend.
    Broken(UserError),
}

/// The contents of all files of a candidate, in the order of the base's files.
pub type Contents = Vec<Arc<Vec<u8>>>;

/// The user's test, as the engine sees it. Scripted ones stand in for it in tests.
pub trait Test: Sync {
    /// Runs the test on a candidate, on behalf of a worker; a worker runs one test at a time.
    ///
    /// # Errors
    /// When there is no verdict at all.
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault>;

    /// Ends what a worker runs now, which may come too late. The run's verdict is then
    /// `Fault::Cancelled`.
    fn cancel(&self, worker: usize) {
        let _ = worker;
    }
}

impl<F: Fn(&Contents) -> Verdict + Sync> Test for F {
    fn run(&self, _worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        Ok(self(candidate))
    }
}
