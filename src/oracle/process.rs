//! Running the user's test: the only file that starts processes.
//!
//! No shell and no polling: the test is spawned in a process group of its own, and one `poll` waits
//! for its end, the time limit and the user's interrupt. Whatever of the group is left afterwards is
//! killed before the test is reaped, while its process id cannot have been given to another.

use super::command::TestCommand;
use super::folder::WorkFolder;
use super::{Contents, Fault, Test, Verdict};
use crate::error::UserError;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::collections::BTreeSet;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The exit code that says "cannot tell", as for `git bisect run`.
const CANNOT_TELL: i32 = 125;
/// How long a test may take to end after SIGTERM before SIGKILL.
const GRACE: Duration = Duration::from_millis(200);
/// How much of the end of a test's output is kept for messages, in bytes.
const KEPT_OUTPUT: usize = 4096;

/// A pipe that becomes readable when the user wants to stop, and stays so.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<OwnedFd>);

impl Interrupt {
    /// From the reading end of a pipe; it is never read from.
    pub fn new(pipe: impl Into<OwnedFd>) -> Self {
        Self(Arc::new(pipe.into()))
    }

    /// Whether the user wants to stop.
    pub fn is_raised(&self) -> bool {
        let mut fds = [PollFd::new(&self.0, PollFlags::IN)];
        poll(&mut fds, Some(&Timespec::default())).is_ok_and(|n| n > 0)
    }
}

/// How one run of the test ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit status; `None` if the limit was reached.
    pub status: Option<ExitStatus>,
    /// How long it took.
    pub time: Duration,
    /// The end of what it printed, where that was asked for.
    pub output: String,
}

impl Run {
    /// What the run says of the candidate.
    pub fn verdict(&self) -> Verdict {
        match self.status {
            None => Verdict::TimedOut,
            Some(status) if status.success() => Verdict::Interesting,
            Some(status) if status.code() == Some(CANNOT_TELL) => Verdict::Invalid,
            Some(_) => Verdict::Boring,
        }
    }
}

/// Where a worker runs the test, one run at a time, and how to end it before its time.
#[derive(Debug)]
struct Worker {
    folder: Mutex<WorkFolder>,
    /// An event counter: above zero once the run is to be cancelled.
    cancel: OwnedFd,
}

/// A test that runs as a local process in a working folder.
#[derive(Debug)]
pub struct ProcessTest {
    /// What is run.
    pub command: TestCommand,
    workers: Vec<Worker>,
    /// How long one run may take.
    pub limit: Duration,
    /// When a run ends whatever it is at; there is no verdict then.
    pub deadline: Option<Instant>,
    interrupt: Interrupt,
}

impl ProcessTest {
    /// A test for candidates whose files have these names, for so many workers.
    ///
    /// # Errors
    /// If no working folder can be made.
    pub fn new(
        command: TestCommand,
        names: &[String],
        workers: usize,
        limit: Duration,
        interrupt: Interrupt,
    ) -> Result<Self, UserError> {
        let worker = |_| {
            let cancel = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(|e| {
                UserError::usage("no more files can be opened").fact(e.to_string()).help("use fewer --jobs")
            })?;
            Ok(Worker { folder: Mutex::new(WorkFolder::new(names)?), cancel })
        };
        // What a test leaves behind becomes our child, so that it can be found. Where the kernel
        // refuses that, only the process group is cleaned up.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let workers = (0..workers).map(worker).collect::<Result<_, _>>()?;
        Ok(Self { command, workers, limit, deadline: None, interrupt })
    }

    /// Runs the test once in its working folder and keeps the end of its output.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub fn run_and_watch(&self, candidate: &Contents) -> Result<Run, Fault> {
        self.in_folder(0, candidate, true)
    }

    fn in_folder(&self, worker: usize, candidate: &Contents, watch: bool) -> Result<Run, Fault> {
        let Worker { folder, cancel } = &self.workers[worker];
        let folder = folder.lock().unwrap_or_else(PoisonError::into_inner);
        // A cancellation that came too late for the last run is not meant for this one.
        let _ = rustix::io::read(cancel, &mut [0; 8]);
        folder.fill(candidate).map_err(Fault::Broken)?;
        let mut command = Command::new(&self.command.program);
        command
            .args(self.command.arguments(&folder.candidate()))
            .current_dir(&folder.cwd)
            .env("TMPDIR", &folder.tmp);
        let limits = Limits { run: self.limit, deadline: self.deadline };
        run(command, limits, [self.interrupt.0.as_fd(), cancel.as_fd()], watch)
    }

    /// Runs the test on a file where it lies, in the folder that the user is in: for finding out why
    /// a test fails elsewhere.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub fn run_in_place(&self, file: &std::path::Path) -> Result<Run, Fault> {
        let mut command = Command::new(&self.command.program);
        command.args(self.command.arguments(file));
        let limits = Limits { run: self.limit, deadline: self.deadline };
        run(command, limits, [self.interrupt.0.as_fd(), self.interrupt.0.as_fd()], true)
    }
}

impl Test for ProcessTest {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.in_folder(worker, candidate, false).map(|run| run.verdict())
    }

    fn cancel(&self, worker: usize) {
        // Fails only if the counter is full, and then it is above zero.
        let _ = rustix::io::write(&self.workers[worker].cancel, &1u64.to_ne_bytes());
    }
}

#[derive(Clone, Copy)]
struct Limits {
    /// How long the run may take.
    run: Duration,
    /// When it is cancelled.
    deadline: Option<Instant>,
}

/// Runs a command to its end, or until one of the two descriptors, interrupt and cancellation, can be
/// read.
fn run(mut command: Command, limits: Limits, stops: [BorrowedFd; 2], watch: bool) -> Result<Run, Fault> {
    let start = Instant::now();
    command.process_group(0).stdin(Stdio::null());
    let mut output = None;
    if watch {
        let piped = std::io::pipe().and_then(|(reader, writer)| {
            command.stdout(writer.try_clone()?).stderr(writer);
            Ok(reader)
        });
        output = Some(keep_end(piped.map_err(|e| cannot_start(&command, &e))?));
    } else {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    let mut running = running();
    let mut child = command.spawn().map_err(|e| cannot_start(&command, &e))?;
    running.insert(child.id());
    drop(running);
    // The command holds the pipe's writing end: without it the reader sees the end of the output.
    drop(command);
    let ended = wait(&child, start, limits, stops);
    if !matches!(ended, Ok(Ended::Itself)) {
        // Some leave the group without meaning to hide: timeout(1) does.
        let family = descendants(child.id());
        end_group(&child, Signal::TERM);
        family.iter().for_each(|pid| end(*pid, Signal::TERM));
        let _ = wait_for_end(&child, Some(GRACE));
        family.iter().for_each(|pid| end(*pid, Signal::KILL));
    }
    end_group(&child, Signal::KILL);
    let status = child.wait();
    end_orphans(child.id());
    let time = start.elapsed();
    let output = output.map(Output::text).unwrap_or_default();
    match ended.and_then(|ended| status.map(|status| (ended, status))) {
        Ok((Ended::Itself, status)) => Ok(Run { status: Some(status), time, output }),
        Ok((Ended::TooLate, _)) => Ok(Run { status: None, time, output }),
        Ok((Ended::Interrupted, _)) => Err(Fault::Interrupted),
        Ok((Ended::Cancelled, _)) => Err(Fault::Cancelled),
        Err(e) => Err(Fault::Broken(UserError::usage("waiting for the test failed").fact(e.to_string()))),
    }
}

enum Ended {
    Itself,
    TooLate,
    Interrupted,
    Cancelled,
}

/// Waits for the child's end, without reaping it.
fn wait(
    child: &Child,
    start: Instant,
    limits: Limits,
    [interrupt, cancel]: [BorrowedFd; 2],
) -> std::io::Result<Ended> {
    let pidfd = pidfd(child)?;
    let (end, too_late) = match limits.deadline {
        Some(deadline) if deadline < start + limits.run => (deadline, Ended::Cancelled),
        _ => (start + limits.run, Ended::TooLate),
    };
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let watched = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
        let mut fds = [watched(pidfd.as_fd()), watched(interrupt), watched(cancel)];
        let timeout = Timespec::try_from(left).ok();
        match poll(&mut fds, timeout.as_ref()) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(e) => return Err(e.into()),
            Ok(_) if !fds[0].revents().is_empty() => return Ok(Ended::Itself),
            Ok(_) if !fds[1].revents().is_empty() => return Ok(Ended::Interrupted),
            Ok(_) if !fds[2].revents().is_empty() => return Ok(Ended::Cancelled),
            Ok(_) if left.is_zero() => return Ok(too_late),
            Ok(_) => {}
        }
    }
}

fn wait_for_end(child: &Child, limit: Option<Duration>) -> std::io::Result<()> {
    let pidfd = pidfd(child)?;
    let timeout = limit.and_then(|l| Timespec::try_from(l).ok());
    poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], timeout.as_ref())?;
    Ok(())
}

fn pidfd(child: &Child) -> std::io::Result<OwnedFd> {
    Ok(pidfd_open(pid(child)?, PidfdFlags::empty())?)
}

fn pid(child: &Child) -> std::io::Result<Pid> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| std::io::Error::other("the test has no process id"))
}

/// The tests that run now, by process id. Held while one is started, so that no test is ever taken for
/// an orphan.
fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A test has ended. Once none runs, whatever children there are were left behind by one: by `setsid`,
/// or by forking twice. While another runs they may be its own, and are left alone.
fn end_orphans(test: u32) {
    let mut running = running();
    running.remove(&test);
    if !running.is_empty() {
        return;
    }
    for orphan in children(std::process::id()) {
        let family = descendants(orphan);
        family.iter().for_each(|pid| end(*pid, Signal::KILL));
        for pid in family {
            // What is killed becomes our child one by one, as its parent ends.
            let _ = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
        }
    }
}

/// A process, its children, theirs, and so on, as they are now.
fn descendants(pid: u32) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        open.extend(children(pid));
        found.extend(i32::try_from(pid).ok().and_then(Pid::from_raw));
    }
    found
}

/// The children of a process, as they are now.
fn children(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let of_task = |task: std::fs::DirEntry| {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()
    };
    tasks.flat_map(of_task).collect()
}

/// Signals a process; that it is gone is no error.
fn end(pid: Pid, signal: Signal) {
    let _ = rustix::process::kill_process(pid, signal);
}

/// Signals the whole group; that nothing is left of it is no error.
fn end_group(child: &Child, signal: Signal) {
    if let Ok(pid) = pid(child) {
        let _ = kill_process_group(pid, signal);
    }
}

fn cannot_start(command: &Command, e: &std::io::Error) -> Fault {
    let program = command.get_program().to_string_lossy();
    let mut error =
        UserError::bad_test(format!("the test '{program}' cannot be started")).fact(e.to_string());
    if e.kind() == std::io::ErrorKind::NotFound {
        error = error.help("does its first line name an interpreter that exists here?");
    } else if e.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) {
        error = error.help("does it start with a line such as #!/bin/sh?");
    }
    Fault::Broken(error)
}

/// The end of a test's output, as a thread reads it.
struct Output(Arc<Mutex<Vec<u8>>>, std::sync::mpsc::Receiver<()>);

/// Reads a pipe to its end in a thread, which is left alone: a grandchild may hold the other end.
fn keep_end(mut pipe: impl Read + AsFd + Send + 'static) -> Output {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let (done, ended) = std::sync::mpsc::channel();
    let shared = Arc::clone(&kept);
    std::thread::spawn(move || {
        let mut buffer = [0; 16 << 10];
        while let Ok(n @ 1..) = pipe.read(&mut buffer) {
            let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend_from_slice(&buffer[..n]);
            let surplus = kept.len().saturating_sub(KEPT_OUTPUT);
            kept.drain(..surplus);
        }
        let _ = done.send(());
    });
    Output(kept, ended)
}

impl Output {
    fn text(self) -> String {
        // The whole group is dead: what is not read within this time comes from elsewhere.
        let _ = self.1.recv_timeout(GRACE);
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}
