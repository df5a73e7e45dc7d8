//! The helper: a small process per worker, which starts the tests, and outlives Lopper long enough to leave
//! nothing behind.
//!
//! It is the same executable, started again. As a sub-reaper it becomes the parent of every process that a
//! test leaves running, so it knows which processes to kill. The end of file on its control socket tells it
//! that Lopper is gone, however Lopper died. Lopper writes frames of 43 bytes: a kind; the number of the
//! command; whether to keep the output; the limits of the run and of a server's start in nanoseconds, and of the
//! memory in bytes (0 is no limit); and the device and inode of the working folder, so that no other folder is
//! ever removed. The helper answers each run by a frame of 25 bytes: how the run ended; the exit status, verdict
//! or error number; nanoseconds; the numbers of bytes of standard output and standard error that follow; and a
//! process that could not be killed (0 is none). A command may be a server, which stays between the runs.

use super::clean::{self, PATIENCE, enter, look};
use super::family::{end, end_all_children, end_helper};
use super::folder::open_parent;
use super::process::{self, Bounds, Cause, Ended, Parent, first_of};
use super::question::Protocol;
use super::server::{self, Plan, Servers};
use super::{Verdict, owner};
use rustix::event::Timespec;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Mode, mkdirat};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, setrlimit};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// The subcommand that makes the program a helper. It is not for users.
pub(crate) const SUBCOMMAND: &str = "run-tests-for-lopper";

/// The largest size, in bytes, of a file that a test writes: no candidate needs more, and a full disk would
/// harm more than the reduction.
const FILE_SIZE: u64 = 4 << 30;

/// The time limit for a helper's answer after a run has ended. In this time it kills the remaining processes
/// and cleans up.
const ANSWER: Duration = Duration::from_secs(6);
/// The interval at which a helper that does not answer is woken up, since a test may have stopped it.
const WAKE: Duration = Duration::from_secs(1);

/// The subfolder of the working folder in which a server runs.
const HOME: &CStr = c"server";

/// The kinds of frames that Lopper writes.
const RUN: u8 = b'r';
const STOP: u8 = b's';
const QUIT: u8 = b'q';
type Frame = [u8; 43];

fn frame(kind: u8, command: u8, watch: bool, numbers: [u64; 5]) -> Frame {
    let mut frame = [0; 43];
    frame[..3].copy_from_slice(&[kind, command, u8::from(watch)]);
    for (place, number) in frame[3..].chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    frame
}

/// The numbers in a frame.
fn numbers(frame: &Frame) -> [u64; 5] {
    let mut numbers = [0; 5];
    for (number, bytes) in numbers.iter_mut().zip(frame[3..].chunks_exact(8)) {
        *number = bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    }
    numbers
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A command of a helper.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// The program and its arguments.
    pub(super) words: Vec<OsString>,
    /// If it is a server, the number of answers after which it is replaced; otherwise 0.
    pub(super) answers: u32,
}

/// The commands and the folders of a helper.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The commands.
    pub(super) commands: Vec<Words>,
    /// The paths that a server is told.
    pub(super) paths: Vec<PathBuf>,
    /// The folder to remove if Lopper dies; it holds the other two.
    pub(super) root: PathBuf,
    /// The folder in which the test runs.
    pub(super) cwd: PathBuf,
    /// The folder that TMPDIR names.
    pub(super) tmp: PathBuf,
}

impl Task {
    fn to_arguments(&self) -> Vec<OsString> {
        let folders = [&self.root, &self.cwd, &self.tmp].map(|path| path.clone().into_os_string());
        let mut arguments: Vec<OsString> = std::iter::once(SUBCOMMAND.into()).chain(folders).collect();
        arguments.push(self.paths.len().to_string().into());
        arguments.extend(self.paths.iter().map(OsString::from));
        for Words { words, answers } in &self.commands {
            arguments.push(answers.to_string().into());
            arguments.push(words.len().to_string().into());
            arguments.extend(words.iter().cloned());
        }
        arguments
    }

    fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut folder = || arguments.next().map(PathBuf::from);
        let (root, cwd, tmp) = (folder()?, folder()?, folder()?);
        let number = |word: OsString| word.to_str()?.parse::<u32>().ok();
        let length = number(arguments.next()?)?;
        let mut several = |length: u32| arguments.by_ref().take(length as usize).collect::<Vec<OsString>>();
        let paths = several(length).into_iter().map(PathBuf::from).collect();
        let mut commands = Vec::new();
        while let [answers, length] = &*several(2) {
            let (answers, length) = (number(answers.clone())?, number(length.clone())?);
            commands.push(Words { words: several(length), answers });
        }
        Some(Self { commands, paths, root, cwd, tmp })
    }

    /// The number of answers after which a command is replaced, if it is a server.
    fn answers(&self, command: usize) -> Option<u32> {
        self.commands.get(command).map(|command| command.answers).filter(|&answers| answers > 0)
    }

    /// The folder in which a server runs.
    fn home(&self) -> PathBuf {
        self.root.join(OsStr::from_bytes(HOME.to_bytes()))
    }

    /// The server that a command is, if it is one.
    fn plan(&self, command: usize) -> Option<Plan<'_>> {
        let answers = self.answers(command)?;
        let (words, paths, folder, tmp) = (&self.commands[command].words, &self.paths, &self.cwd, &self.tmp);
        Some(Plan { words, answers, paths, folder, tmp })
    }

    /// Runs a command, by its number, once. Only helpers run servers.
    pub(super) fn run(
        &self,
        command: usize,
        bounds: &Bounds,
        watch: bool,
        parent: Parent,
    ) -> io::Result<Ended> {
        if self.answers(command).is_some() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let words = self.commands.get(command).and_then(|command| command.words.split_first());
        let (program, arguments) = words.ok_or(io::ErrorKind::InvalidInput)?;
        let place = (&*self.cwd, &*self.tmp);
        process::run(Path::new(program), arguments, place, bounds, watch, parent)
    }
}

/// Lopper's side of a helper.
#[derive(Debug)]
pub(super) struct Helper {
    child: Child,
    control: UnixStream,
    /// Whether it did not answer in time. It cannot be used any more.
    pub(super) is_stuck: bool,
    /// Whether it removes the working folder when it ends, as it does when Lopper is gone. Then Lopper may be
    /// killed at any time, and one of the two still removes the folder.
    pub(super) removes_folder: bool,
}

impl Helper {
    /// Starts a helper; `program` is the path of Lopper's executable.
    ///
    /// # Errors
    /// If the helper cannot be started.
    pub(super) fn start(program: &Path, task: &Task) -> io::Result<Self> {
        let (control, theirs) = UnixStream::pair()?;
        control.set_read_timeout(Some(ANSWER))?;
        let child = process::start_helper(program, &task.to_arguments(), &task.root, theirs.into())?;
        Ok(Self { child, control, is_stuck: false, removes_folder: false })
    }

    /// Lets the helper run a command of the task, by its number, until it ends or a bound is reached. `folder` is
    /// the device and the inode of the working folder.
    ///
    /// # Errors
    /// `UnexpectedEof` or `BrokenPipe` if the helper is gone; otherwise the error of starting the test.
    pub(super) fn run(
        &mut self,
        task: &Task,
        command: usize,
        bounds: &Bounds,
        watch: bool,
        folder: [u64; 2],
    ) -> io::Result<Ended> {
        let start = Instant::now();
        let [device, inode] = folder;
        let limits = [nanos(bounds.limit), nanos(bounds.start), bounds.memory.unwrap_or(0), device, inode];
        let number = u8::try_from(command).map_err(|_| io::ErrorKind::InvalidInput)?;
        self.control.write_all(&frame(RUN, number, watch, limits))?;
        let most =
            task.answers(command).map_or_else(|| process::longest(bounds), |_| server::longest(bounds));
        let mut patience = most.saturating_add(ANSWER);
        let mut stopped = None;
        loop {
            let left = patience.saturating_sub(start.elapsed());
            let stops = if stopped.is_none() { bounds.stops } else { &[] };
            let time = Timespec::try_from(left.min(WAKE)).ok();
            match first_of(self.control.as_fd(), stops, time)? {
                Some(0) => {
                    let answer = self.answer(stopped.unwrap_or(0))?;
                    return answer.unwrap_or_else(|| Ok(self.stuck(start, stopped)));
                }
                Some(which) => {
                    stopped = Some(which - 1);
                    patience = start.elapsed() + ANSWER;
                    self.wake();
                    self.control.write_all(&frame(STOP, 0, false, [0; 5]))?;
                }
                None if left.is_zero() => return Ok(self.stuck(start, stopped)),
                None => self.wake(),
            }
        }
    }

    /// Reads how the run ended, or why it could not be started. `stopped` is the index of the stop that ended
    /// it, if one did. `None` if there is no answer in time.
    ///
    /// # Errors
    /// If the helper is gone.
    fn answer(&mut self, stopped: usize) -> io::Result<Option<io::Result<Ended>>> {
        let is_late = |e: &io::Error| e.kind() == io::ErrorKind::WouldBlock;
        let mut head = [0; 25];
        match self.control.read_exact(&mut head) {
            Err(e) if is_late(&e) => return Ok(None),
            read => read?,
        }
        let number = i32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        let mut eight = [0; 8];
        eight.copy_from_slice(&head[5..13]);
        let time = Duration::from_nanos(u64::from_le_bytes(eight));
        let four = |at: usize| [head[at], head[at + 1], head[at + 2], head[at + 3]];
        let lengths = [13, 17].map(|at| u32::from_le_bytes(four(at)));
        let survivor = Pid::from_raw(i32::from_le_bytes(four(21)).max(0));
        let mut output: [Vec<u8>; 2] = Default::default();
        for (stream, length) in output.iter_mut().zip(lengths) {
            match (&self.control).take(length.into()).read_to_end(stream) {
                Err(e) if is_late(&e) => return Ok(None),
                read => read?,
            };
        }
        let cause = match head[0] {
            ITSELF => Cause::Itself(ExitStatus::from_raw(number)),
            TOO_LATE => Cause::TooLate,
            TOO_LARGE => Cause::TooLarge,
            STOPPED => Cause::Stopped(stopped),
            ANSWERED => Cause::Answered(VERDICTS.get(number as usize).copied().unwrap_or(Verdict::Invalid)),
            UNANSWERED => Cause::Unanswered,
            NOT_READY => Cause::NotReady,
            _ => return Ok(Some(Err(io::Error::from_raw_os_error(number)))),
        };
        Ok(Some(Ok(Ended { cause, time, output, survivor })))
    }

    /// The end of a run whose helper does not answer.
    fn stuck(&mut self, start: Instant, stopped: Option<usize>) -> Ended {
        self.is_stuck = true;
        let cause = stopped.map_or(Cause::TooLate, Cause::Stopped);
        Ended { cause, time: start.elapsed(), output: Default::default(), survivor: None }
    }

    /// Continues the helper if it was stopped; otherwise this has no effect.
    fn wake(&self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = end(pid, Signal::CONT);
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // The write fails if the helper is gone already.
        let _ = match self.removes_folder {
            true => self.control.shutdown(std::net::Shutdown::Both),
            false => self.control.write_all(&frame(QUIT, 0, false, [0; 5])),
        };
        end_helper(&mut self.child, if self.is_stuck { Duration::ZERO } else { ANSWER });
    }
}

/// How a run ended, in the helper's answer.
const ITSELF: u8 = 0;
const TOO_LATE: u8 = 1;
const STOPPED: u8 = 2;
const FAILED: u8 = 3;
const TOO_LARGE: u8 = 4;
const ANSWERED: u8 = 5;
const UNANSWERED: u8 = 6;
const NOT_READY: u8 = 7;

/// The verdicts of a server, by their numbers in the helper's answer.
const VERDICTS: [Verdict; 3] = [Verdict::Interesting, Verdict::Boring, Verdict::Invalid];

/// The main function of a helper: runs tests until it is told to quit, or Lopper is gone. Servers speak this protocol.
///
/// # Errors
/// If it was not started by Lopper.
pub(crate) fn serve(arguments: impl Iterator<Item = OsString>, protocol: Protocol) -> io::Result<()> {
    let task = Task::from_arguments(arguments).ok_or(io::ErrorKind::InvalidInput)?;
    let mut control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    limit(Resource::Fsize, FILE_SIZE);
    // Tests crash on purpose; core files would be useless.
    limit(Resource::Core, 0);
    die_before_lopper();
    let mut folder = Folder::new(&task.root);
    let mut servers = Servers::new(protocol);
    let quit = serve_runs(&task, &mut control, &mut folder, &mut servers);
    servers.end(quit);
    end_all_children(0);
    if !quit && let Some(folder) = folder {
        // No process is left to report remaining files to.
        let _ = owner::remove(folder.parent.as_fd(), &folder.name, folder.identity, PATIENCE);
    }
    Ok(())
}

/// The working folder, as a helper holds it.
struct Folder {
    parent: OwnedFd,
    name: CString,
    /// Its device and inode, known since the first run.
    identity: Option<[u64; 2]>,
    /// The lock, so that no process takes the folder for abandoned.
    _lock: Option<OwnedFd>,
}

impl Folder {
    fn new(root: &Path) -> Option<Self> {
        let name = CString::new(root.file_name()?.as_bytes()).ok()?;
        Some(Self { parent: open_parent(root.parent()?).ok()?, name, identity: None, _lock: None })
    }

    /// Records the identity of the folder, which Lopper has created.
    fn is(&mut self, identity: [u64; 2]) {
        self.identity = Some(identity);
        let parent = self.parent.as_fd();
        let entered = look(parent, c"").and_then(|above| enter(parent, &self.name, above.identity));
        if let Ok((folder, seen)) = entered
            && seen.identity.numbers() == identity
        {
            self._lock = owner::share(folder.as_fd());
        }
    }

    /// Makes a new, empty subfolder for a server.
    fn renew_home(&self) -> io::Result<()> {
        let parent = self.parent.as_fd();
        let above = look(parent, c"")?.identity;
        let (folder, seen) = enter(parent, &self.name, above)?;
        if self.identity != Some(seen.identity.numbers()) {
            return Err(io::ErrorKind::NotFound.into());
        }
        // What stays makes the next step fail.
        let _ = clean::remove(folder.as_fd(), HOME, PATIENCE);
        Ok(mkdirat(&folder, HOME, Mode::RWXU)?)
    }
}

/// When memory runs out, the kernel should kill the test that uses it, not Lopper. So this process and its
/// descendants are preferred by half of the memory. A kernel without this feature makes its own choice.
fn die_before_lopper() {
    const SCORE: &str = "/proc/self/oom_score_adj";
    let now = std::fs::read_to_string(SCORE).ok().and_then(|score| score.trim().parse::<i32>().ok());
    if now.is_some_and(|score| score < 500) {
        let _ = std::fs::write(SCORE, "500");
    }
}

/// Lowers a limit for this process and its descendants. A test may raise it up to the former hard limit. If
/// the limit cannot be set, there is none.
fn limit(resource: Resource, most: u64) {
    let old = getrlimit(resource);
    let current = Some(old.current.map_or(most, |now| now.min(most)));
    let _ = setrlimit(resource, Rlimit { current, ..old });
}

/// Serves runs until the end; returns whether Lopper asked for the end.
fn serve_runs(
    task: &Task,
    control: &mut UnixStream,
    folder: &mut Option<Folder>,
    servers: &mut Servers,
) -> bool {
    let mut frame: Frame = [0; 43];
    while control.read_exact(&mut frame).is_ok() {
        match frame[0] {
            QUIT => return true,
            RUN => {
                let [limit, start, memory, device, inode] = numbers(&frame);
                if let Some(folder) = folder.as_mut().filter(|folder| folder.identity.is_none()) {
                    folder.is([device, inode]);
                }
                let [limit, start] = [limit, start].map(Duration::from_nanos);
                let memory = Some(memory).filter(|&bytes| bytes > 0);
                let bounds = Bounds { limit, start, memory, stops: &[control.as_fd()] };
                let (command, watch) = (usize::from(frame[1]), frame[2] != 0);
                let ended = match task.plan(command) {
                    Some(plan) => {
                        let home = || folder.as_ref().ok_or(io::ErrorKind::NotFound)?.renew_home();
                        servers.run(&plan, &bounds, watch, || home().map(|()| task.home()))
                    }
                    None => task.run(command, &bounds, watch, Parent::Helper),
                };
                if control.write_all(&answer(ended)).is_err() {
                    break;
                }
            }
            // A stop for a run that had ended by itself.
            _ => {}
        }
    }
    false
}

fn answer(ended: io::Result<Ended>) -> Vec<u8> {
    let (kind, number, ended) = match ended {
        Ok(ended) => match ended.cause {
            Cause::Itself(status) => (ITSELF, status.into_raw(), Some(ended)),
            Cause::TooLate => (TOO_LATE, 0, Some(ended)),
            Cause::TooLarge => (TOO_LARGE, 0, Some(ended)),
            Cause::Stopped(_) => (STOPPED, 0, Some(ended)),
            Cause::Answered(verdict) => {
                let number = VERDICTS.iter().position(|known| *known == verdict).unwrap_or(VERDICTS.len());
                (ANSWERED, number as i32, Some(ended))
            }
            Cause::Unanswered => (UNANSWERED, 0, Some(ended)),
            Cause::NotReady => (NOT_READY, 0, Some(ended)),
        },
        Err(e) => (FAILED, e.raw_os_error().unwrap_or(rustix::io::Errno::INVAL.raw_os_error()), None),
    };
    let time = ended.as_ref().map_or(Duration::ZERO, |ended| ended.time);
    let survivor =
        ended.as_ref().and_then(|ended| ended.survivor).map_or(0, |pid| pid.as_raw_nonzero().get());
    let output = ended.map(|ended| ended.output).unwrap_or_default();
    let mut answer = vec![kind];
    answer.extend(number.to_le_bytes());
    answer.extend(nanos(time).to_le_bytes());
    for stream in &output {
        answer.extend(u32::try_from(stream.len()).unwrap_or(0).to_le_bytes());
    }
    answer.extend(survivor.to_le_bytes());
    answer.extend(output.concat());
    answer
}
