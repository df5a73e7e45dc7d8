//! The oracle turns a candidate into a verdict.

pub mod command;
pub mod command_oracle;
pub mod executor;
pub mod ground;
pub mod interrupt;
mod kept;
#[cfg(target_os = "linux")]
mod linux;
pub mod local;
pub mod memory;
mod portable;
#[cfg(feature = "cli")]
pub mod protocol;
pub mod question;
mod refused;
#[cfg(feature = "remote")]
pub mod remote;
#[cfg(feature = "cli")]
mod repeated;
mod shared;
#[cfg(any(feature = "cli", feature = "remote"))]
pub mod system;
mod timed;
pub mod watch;

use crate::error::UserError;
use std::time::Duration;

pub use local::{is_helper, serve_if_helper};
#[cfg(feature = "cli")]
pub use local::{rehearse, replace_this};
#[cfg(feature = "cli")]
pub use repeated::Repeated;
pub use timed::{Known, Timed, micros};

pub use lopper_engine::{Contents, NamedFile, Verdict, contents, memo};

/// The reason why there is no verdict.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The user stopped the run.
    Interrupted,
    /// The verdict is not needed any more.
    Cancelled,
    /// The test could not be run, for a reason that the user can fix.
    Broken(UserError),
}

/// The user's test, as the engine sees it. Tests of Lopper replace it by scripted ones.
pub trait Test: Sync {
    /// Runs the test on a candidate, on behalf of a worker; a worker runs one test at a time.
    ///
    /// # Errors
    /// If there is no verdict at all.
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault>;

    /// As [`Self::run`], for a candidate on which the test has been run `earlier` times. Only scripted tests
    /// need to know.
    ///
    /// # Errors
    /// As for [`Self::run`].
    fn run_again(&self, worker: usize, candidate: &Contents, earlier: u32) -> Result<Verdict, Fault> {
        let _ = earlier;
        self.run(worker, candidate)
    }

    /// As [`Self::run_again`], with a time limit in place of the test's own, and with the time of the run. Tests
    /// without commands have no limits.
    ///
    /// # Errors
    /// As for [`Self::run`].
    fn run_within(
        &self,
        worker: usize,
        candidate: &Contents,
        earlier: u32,
        limit: Option<Duration>,
    ) -> Result<Timed, Fault> {
        let _ = limit;
        self.run_again(worker, candidate, earlier).map(Timed::from)
    }

    /// Ends a worker's current run, if it is not too late. The run then returns `Fault::Cancelled`.
    fn cancel(&self, worker: usize) {
        let _ = worker;
    }

    /// Whether others need the machines that run it, so that runs in vain should be few.
    fn is_shared(&self) -> bool {
        false
    }
}

impl<F: Fn(&Contents) -> Verdict + Sync> Test for F {
    fn run(&self, _worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        Ok(self(candidate))
    }
}
