//! This machine as an executor on any system: with what the standard library has, and the groups of processes that the
//! system has. It promises less than the executor for Linux, see [`SHORTCOMING`].

mod folder;
mod group;
mod helper;
mod process;

use super::executor::{Executor, Job, Limit, Run};
use super::question::Protocol;
use super::refused::{cannot_run, is_gone};
use super::shared::Shared;
use super::{Contents, Fault};
use crate::error::UserError;
use folder::WorkFolder;
use helper::{Helper, News, Task};
use process::{Cause, Ended, LOOK};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub(super) use group::SHORTCOMING;
pub(super) use helper::SUBCOMMAND;
#[cfg(feature = "cli")]
pub(super) use process::{rehearse, replace_this};

/// How long a helper may take to answer after a run should have ended.
const ANSWER: Duration = Duration::from_secs(6);

/// The main function of a helper. There are no servers here.
///
/// # Errors
/// If it was not started by Lopper.
pub(super) fn serve(arguments: impl Iterator<Item = OsString>, _protocol: Protocol) -> io::Result<()> {
    helper::serve(arguments)
}

/// See [`super::local::executor`].
///
/// # Errors
/// If the test is a server.
pub(super) fn executor(shared: Shared, workers: usize) -> Result<Box<dyn Executor>, UserError> {
    if shared.has_server() {
        return Err(UserError::usage("a server as the test needs Linux")
            .help("write a test that starts for each candidate, see docs/writing-a-test.md"));
    }
    folder::sweep();
    let worker = |_| {
        let (tell, news) = channel();
        let folder = WorkFolder::new(Arc::clone(&shared.ground));
        Worker { tell, seat: Mutex::new(Some(Seat { helper: None, folder, news, serial: 0 })) }
    };
    Ok(Box::new(Portable { workers: (0..workers).map(worker).collect(), shared }))
}

/// A worker's place for its runs, one at a time, and the means to cancel a run.
#[derive(Debug)]
struct Worker {
    tell: Sender<News>,
    /// The worker's folder and helper; `None` once the executor is closed.
    seat: Mutex<Option<Seat>>,
}

#[derive(Debug)]
struct Seat {
    /// The helper, which is ended before the folder is removed.
    helper: Option<Helper>,
    folder: WorkFolder,
    news: Receiver<News>,
    /// The number of the last run.
    serial: u64,
}

/// Why a run shall stop.
#[derive(Clone, Copy)]
enum Stop {
    Interrupted,
    Cancelled,
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Interrupted => Self::Interrupted,
            Stop::Cancelled => Self::Cancelled,
        }
    }
}

/// See the module.
#[derive(Debug)]
struct Portable {
    workers: Vec<Worker>,
    shared: Shared,
}

impl Portable {
    /// Writes the candidate to the folder in which the test runs.
    fn prepare(&self, seat: &mut Seat, candidate: &Contents) -> Result<(), UserError> {
        seat.folder.fill(candidate)?;
        self.shared.note(seat.folder.take_left());
        self.shared.folders(candidate).try_for_each(|path| seat.folder.provide(path))
    }

    /// The commands and folders of a seat.
    fn task(&self, folder: &WorkFolder) -> Task {
        let paths = self.shared.paths(&folder.work());
        let commands = self.shared.commands.iter().map(|command| command.words(&paths)).collect();
        Task { commands, root: folder.root().to_owned(), cwd: folder.work(), tmp: folder.tmp() }
    }

    /// Runs a command in this process.
    fn run_here(&self, seat: &Seat, job: &Job, limit: Duration) -> io::Result<(Ended, Option<Stop>)> {
        let why = std::cell::Cell::new(None);
        let stops = || {
            if self.shared.interrupt.is_raised() {
                why.set(Some(Stop::Interrupted));
            } else if matches!(seat.news.try_recv(), Ok(News::Cancel)) {
                why.set(Some(Stop::Cancelled));
            }
            why.get().is_some()
        };
        let ended = self.task(&seat.folder).run(job.command, limit, job.watch, stops)?;
        Ok((ended, why.get()))
    }

    /// Lets a helper run a command.
    ///
    /// # Errors
    /// `BrokenPipe` if the helper is gone; otherwise the error of starting the test.
    fn run_by_helper(
        &self,
        worker: &Worker,
        seat: &mut Seat,
        program: &Path,
        job: &Job,
        limit: Duration,
    ) -> io::Result<(Ended, Option<Stop>)> {
        seat.serial += 1;
        let (serial, start) = (seat.serial, Instant::now());
        let task = self.task(&seat.folder);
        if seat.helper.as_ref().is_none_or(|helper| helper.task != task) {
            // The old helper ends first, and removes its own folder.
            seat.helper = None;
            seat.helper = Some(Helper::start(program, &task, serial, worker.tell.clone())?);
        }
        let Some(helper) = &mut seat.helper else { return Err(io::ErrorKind::BrokenPipe.into()) };
        helper.run(serial, job.command, job.watch, limit)?;
        let (mut patience, mut why) = (limit.saturating_add(ANSWER), None);
        loop {
            let stop = match seat.news.recv_timeout(LOOK) {
                Ok(News::Answer(answered, ended)) if answered == serial => return Ok((ended?, why)),
                Ok(News::Gone(first)) if first == helper.first => {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
                Ok(News::Cancel) => Some(Stop::Cancelled),
                Ok(News::Answer(..) | News::Gone(_)) => None,
                Err(_) => self.shared.interrupt.is_raised().then_some(Stop::Interrupted),
            };
            if why.is_none() && stop.is_some() {
                why = stop;
                patience = start.elapsed() + ANSWER;
                helper.stop(serial)?;
            }
            if start.elapsed() > patience {
                seat.helper = None;
                let cause = why.map_or(Cause::TooLate, |_| Cause::Stopped);
                return Ok((Ended { cause, time: start.elapsed(), output: Default::default() }, why));
            }
        }
    }

    fn run(
        &self,
        worker: &Worker,
        seat: &mut Seat,
        job: &Job,
        limit: Duration,
    ) -> io::Result<(Ended, Option<Stop>)> {
        let Some(program) = &self.shared.helper else { return self.run_here(seat, job, limit) };
        match self.run_by_helper(worker, seat, program, job, limit) {
            // The helper was killed, maybe by the test.
            Err(e) if is_gone(&e) => {
                seat.helper = None;
                self.run_by_helper(worker, seat, program, job, limit)
            }
            ended => ended,
        }
    }
}

impl Executor for Portable {
    fn execute(&self, worker: usize, job: &Job) -> Result<Run, Fault> {
        let worker = &self.workers[worker];
        let mut seat = worker.seat.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(seat) = seat.as_mut() else { return Err(Fault::Cancelled) };
        // A cancellation that came too late for the last run.
        while seat.news.try_recv().is_ok() {}
        self.prepare(seat, job.candidate).map_err(Fault::Broken)?;
        let left = job.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let limit = left.map_or(job.limit, |left| left.min(job.limit));
        let ended = self.run(worker, seat, job, limit);
        let (Ended { cause, time, output }, why) =
            ended.map_err(|e| cannot_run(&self.shared.commands[job.command].program, &e))?;
        let run = |status| Run { status, answer: None, time, output };
        match cause {
            Cause::Itself(status) => Ok(run(Ok(status))),
            Cause::TooLate if limit < job.limit => Err(Fault::Cancelled),
            Cause::TooLate => Ok(run(Err(Limit::Time))),
            Cause::Stopped => Err(why.unwrap_or(Stop::Cancelled).into()),
        }
    }

    fn cancel(&self, worker: usize) {
        // The other end is in the worker's own seat.
        let _ = self.workers[worker].tell.send(News::Cancel);
    }

    fn close(&self) {
        (0..self.workers.len()).for_each(|worker| self.cancel(worker));
        for worker in &self.workers {
            let seat = worker.seat.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(mut seat) = seat else { continue };
            seat.helper = None;
            seat.folder.remove();
            self.shared.note(seat.folder.take_left());
        }
    }

    fn left(&self) -> Vec<String> {
        self.shared.left()
    }
}
