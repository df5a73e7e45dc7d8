//! This machine as an executor: a working folder and a helper process for each worker.

use super::Fault;
use super::command::TestCommand;
use super::executor::{Executor, Files, Job, Limit, Run};
use super::folder::WorkFolder;
use super::helper::{Helper, Task};
use super::interrupt::Interrupt;
use super::process::{Bounds, End, Ended, Parent};
use crate::error::UserError;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, OwnedFd};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Where a worker runs the test, one run at a time, and how to end it before its time.
#[derive(Debug)]
struct Worker {
    /// Empty once the executor is closed.
    seat: Mutex<Option<Seat>>,
    /// An event counter: above zero once the run is to be cancelled.
    cancel: OwnedFd,
}

#[derive(Debug)]
struct Seat {
    /// Started with the first run, before the folder is made; ends before the folder goes.
    helper: Option<Helper>,
    task: Task,
    folder: WorkFolder,
}

/// Runs the test as a local process in a working folder.
#[derive(Debug)]
pub struct Local {
    workers: Vec<Worker>,
    interrupt: Interrupt,
    /// The executable that is a helper if told to be one.
    helper: Option<PathBuf>,
    /// The test.
    test: TestCommand,
}

impl Local {
    /// For candidates whose files have these names, and so many workers. `helper` is the path of the
    /// `lopper` executable; without one, tests are started by this process itself, and what they leave
    /// behind outlives it if it is killed.
    ///
    /// # Errors
    /// If no working folder can be made.
    pub fn new(
        command: &TestCommand,
        names: &[String],
        workers: usize,
        interrupt: Interrupt,
        helper: Option<PathBuf>,
    ) -> Result<Self, UserError> {
        let worker = |_| {
            let cancel = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(|e| {
                UserError::usage("no more files can be opened").fact(e.to_string()).help("use fewer --jobs")
            })?;
            let folder = WorkFolder::new(names)?;
            let words = command.words(&[folder.candidate()]);
            let (root, cwd, tmp) = (folder.root.clone(), folder.cwd.clone(), folder.tmp.clone());
            let task = Task { command: words, root, cwd, tmp };
            Ok(Worker { seat: Mutex::new(Some(Seat { helper: None, task, folder })), cancel })
        };
        // What a test leaves behind becomes our child, so that it can be found. Where the kernel
        // refuses that, only the process group is cleaned up.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let workers = (0..workers).map(worker).collect::<Result<_, _>>()?;
        Ok(Self { workers, interrupt, helper, test: command.clone() })
    }

    /// Puts what the test runs on into its folder.
    fn prepare(&self, seat: &mut Seat, files: Files) -> Result<(), UserError> {
        let (files, arguments) = match files {
            Files::Candidate(candidate) => return seat.folder.fill(candidate),
            Files::Named { files, arguments } => (files, arguments),
        };
        seat.folder.fill_with(files.iter().map(|(name, content)| (name, &**content)))?;
        arguments.iter().try_for_each(|name| seat.folder.provide(name))?;
        let paths: Vec<PathBuf> = arguments.iter().map(|name| seat.folder.cwd.join(name)).collect();
        let words = self.test.words(&paths);
        if words != seat.task.command {
            // A helper runs one command all its life.
            (seat.helper, seat.task.command) = (None, words);
        }
        Ok(())
    }

    fn run(&self, seat: &mut Seat, bounds: &Bounds, watch: bool) -> io::Result<Ended> {
        let Some(program) = &self.helper else { return seat.task.run(bounds, watch, Parent::Lopper) };
        for last in [false, true] {
            match helper(seat, program)?.run(bounds, watch) {
                // Somebody killed it; it may have been the test.
                Err(e) if is_gone(&e) && !last => seat.helper = None,
                ended => return ended,
            }
        }
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

/// The helper of a seat, started if need be.
fn helper<'a>(seat: &'a mut Seat, program: &Path) -> io::Result<&'a mut Helper> {
    match &mut seat.helper {
        Some(helper) => Ok(helper),
        none => Ok(none.insert(Helper::start(program, &seat.task)?)),
    }
}

/// What a run that can be stopped by the user, then by a cancellation, says in the end. `hurried` if its
/// limit was the end of the time for all of them.
///
/// # Errors
/// If it has no verdict.
pub(super) fn outcome(ended: io::Result<Ended>, program: &Path, hurried: bool) -> Result<Run, Fault> {
    let Ended { end, time, output } = ended.map_err(|e| cannot_run(program, &e))?;
    let run = |status| Run { status, time, output: String::from_utf8_lossy(&output).into_owned() };
    match end {
        End::Itself(status) => Ok(run(Ok(status))),
        End::TooLate if hurried => Err(Fault::Cancelled),
        End::TooLate => Ok(run(Err(Limit::Time))),
        End::TooLarge => Ok(run(Err(Limit::Memory))),
        End::Stopped(0) => Err(Fault::Interrupted),
        End::Stopped(_) => Err(Fault::Cancelled),
    }
}

fn cannot_run(program: &Path, e: &io::Error) -> Fault {
    let shown = program.display();
    let mut error = UserError::bad_test(format!("the test '{shown}' cannot be started")).fact(e.to_string());
    if is_gone(e) {
        error = UserError::bad_test(format!("the test '{shown}' killed the process that runs it"))
            .fact("it did so twice on the same file")
            .help("let it kill what it has started itself, and nothing else");
    } else if e.kind() == io::ErrorKind::NotFound {
        error = error.help("does its first line name an interpreter that exists here?");
    } else if e.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) {
        error = error.help("does it start with a line such as #!/bin/sh?");
    }
    Fault::Broken(error)
}

fn is_gone(e: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    [BrokenPipe, ConnectionReset, UnexpectedEof].contains(&e.kind())
}

impl Executor for Local {
    fn execute(&self, worker: usize, job: &Job) -> Result<Run, Fault> {
        let Worker { seat, cancel } = &self.workers[worker];
        let mut seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(seat) = seat.as_mut() else { return Err(Fault::Cancelled) };
        // A cancellation that came too late for the last run is not meant for this one.
        let _ = rustix::io::read(cancel, &mut [0; 8]);
        if let Some(program) = &self.helper {
            helper(seat, program).map_err(|e| cannot_run(&self.test.program, &e))?;
        }
        self.prepare(seat, job.files).map_err(Fault::Broken)?;
        let left = job.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let limit = left.map_or(job.limit, |left| left.min(job.limit));
        let stops = [self.interrupt.as_fd(), cancel.as_fd()];
        let bounds = Bounds { limit, memory: job.memory, stops: &stops };
        let ended = self.run(seat, &bounds, job.watch);
        outcome(ended, &self.test.program, limit < job.limit)
    }

    fn cancel(&self, worker: usize) {
        // Fails only if the counter is full, and then it is above zero.
        let _ = rustix::io::write(&self.workers[worker].cancel, &1u64.to_ne_bytes());
    }

    fn close(&self) {
        for (number, worker) in self.workers.iter().enumerate() {
            self.cancel(number);
            *worker.seat.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}
