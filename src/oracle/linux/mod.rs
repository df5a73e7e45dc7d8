//! This machine as an executor on Linux, with a working folder and a helper process per worker: no process and no file
//! survives a run.

mod clean;
mod family;
mod folder;
mod helper;
mod load;
mod memory;
mod owner;
mod process;
mod refill;
// It draws with the random numbers of a crate that the library alone does without.
#[cfg(all(test, feature = "cli"))]
mod refilling;
mod server;

use super::command::TestCommand;
use super::executor::{Answer, Executor, Job, Limit, Run};
use super::ground::Ground;
use super::refused::{cannot_run, is_gone};
use super::shared::Shared;
use super::{Contents, Fault, NamedFile, Verdict, kept, question};
use crate::error::UserError;
use folder::{TempFolder, WorkFolder};
use helper::{Helper, Task, Words};
use process::{Bounds, Cause, Ended, Parent};
use server::START;

pub(super) use helper::{SUBCOMMAND, serve};
#[cfg(feature = "cli")]
pub(super) use process::{rehearse, replace_this};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, OwnedFd};
use std::io;
use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A worker's place for its runs, one at a time, and the means to cancel a run.
#[derive(Debug)]
struct Worker {
    /// The worker's folder and helper; `None` once the executor is closed.
    seat: Mutex<Option<Seat>>,
    /// An event counter, above zero if the run shall be cancelled.
    cancel: OwnedFd,
}

#[derive(Debug)]
struct Seat {
    /// The helper. It is started with the first run, before the folder is created, and ended before the
    /// folder is removed.
    helper: Option<Helper>,
    task: Task,
    folder: WorkFolder,
}

impl Seat {
    /// Ends the helper, which removes the folder as far as possible.
    fn end_helper(&mut self) {
        if let Some(helper) = &mut self.helper {
            helper.removes_folder = true;
        }
        self.helper = None;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.end_helper();
    }
}

/// Runs the test as a local process in a working folder.
#[derive(Debug)]
struct Local {
    workers: Vec<Worker>,
    shared: Shared,
    /// The number of runs without an answer of the server.
    unanswered: AtomicUsize,
}

impl Local {
    fn new(shared: Shared, workers: usize) -> Result<Self, UserError> {
        needs()?;
        let parent = Arc::new(TempFolder::new()?);
        owner::sweep(parent.handle());
        // A server may still have files of the last candidate open, and so may processes without a helper that ends
        // them.
        let reuses = shared.helper.is_some() && !shared.has_server();
        let worker = |_| {
            let cancel = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(|e| {
                UserError::usage("no more files can be opened").fact(e.to_string()).help("use fewer --jobs")
            })?;
            let folder = WorkFolder::new(Arc::clone(&parent), Arc::clone(&shared.ground), reuses)?;
            let task = task(&folder, &shared);
            Ok::<_, UserError>(Worker { seat: Mutex::new(Some(Seat { helper: None, task, folder })), cancel })
        };
        family::adopt(shared.helper.is_none());
        let workers = (0..workers).map(worker).collect::<Result<_, _>>()?;
        Ok(Self { workers, shared, unanswered: AtomicUsize::default() })
    }

    /// Writes the candidate to the folder in which the test runs.
    fn prepare(&self, seat: &mut Seat, candidate: &Contents) -> Result<(), UserError> {
        let root = seat.folder.root();
        seat.folder.fill(candidate)?;
        if seat.folder.root() != root {
            self.shared.note(seat.folder.take_left());
            // The command and the folder of a helper never change.
            seat.helper = None;
            seat.task = task(&seat.folder, &self.shared);
        }
        self.shared.folders(candidate).try_for_each(|path| seat.folder.provide(path))
    }

    fn run(&self, seat: &mut Seat, bounds: &Bounds, job: &Job) -> io::Result<Ended> {
        let Job { command, watch, .. } = *job;
        let Some(program) = &self.shared.helper else {
            return seat.task.run(command, bounds, watch, Parent::Lopper);
        };
        let folder = seat.folder.identity().ok_or(io::ErrorKind::NotFound)?;
        for last in [false, true] {
            let helper = helper(&mut seat.helper, &seat.task, program)?;
            let ended = helper.run(&seat.task, command, bounds, watch, folder);
            let is_stuck = seat.helper.as_ref().is_some_and(|helper| helper.is_stuck);
            if is_stuck {
                seat.helper = None;
            }
            // A process may still be there that changes files.
            if is_stuck || !matches!(ended, Ok(Ended { survivor: None, .. })) {
                seat.folder.forget();
            }
            match ended {
                // The helper was killed, maybe by the test.
                Err(e) if is_gone(&e) && !last => seat.helper = None,
                ended => return ended,
            }
        }
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

/// See [`super::local::executor`].
///
/// # Errors
/// If no working folder can be created, or this machine has no /proc or /dev/null.
pub(super) fn executor(shared: Shared, workers: usize) -> Result<Box<dyn Executor>, UserError> {
    Ok(Box::new(Local::new(shared, workers)?))
}

/// The helper of a seat, started if necessary.
fn helper<'a>(seat: &'a mut Option<Helper>, task: &Task, program: &Path) -> io::Result<&'a mut Helper> {
    match seat {
        Some(helper) => Ok(helper),
        none => Ok(none.insert(Helper::start(program, task)?)),
    }
}

fn task(folder: &WorkFolder, shared: &Shared) -> Task {
    let paths = shared.paths(&folder.work());
    let words = |command: &TestCommand| Words {
        words: command.words(&paths),
        answers: command.answers().map_or(0, NonZeroU32::get),
    };
    let commands = shared.commands.iter().map(words).collect();
    Task { commands, paths, root: folder.root(), cwd: folder.work(), tmp: folder.tmp() }
}

/// Checks for what every run needs: /proc, to find the processes that a test leaves running, and /dev/null.
fn needs() -> Result<(), UserError> {
    let missing = |title: &str| UserError::usage(title);
    if !Path::new("/proc/self").exists() {
        return Err(missing("there is no /proc here")
            .fact("Lopper needs it to find processes that a test leaves running")
            .help("mount -t proc proc /proc"));
    }
    let null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null");
    null.map(drop).map_err(|e| {
        missing("'/dev/null', the standard input of every test, cannot be opened")
            .fact(e.to_string())
            .help("mknod -m 666 /dev/null c 1 3")
    })
}

/// The result of a run that has two stops: the user's interrupt and a cancellation. `hurried` if its limit
/// came from the deadline of the whole run.
///
/// # Errors
/// If it has no verdict.
fn outcome(ended: io::Result<Ended>, program: &Path, hurried: bool) -> Result<Run, Fault> {
    let Ended { cause, time, output, .. } = ended.map_err(|e| cannot_run(program, &e))?;
    let run = |status| Run { status, answer: None, time, output: output.clone() };
    let answered = |verdict, output: [Vec<u8>; 2], signature| {
        let answer = Some(Answer { verdict, signature });
        Ok(Run { status: Ok(ExitStatus::default()), answer, time, output })
    };
    match cause {
        Cause::Itself(status) => Ok(run(Ok(status))),
        Cause::Answered(verdict) => {
            let [signature, log] = &output;
            let signature = Some(String::from_utf8_lossy(signature).into_owned()).filter(|s| !s.is_empty());
            answered(Some(verdict), [Vec::new(), log.clone()], signature)
        }
        Cause::Unanswered => answered(None, output, None),
        Cause::NotReady if output[0].is_empty() => Err(Fault::Cancelled),
        Cause::NotReady => Err(Fault::Broken(not_ready(program, &output))),
        Cause::TooLate if hurried => Err(Fault::Cancelled),
        Cause::TooLate => Ok(run(Err(Limit::Time))),
        Cause::TooLarge => Ok(run(Err(Limit::Memory))),
        Cause::Stopped(0) => Err(Fault::Interrupted),
        Cause::Stopped(_) => Err(Fault::Cancelled),
    }
}

/// The error for a server that did not start; the first output is the reason.
fn not_ready(program: &Path, [why, log]: &[Vec<u8>; 2]) -> UserError {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let error = UserError::bad_test(format!("the server '{}' does not start", program.display()));
    let (log, first) = (text(log), error.fact(text(why)));
    let lines: Vec<&str> = log.trim_end().lines().collect();
    let last = lines.iter().skip(lines.len().saturating_sub(10));
    let all = last.fold(first, |error, line| error.fact(format!("  {line}")));
    all.help("once it is ready, it has to write the line {\"protocol\": 1}: see docs/servers.md")
}

impl Executor for Local {
    fn execute(&self, worker: usize, job: &Job) -> Result<Run, Fault> {
        let Worker { seat, cancel } = &self.workers[worker];
        let test = &self.shared.commands[job.command].program;
        let mut seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(seat) = seat.as_mut() else { return Err(Fault::Cancelled) };
        // Clears a cancellation that came too late for the last run.
        let _ = rustix::io::read(cancel, &mut [0; 8]);
        if let Some(program) = &self.shared.helper {
            helper(&mut seat.helper, &seat.task, program).map_err(|e| cannot_run(test, &e))?;
        }
        self.prepare(seat, job.candidate).map_err(Fault::Broken)?;
        let left = job.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let [limit, start] =
            [job.limit, job.limit.max(START)].map(|limit| left.map_or(limit, |left| left.min(limit)));
        let stops = [self.shared.interrupt.as_fd(), cancel.as_fd()];
        let bounds = Bounds { limit, start, memory: job.memory, stops: &stops };
        let ended = self.run(seat, &bounds, job);
        if let Ok(Ended { survivor: Some(pid), .. }) = &ended {
            self.shared.note(vec![format!("process {}: it could not be killed", pid.as_raw_nonzero())]);
        }
        if let Ok(Ended { cause: Cause::Unanswered, .. }) = &ended {
            self.unanswered.fetch_add(1, Ordering::Relaxed);
        }
        outcome(ended, test, limit < job.limit)
    }

    fn cancel(&self, worker: usize) {
        // Fails only if the counter is full, and then it is above zero anyway.
        let _ = rustix::io::write(&self.workers[worker].cancel, &1u64.to_ne_bytes());
    }

    fn close(&self) {
        (0..self.workers.len()).for_each(|worker| self.cancel(worker));
        for worker in &self.workers {
            let seat = worker.seat.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(mut seat) = seat else { continue };
            seat.end_helper();
            seat.folder.remove();
            self.shared.note(seat.folder.take_left());
        }
    }

    fn left(&self) -> Vec<String> {
        self.shared.left()
    }

    fn unanswered(&self) -> usize {
        self.unanswered.load(Ordering::Relaxed)
    }
}
