//! The helper: a small process for each worker, which starts the tests and outlives Lopper long enough
//! to leave nothing behind.
//!
//! It is this very program, started anew. It is the parent of all that a test leaves running (a
//! sub-reaper), so it knows what is to be killed without asking whose it is; and the end of file on its
//! control socket tells it that Lopper is gone, however that died. Lopper writes frames of 18 bytes: a
//! kind, whether the output is wanted, and limits in nanoseconds and in bytes of memory (0 is none). Each
//! run is answered by a frame of seventeen: how it ended, the exit status or error number, nanoseconds, and
//! how many bytes of output follow.

use super::folder::remove;
use super::process::{self, Bounds, End, Ended, Parent, end_all_children};
use rustix::fd::AsFd;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::Duration;

/// The subcommand that makes the program a helper. It is not for people.
pub const SUBCOMMAND: &str = "run-tests-for-lopper";

/// How large a file may grow that a test writes, in bytes: no candidate needs more, and a full disk
/// stops more than a reduction.
const FILE_SIZE: u64 = 4 << 30;

/// The kinds of frames that Lopper writes.
const RUN: u8 = b'r';
const STOP: u8 = b's';
const QUIT: u8 = b'q';
type Frame = [u8; 18];

fn frame(kind: u8, watch: bool, limit: Duration, memory: Option<u64>) -> Frame {
    let mut frame = [0; 18];
    frame[..2].copy_from_slice(&[kind, u8::from(watch)]);
    frame[2..10].copy_from_slice(&nanos(limit).to_le_bytes());
    frame[10..].copy_from_slice(&memory.unwrap_or(0).to_le_bytes());
    frame
}

/// The limits in a frame.
fn limits(frame: &Frame) -> (Duration, Option<u64>) {
    let number = |at: usize| {
        let mut eight = [0; 8];
        eight.copy_from_slice(&frame[at..at + 8]);
        u64::from_le_bytes(eight)
    };
    (Duration::from_nanos(number(2)), Some(number(10)).filter(|&bytes| bytes > 0))
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What a helper runs, and where.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The program and its arguments.
    pub(super) command: Vec<OsString>,
    /// The folder that is removed if Lopper dies; the other two are in it.
    pub(super) root: PathBuf,
    /// Where the test runs.
    pub(super) cwd: PathBuf,
    /// What TMPDIR names.
    pub(super) tmp: PathBuf,
}

impl Task {
    fn to_arguments(&self) -> Vec<OsString> {
        let folders = [&self.root, &self.cwd, &self.tmp].map(|path| path.clone().into_os_string());
        std::iter::once(SUBCOMMAND.into()).chain(folders).chain(self.command.iter().cloned()).collect()
    }

    fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut folder = || arguments.next().map(PathBuf::from);
        let (root, cwd, tmp) = (folder()?, folder()?, folder()?);
        Some(Self { command: arguments.collect(), root, cwd, tmp })
    }

    /// Runs the test once.
    pub(super) fn run(&self, bounds: &Bounds, watch: bool, parent: Parent) -> io::Result<Ended> {
        let (program, arguments) = self.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let place = Some((&*self.cwd, &*self.tmp));
        process::run(Path::new(program), arguments, place, bounds, watch, parent)
    }
}

/// Lopper's side of a helper.
#[derive(Debug)]
pub(super) struct Helper {
    child: Child,
    control: UnixStream,
}

impl Helper {
    /// Starts a helper; `program` is the path of Lopper's executable.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn start(program: &Path, task: &Task) -> io::Result<Self> {
        let (control, theirs) = UnixStream::pair()?;
        let child = process::start_helper(program, &task.to_arguments(), theirs.into())?;
        Ok(Self { child, control })
    }

    /// Lets the helper run the test once, until it ends or a bound is reached.
    ///
    /// # Errors
    /// `UnexpectedEof` or `BrokenPipe` if the helper is gone; else what starting the test gave.
    pub(super) fn run(&mut self, bounds: &Bounds, watch: bool) -> io::Result<Ended> {
        self.control.write_all(&frame(RUN, watch, bounds.limit, bounds.memory))?;
        let stopped = process::wait_for(self.control.as_fd(), bounds.stops)?;
        if stopped.is_some() {
            self.control.write_all(&frame(STOP, false, Duration::ZERO, None))?;
        }
        let mut head = [0; 17];
        self.control.read_exact(&mut head)?;
        let number = i32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        let mut eight = [0; 8];
        eight.copy_from_slice(&head[5..13]);
        let time = Duration::from_nanos(u64::from_le_bytes(eight));
        let length = u32::from_le_bytes([head[13], head[14], head[15], head[16]]);
        let mut output = Vec::new();
        (&self.control).take(length.into()).read_to_end(&mut output)?;
        let end = match head[0] {
            ITSELF => End::Itself(ExitStatus::from_raw(number)),
            TOO_LATE => End::TooLate,
            TOO_LARGE => End::TooLarge,
            STOPPED => End::Stopped(stopped.unwrap_or(0)),
            _ => return Err(io::Error::from_raw_os_error(number)),
        };
        Ok(Ended { end, time, output })
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // A helper that is gone already needs no word.
        let _ = self.control.write_all(&frame(QUIT, false, Duration::ZERO, None));
        process::end_helper(&mut self.child);
    }
}

/// How a run ended, as the helper says it.
const ITSELF: u8 = 0;
const TOO_LATE: u8 = 1;
const STOPPED: u8 = 2;
const FAILED: u8 = 3;
const TOO_LARGE: u8 = 4;

/// The life of a helper: runs tests until it is told to quit, or Lopper is gone.
///
/// # Errors
/// If it was not started by Lopper.
pub fn serve(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let task = Task::from_arguments(arguments).ok_or(io::ErrorKind::InvalidInput)?;
    let mut control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    limit(Resource::Fsize, FILE_SIZE);
    // What crashes here is meant to; nobody wants the core.
    limit(Resource::Core, 0);
    die_before_lopper();
    let quit = serve_runs(&task, &mut control);
    end_all_children(0);
    if !quit {
        remove(&task.root);
    }
    Ok(())
}

/// Where memory runs out, a test that eats it is to be killed, not Lopper: this process and what it
/// starts come first by half of the memory. Where the kernel has no such thing, it has its own choice.
fn die_before_lopper() {
    const SCORE: &str = "/proc/self/oom_score_adj";
    let now = std::fs::read_to_string(SCORE).ok().and_then(|score| score.trim().parse::<i32>().ok());
    if now.is_some_and(|score| score < 500) {
        let _ = std::fs::write(SCORE, "500");
    }
}

/// Lowers a limit for this process and what it starts; a test may raise it again as far as it might
/// before. A limit that cannot be set is none.
fn limit(resource: Resource, most: u64) {
    let old = getrlimit(resource);
    let current = Some(old.current.map_or(most, |now| now.min(most)));
    let _ = setrlimit(resource, Rlimit { current, ..old });
}

/// Serves until the end; says whether Lopper asked for it.
fn serve_runs(task: &Task, control: &mut UnixStream) -> bool {
    let mut frame: Frame = [0; 18];
    while control.read_exact(&mut frame).is_ok() {
        match frame[0] {
            QUIT => return true,
            RUN => {
                let (limit, memory) = limits(&frame);
                let bounds = Bounds { limit, memory, stops: &[control.as_fd()] };
                let ended = task.run(&bounds, frame[1] != 0, Parent::Helper);
                if control.write_all(&answer(ended)).is_err() {
                    break;
                }
            }
            // The run that was to be stopped had ended by itself.
            _ => {}
        }
    }
    false
}

fn answer(ended: io::Result<Ended>) -> Vec<u8> {
    let (kind, number, time, output) = match ended {
        Ok(Ended { end: End::Itself(status), time, output }) => (ITSELF, status.into_raw(), time, output),
        Ok(Ended { end: End::TooLate, time, output }) => (TOO_LATE, 0, time, output),
        Ok(Ended { end: End::TooLarge, time, output }) => (TOO_LARGE, 0, time, output),
        Ok(Ended { end: End::Stopped(_), time, output }) => (STOPPED, 0, time, output),
        Err(error) => (
            FAILED,
            error.raw_os_error().unwrap_or(rustix::io::Errno::INVAL.raw_os_error()),
            Duration::ZERO,
            Vec::new(),
        ),
    };
    let mut answer = vec![kind];
    answer.extend(number.to_le_bytes());
    answer.extend(nanos(time).to_le_bytes());
    answer.extend(u32::try_from(output.len()).unwrap_or(0).to_le_bytes());
    answer.extend(output);
    answer
}
