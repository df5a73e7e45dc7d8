//! Job objects: all processes that a process in a job starts are in the job, and die with it.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use win32job::{ExtendedLimitInfo, Job};

/// What is not promised here.
pub(crate) const SHORTCOMING: &str =
    "a process that a test starts in its first moment may survive the test, and --memory-limit has no effect";

/// Keeps Ctrl-C from a process (CREATE_NEW_PROCESS_GROUP).
const GROUP_OF_ITS_OWN: u32 = 0x0000_0200;

/// Makes a command start in a group of its own.
pub(crate) fn prepare(command: &mut Command) {
    command.creation_flags(GROUP_OF_ITS_OWN);
}

/// No list of processes is needed.
pub(crate) const LISTING: Option<[&str; 6]> = None;

/// A job that ends with its handle.
fn job() -> io::Result<Job> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    Job::create_with_limit_info(&limits).map_err(io::Error::other)
}

/// The job of a test, until it is killed.
#[derive(Debug)]
pub(crate) struct Group(Option<Job>);

impl Group {
    /// Puts a child into a job. Processes that it has started before are not in it.
    ///
    /// # Errors
    /// If there are no jobs here; then the child is killed.
    pub(crate) fn of(child: &mut Child) -> io::Result<Self> {
        let made = job().and_then(|job| {
            job.assign_process(child.as_raw_handle() as isize).map_err(io::Error::other)?;
            Ok(Self(Some(job)))
        });
        if made.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        made
    }

    /// All descendants are in the job.
    pub(crate) fn take_descendants(&mut self, _listing: &str) {}

    /// Processes cannot be asked to end here.
    pub(crate) fn ask(&self) -> bool {
        false
    }

    /// Kills all processes of the job.
    pub(crate) fn kill(&mut self) {
        self.0 = None;
    }
}

/// Waits for the end of a child.
pub(crate) fn wait(child: &mut Child) {
    let _ = child.wait();
}

/// An exit status as a number.
pub(crate) fn number_of(status: ExitStatus) -> i64 {
    status.code().unwrap_or_default().into()
}

/// The exit status that has this number.
pub(crate) fn status_of(number: i64) -> ExitStatus {
    ExitStatus::from_raw(number as u32)
}

/// What makes the tests of a helper end with it: a job with the helper itself.
#[derive(Debug)]
pub(crate) struct Guard {
    _job: Option<Job>,
}

impl Guard {
    /// A guard of this process, a helper. Its end ends the helper.
    pub(crate) fn new() -> Self {
        Self { _job: job().ok().filter(|job| job.assign_current_process().is_ok()) }
    }
}
