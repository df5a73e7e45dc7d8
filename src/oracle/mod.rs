//! The oracle: what turns the bytes of a candidate into a verdict.

mod clean;
pub mod command;
pub mod command_oracle;
pub mod executor;
mod family;
pub mod folder;
pub mod helper;
pub mod interrupt;
pub mod local;
pub mod memory;
mod owner;
mod process;
pub mod watch;

use crate::error::UserError;

pub use lopper_engine::{Contents, NamedFile, Verdict, contents, memo};

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
