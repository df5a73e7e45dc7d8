//! Processes: the only file here that starts them.
//!
//! No shell and no polling: a test is spawned in its own process group, and one `poll` waits for its end, the
//! time limit, and the stops; only its memory, and a run that a busy machine holds up, are checked at intervals. The rest of the group is killed
//! before the test is reaped, as long as its process id cannot have been reused.

use super::family::{
    DEATH, children_of_tests, descendants, end, end_all_children, end_orphans, ends_before, family,
};
use super::kept::Output;
use super::{Verdict, load, memory};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The time between SIGTERM and SIGKILL for a test.
pub(super) const GRACE: Duration = Duration::from_millis(200);
/// The interval between checks of a test's memory. A machine can fill some hundred megabytes in this time.
pub(super) const LOOK: Duration = Duration::from_millis(50);
/// How long the start of a program is tried again if some process has it open for writing: it may be just
/// being replaced, or another thread may have just forked.
const BUSY: Duration = Duration::from_secs(1);
/// The cause of a run's end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cause {
    /// The test ended by itself.
    Itself(ExitStatus),
    /// The server answered with this verdict; the first output is the signature of the failure.
    Answered(Verdict),
    /// The server gave no answer, even in a second process; the first output is the reason.
    Unanswered,
    /// The server did not start; the first output is the reason, and empty if the time for all runs is over.
    NotReady,
    /// The time limit was reached.
    TooLate,
    /// The memory limit was reached.
    TooLarge,
    /// The stop with this index became readable.
    Stopped(usize),
}

/// The end of a run.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) cause: Cause,
    pub(super) time: Duration,
    /// The standard output and the standard error, if they were asked for.
    pub(super) output: [Vec<u8>; 2],
    /// A process that could not be killed, reported once.
    pub(super) survivor: Option<Pid>,
}

/// The bounds of a run that does not end by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a> {
    /// The time limit. A run that is [held up](load::holds_up) by a busy machine gets more.
    pub(super) limit: Duration,
    /// The time limit for the start of a server.
    pub(super) start: Duration,
    /// The memory limit, in bytes.
    pub(super) memory: Option<u64>,
    /// The run ends as soon as one of these is readable.
    pub(super) stops: &'a [BorrowedFd<'a>],
}

/// The longest time that a run with these bounds takes.
pub(super) fn longest(bounds: &Bounds) -> Duration {
    bounds.limit.saturating_mul(load::PATIENCE)
}

/// The process that runs a test. It decides which processes belong to the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    /// A helper: all its children belong to the test.
    Helper,
    /// Lopper, which may run several tests, and may have helpers.
    Lopper,
}

impl Parent {
    /// A test that is not reaped yet, and all known processes that it has started.
    fn family(self, test: u32) -> Vec<Pid> {
        match self {
            Self::Helper => children_of_tests(),
            Self::Lopper => descendants(test),
        }
    }

    /// Kills the processes that a reaped test left outside of its group; returns one that a helper could not
    /// kill.
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

/// Runs a program to its end, or until a bound is reached. It runs in the first of two folders of its own;
/// the second one is its TMPDIR.
///
/// # Errors
/// If the program cannot be started.
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
    command.args(arguments).process_group(0).stdin(null());
    command.current_dir(cwd).env("TMPDIR", tmp);
    let mut output = None;
    if watch {
        let (out, stdout) = io::pipe()?;
        let (err, stderr) = io::pipe()?;
        command.stdout(stdout).stderr(stderr);
        output = Some([Output::of(out)?, Output::of(err)?]);
    } else {
        command.stdout(null()).stderr(null());
    }
    family().marks(tmp);
    let mut child = spawn(&mut command)?;
    // The command holds the writing ends of the pipes; without it, their readers see the end of the output.
    drop(command);
    let stopped = watch_over(&child, start, bounds, parent);
    match stopped {
        Ok(None) => end_group(&child, Signal::KILL),
        // A test over its memory limit gets no grace: it would take even more.
        _ => end_tree(&child, !matches!(stopped, Ok(Some(Stop::Large))))?,
    }
    // A process that we may not kill, or that is stuck in the kernel, is left alone.
    let gone = matches!(stopped, Ok(None)) || ends_before(pid(&child)?, Instant::now() + DEATH);
    let ended = gone.then(|| child.wait());
    let survivor = parent.end_rest(child.id());
    let cause = match stopped? {
        None => Cause::Itself(ended.ok_or(io::ErrorKind::TimedOut)??),
        Some(Stop::Late) => Cause::TooLate,
        Some(Stop::Large) => Cause::TooLarge,
        Some(Stop::Asked(which)) => Cause::Stopped(which),
    };
    let output = output.map(|streams| streams.map(|stream| stream.bytes(GRACE))).unwrap_or_default();
    Ok(Ended { cause, time: start.elapsed(), output, survivor })
}

/// Kills a child, its group, and all that descend from it, without reaping it. With `gently`, they get a request
/// to end, and a moment for it.
///
/// # Errors
/// If the child has no process id.
pub(super) fn end_tree(child: &Child, gently: bool) -> io::Result<()> {
    // Some programs leave the group without hiding, such as timeout(1).
    let family = descendants(child.id());
    if gently {
        end_group(child, Signal::TERM);
        for pid in &family {
            let _ = end(*pid, Signal::TERM);
        }
        ends_before(pid(child)?, Instant::now() + GRACE);
    }
    for pid in &family {
        let _ = end(*pid, Signal::KILL);
    }
    end_group(child, Signal::KILL);
    Ok(())
}

/// Starts a server in its own process group, with pipes for its input and its two outputs, which are returned in
/// this order. It runs in a folder of its own, which is also its TMPDIR.
///
/// # Errors
/// If the program cannot be started.
pub(super) fn start_server(
    words: &[OsString],
    folder: &Path,
    protocol: u64,
) -> io::Result<(Child, [OwnedFd; 3])> {
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).process_group(0);
    command.current_dir(folder).env("TMPDIR", folder).env("LOPPER_PROTOCOL", protocol.to_string());
    let ((stdin, requests), (answers, stdout), (log, stderr)) = (io::pipe()?, io::pipe()?, io::pipe()?);
    command.stdin(stdin).stdout(stdout).stderr(stderr);
    let child = spawn(&mut command)?;
    Ok((child, [requests.into(), answers.into(), log.into()]))
}

/// The device that reads as an empty file. It is opened once: some compilers that run as root remove /dev/null when it is
/// the output of a failed compilation, and later tests must start nevertheless.
fn null() -> Stdio {
    static NULL: OnceLock<Option<File>> = OnceLock::new();
    let opened = NULL.get_or_init(|| File::options().read(true).write(true).open("/dev/null").ok());
    opened.as_ref().and_then(|null| null.try_clone().ok()).map_or_else(Stdio::null, Stdio::from)
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

/// Starts a helper in its own process group, so that a signal to our group does not end it before us. `folder`
/// holds everything that its tests write.
pub(super) fn start_helper(
    program: &Path,
    arguments: &[OsString],
    folder: &Path,
    control: OwnedFd,
) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(control).stdout(null()).stderr(null());
    let mut family = family();
    let child = command.spawn()?;
    family.has_helper(&child);
    family.marks(folder);
    Ok(child)
}

/// Runs this program itself once more, without input and output, and in the same process group: for code that may
/// crash or hang. `None` if it had to be killed at the end of the time.
///
/// # Errors
/// If it cannot be started.
#[cfg(feature = "cli")]
pub(crate) fn rehearse(arguments: &[OsString], limit: Duration) -> io::Result<Option<ExitStatus>> {
    let mut command = Command::new(crate::platform::executable());
    command.args(arguments).stdin(null()).stdout(null()).stderr(null());
    let mut child = command.spawn()?;
    let bounds = Bounds { limit, start: limit, memory: None, stops: &[] };
    if watch_over(&child, Instant::now(), &bounds, Parent::Lopper)?.is_some() {
        child.kill()?;
        child.wait()?;
        return Ok(None);
    }
    child.wait().map(Some)
}

/// Puts this program, with other arguments, in the place of this process; returns only if that fails.
#[cfg(feature = "cli")]
pub(crate) fn replace_this(arguments: &[&std::ffi::OsStr]) -> io::Error {
    Command::new(crate::platform::executable()).arg0("lopper").args(arguments).exec()
}

enum Stop {
    Late,
    Large,
    Asked(usize),
}

/// Waits for the child's end, without reaping it; returns the bound that was reached before, if any.
fn watch_over(child: &Child, start: Instant, bounds: &Bounds, parent: Parent) -> io::Result<Option<Stop>> {
    let pidfd = pidfd(child)?;
    let most = longest(bounds);
    let mut limit = bounds.limit;
    loop {
        let left = limit.saturating_sub(start.elapsed());
        let time = if bounds.memory.is_some() { left.min(LOOK) } else { left };
        match first_of(pidfd.as_fd(), bounds.stops, Timespec::try_from(time).ok())? {
            Some(0) => return Ok(None),
            Some(which) => return Ok(Some(Stop::Asked(which - 1))),
            None if left.is_zero() => {
                if start.elapsed() >= most || !load::holds_up(&parent.family(child.id()), bounds.limit) {
                    return Ok(Some(Stop::Late));
                }
                limit = (start.elapsed() + LOOK).min(most);
            }
            None => {}
        }
        if bounds.memory.is_some_and(|limit| memory::exceeds(&parent.family(child.id()), limit)) {
            return Ok(Some(Stop::Large));
        }
    }
}

/// The index of the first readable handle, where 0 is `fd`; `None` after the time, or earlier.
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

/// A handle that is readable once the child has ended.
pub(super) fn pidfd(child: &Child) -> io::Result<OwnedFd> {
    Ok(pidfd_open(pid(child)?, PidfdFlags::empty())?)
}

/// The process id of a child.
pub(super) fn pid(child: &Child) -> io::Result<Pid> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| io::Error::other("the test has no process id"))
}

/// Signals the whole group. It is not an error if the group is gone.
fn end_group(child: &Child, signal: Signal) {
    if let Ok(pid) = pid(child) {
        let _ = kill_process_group(pid, signal);
    }
}
