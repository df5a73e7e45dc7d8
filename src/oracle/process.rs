//! Processes: the only file that starts them.
//!
//! No shell and no polling: a test is spawned in a process group of its own, and one `poll` waits for its
//! end, the time limit, and whatever else may stop it; only what memory it holds has to be looked up. What is
//! left of the group afterwards is killed before the test is reaped, while its process id cannot have been
//! given to another.

use super::family::{DEATH, children, descendants, end, end_all_children, end_orphans, ends_before, family};
use super::memory;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a test may take to end after SIGTERM before SIGKILL.
const GRACE: Duration = Duration::from_millis(200);
/// How often it is looked up how much memory a test holds: a machine can fill some hundred megabytes
/// meanwhile.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program that cannot be started since somebody has it open for writing is tried again: it may be
/// that it is being replaced, or that another thread has just forked.
const BUSY: Duration = Duration::from_secs(1);
/// How much of the end of a test's output is kept for messages, in bytes.
const KEPT_OUTPUT: usize = 64 << 10;

/// Why a run ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cause {
    /// By itself.
    Itself(ExitStatus),
    /// The time limit was reached.
    TooLate,
    /// It held more memory than it may.
    TooLarge,
    /// This one of the stops could be read.
    Stopped(usize),
}

/// How a run ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) cause: Cause,
    pub(super) time: Duration,
    /// The end of what it printed, where that was asked for.
    pub(super) output: Vec<u8>,
    /// A process that could not be killed, when that is found.
    pub(super) survivor: Option<Pid>,
}

/// What ends a run that does not end by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a> {
    /// How long it may take.
    pub(super) limit: Duration,
    /// How many bytes of memory it may hold.
    pub(super) memory: Option<u64>,
    /// It ends once one of these can be read.
    pub(super) stops: &'a [BorrowedFd<'a>],
}

/// Who runs a test: it tells what belongs to the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    /// A helper, all of whose children are the test's.
    Helper,
    /// Lopper, which may run several tests, and has helpers.
    Lopper,
}

impl Parent {
    /// All that a test that is not reaped yet has started, as far as that can be seen, and itself.
    fn family(self, test: u32) -> Vec<Pid> {
        match self {
            Self::Helper => children(std::process::id()).into_iter().flat_map(descendants).collect(),
            Self::Lopper => descendants(test),
        }
    }

    /// Kills what a test that is reaped left outside of its group; gives what a helper could not kill.
    fn end_rest(self, test: u32) -> Option<Pid> {
        match self {
            Self::Helper => end_all_children(test),
            Self::Lopper => {
                end_orphans(test);
                None
            }
        }
    }
}

/// Runs a program to its end, or until a bound is reached, in the first of two folders of its own; the second one
/// is its TMPDIR.
///
/// # Errors
/// If it cannot be started.
pub(super) fn run(
    program: &Path,
    arguments: &[OsString],
    (cwd, tmp): (&Path, &Path),
    bounds: &Bounds,
    watch: bool,
    parent: Parent,
) -> io::Result<Ended> {
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(Stdio::null());
    command.current_dir(cwd).env("TMPDIR", tmp);
    let mut output = None;
    if watch {
        let (reader, writer) = io::pipe()?;
        command.stdout(writer.try_clone()?).stderr(writer);
        output = Some(keep_end(reader)?);
    } else {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    family().marks(tmp);
    let mut child = spawn(&mut command)?;
    // The command holds the pipe's writing end: without it the reader sees the end of the output.
    drop(command);
    let stopped = watch_over(&child, start, bounds, parent);
    if !matches!(stopped, Ok(None)) {
        // Some leave the group without meaning to hide: timeout(1) does.
        let family = descendants(child.id());
        // What takes too much memory would take more.
        if !matches!(stopped, Ok(Some(Stop::Large))) {
            end_group(&child, Signal::TERM);
            for pid in &family {
                let _ = end(*pid, Signal::TERM);
            }
            ends_before(pid(&child)?, Instant::now() + GRACE);
        }
        for pid in &family {
            let _ = end(*pid, Signal::KILL);
        }
    }
    end_group(&child, Signal::KILL);
    // What may not be killed, or is in the kernel for ever, is left alone.
    let gone = matches!(stopped, Ok(None)) || ends_before(pid(&child)?, Instant::now() + DEATH);
    let ended = gone.then(|| child.wait());
    let survivor = parent.end_rest(child.id());
    let cause = match stopped? {
        None => Cause::Itself(ended.ok_or(io::ErrorKind::TimedOut)??),
        Some(Stop::Late) => Cause::TooLate,
        Some(Stop::Large) => Cause::TooLarge,
        Some(Stop::Asked(which)) => Cause::Stopped(which),
    };
    let output = output.map(Output::bytes).unwrap_or_default();
    Ok(Ended { cause, time: start.elapsed(), output, survivor })
}

/// Starts a test.
fn spawn(command: &mut Command) -> io::Result<Child> {
    let start = Instant::now();
    loop {
        let mut family = family();
        match command.spawn() {
            Ok(child) => {
                family.has_test(&child);
                return Ok(child);
            }
            Err(e) if e.kind() == io::ErrorKind::ExecutableFileBusy && start.elapsed() < BUSY => {}
            Err(e) => return Err(e),
        }
        drop(family);
        std::thread::sleep(BUSY / 100);
    }
}

/// Starts a helper in a group of its own: what is meant for us must not end it before us.
pub(super) fn start_helper(
    program: &Path,
    arguments: &[OsString],
    tmp: &Path,
    control: OwnedFd,
) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(control).stdout(Stdio::null()).stderr(Stdio::null());
    let mut family = family();
    let child = command.spawn()?;
    family.has_helper(&child);
    family.marks(tmp);
    Ok(child)
}

enum Stop {
    Late,
    Large,
    Asked(usize),
}

/// Waits for the child's end, without reaping it; says what came before it, if anything did.
fn watch_over(child: &Child, start: Instant, bounds: &Bounds, parent: Parent) -> io::Result<Option<Stop>> {
    let pidfd = pidfd(child)?;
    loop {
        let left = bounds.limit.saturating_sub(start.elapsed());
        let time = if bounds.memory.is_some() { left.min(LOOK) } else { left };
        match first_of(pidfd.as_fd(), bounds.stops, Timespec::try_from(time).ok())? {
            Some(0) => return Ok(None),
            Some(which) => return Ok(Some(Stop::Asked(which - 1))),
            None if left.is_zero() => return Ok(Some(Stop::Late)),
            None => {}
        }
        if bounds.memory.is_some_and(|limit| memory::exceeds(&parent.family(child.id()), limit)) {
            return Ok(Some(Stop::Large));
        }
    }
}

/// Which of these can be read: 0 is `fd`; `None` after the time, or earlier.
pub(super) fn first_of(
    fd: BorrowedFd,
    stops: &[BorrowedFd],
    time: Option<Timespec>,
) -> io::Result<Option<usize>> {
    let watched = std::iter::once(&fd).chain(stops);
    let mut fds: Vec<PollFd> = watched.map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
    match poll(&mut fds, time.as_ref()) {
        Err(rustix::io::Errno::INTR) => Ok(None),
        Err(e) => Err(e.into()),
        Ok(_) => Ok(fds.iter().position(|fd| !fd.revents().is_empty())),
    }
}

fn pidfd(child: &Child) -> io::Result<OwnedFd> {
    Ok(pidfd_open(pid(child)?, PidfdFlags::empty())?)
}

fn pid(child: &Child) -> io::Result<Pid> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| io::Error::other("the test has no process id"))
}

/// Signals the whole group; that nothing is left of it is no error.
fn end_group(child: &Child, signal: Signal) {
    if let Ok(pid) = pid(child) {
        let _ = kill_process_group(pid, signal);
    }
}

/// The end of a test's output, as a thread reads it.
struct Output(Arc<Mutex<Vec<u8>>>, std::sync::mpsc::Receiver<()>);

/// Reads a pipe to its end in a thread, which is left alone: a grandchild may hold the other end.
fn keep_end(mut pipe: impl Read + AsFd + Send + 'static) -> io::Result<Output> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let (done, ended) = std::sync::mpsc::channel();
    let shared = Arc::clone(&kept);
    std::thread::Builder::new().spawn(move || {
        let mut buffer = [0; 16 << 10];
        while let Ok(n @ 1..) = pipe.read(&mut buffer) {
            let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend_from_slice(&buffer[..n]);
            let surplus = kept.len().saturating_sub(KEPT_OUTPUT);
            kept.drain(..surplus);
        }
        let _ = done.send(());
    })?;
    Ok(Output(kept, ended))
}

impl Output {
    fn bytes(self) -> Vec<u8> {
        // The whole group is dead: what is not read within this time comes from elsewhere.
        let _ = self.1.recv_timeout(GRACE);
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone()
    }
}
