//! Processes: the only file here that starts them.
//!
//! A test is started in a group of its own, and one thread waits for its end. Another one waits for that, the time limit
//! and requests to stop, and then kills the group. The first process of the test is reaped last, since its id names the
//! group.

use super::group::{self, Group};
use crate::oracle::kept::Output;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The time between the request to end and the death of a test.
const GRACE: Duration = Duration::from_millis(200);
/// The time limit for the death of a process that was killed.
const DEATH: Duration = Duration::from_secs(2);
/// The interval between looks whether a run shall stop.
pub(super) const LOOK: Duration = Duration::from_millis(20);
/// The stack of a thread that waits, in bytes.
const STACK: usize = 64 << 10;

/// The cause of a run's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The test ended by itself.
    Itself(ExitStatus),
    /// The time limit was reached.
    TooLate,
    /// It was asked to stop.
    Stopped,
}

/// The end of a run.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) cause: Cause,
    pub(super) time: Duration,
    /// The standard output and the standard error, if they were asked for.
    pub(super) output: [Vec<u8>; 2],
}

/// A process that a thread waits for.
struct Waited {
    group: Group,
    ended: Receiver<()>,
    reap: Sender<()>,
    status: Receiver<io::Result<ExitStatus>>,
}

impl Waited {
    /// Starts a command, and waits for its end in a thread.
    fn start(command: &mut Command) -> io::Result<Self> {
        group::prepare(command);
        let mut child = command.spawn()?;
        let mut group = Group::of(&mut child)?;
        let ((done, ended), (reap, may_reap), (tell, status)) = (channel(), channel::<()>(), channel());
        let wait = move || {
            group::wait(&mut child);
            let _ = done.send(());
            // It is reaped in any case, even if nobody wants to know.
            let _ = may_reap.recv();
            let _ = tell.send(child.wait());
        };
        if let Err(e) = Builder::new().stack_size(STACK).spawn(wait) {
            group.kill();
            return Err(e);
        }
        Ok(Self { group, ended, reap, status })
    }

    /// Waits for the end; returns whether it came within this time.
    fn ends_within(&self, time: Duration) -> bool {
        !matches!(self.ended.recv_timeout(time), Err(RecvTimeoutError::Timeout))
    }

    /// Kills what is left of the group, and reaps the first process.
    ///
    /// # Errors
    /// If it does not end.
    fn finish(mut self) -> io::Result<ExitStatus> {
        self.group.kill();
        let _ = self.reap.send(());
        self.status.recv_timeout(DEATH).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Runs a program to its end, until the time limit, or until `stops` says so. It runs in the first of two folders of its
/// own; the second one is for temporary files.
///
/// # Errors
/// If the program cannot be started.
pub(super) fn run(
    words: &[OsString],
    (cwd, tmp): (&Path, &Path),
    limit: Duration,
    watch: bool,
    stops: impl Fn() -> bool,
) -> io::Result<Ended> {
    let start = Instant::now();
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(cwd).stdin(Stdio::null());
    command.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, tmp)));
    let mut output = None;
    if watch {
        let ((out, stdout), (err, stderr)) = (io::pipe()?, io::pipe()?);
        command.stdout(stdout).stderr(stderr);
        output = Some([Output::of(out)?, Output::of(err)?]);
    } else {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    let test = Waited::start(&mut command);
    // The command holds the writing ends of the pipes; without it, their readers see the end of the output.
    drop(command);
    let mut test = test?;
    let stopped = loop {
        let left = limit.saturating_sub(start.elapsed());
        if test.ends_within(left.min(LOOK)) {
            break None;
        }
        if stops() {
            break Some(Cause::Stopped);
        }
        if left.is_zero() {
            break Some(Cause::TooLate);
        }
    };
    if stopped.is_some() {
        test.group.take_descendants(&listing());
        if test.group.ask() {
            test.ends_within(GRACE);
        }
    }
    let status = test.finish();
    let cause = match stopped {
        Some(cause) => cause,
        None => Cause::Itself(status?),
    };
    let output = output.map(|streams| streams.map(|stream| stream.bytes(GRACE))).unwrap_or_default();
    Ok(Ended { cause, time: start.elapsed(), output })
}

/// The processes of this machine, if the group of a test needs them, and a program can list them.
fn listing() -> String {
    let Some([program, arguments @ ..]) = group::LISTING else { return String::new() };
    let listed = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output();
    listed.map_or_else(|_| String::new(), |listed| String::from_utf8_lossy(&listed.stdout).into_owned())
}

/// Starts a helper in a group of its own, so that a signal to ours does not end it before us. Its input and its output
/// are pipes.
///
/// # Errors
/// If it cannot be started.
pub(super) fn start_helper(program: &Path, arguments: &[OsString]) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    group::prepare(&mut command);
    command.spawn()
}

/// Kills a helper that does not end within this time.
pub(super) fn end_helper(child: &mut Child, patience: Duration) {
    let deadline = Instant::now() + patience;
    while matches!(child.try_wait(), Ok(None)) {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return;
        }
        std::thread::sleep(LOOK);
    }
}

/// Runs this program itself once more, without input and output: for code that may crash or hang. `None` if it had to be
/// killed at the end of the time.
///
/// # Errors
/// If it cannot be started.
#[cfg(feature = "cli")]
pub(crate) fn rehearse(arguments: &[OsString], limit: Duration) -> io::Result<Option<ExitStatus>> {
    let mut command = Command::new(crate::platform::executable());
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let test = Waited::start(&mut command)?;
    let in_time = test.ends_within(limit);
    let status = test.finish()?;
    Ok(in_time.then_some(status))
}

/// Runs this program with other arguments, and ends as it does; returns only if that fails.
#[cfg(feature = "cli")]
pub(crate) fn replace_this(arguments: &[&std::ffi::OsStr]) -> io::Error {
    match Command::new(crate::platform::executable()).args(arguments).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(e) => e,
    }
}
