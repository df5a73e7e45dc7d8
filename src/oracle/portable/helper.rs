//! The helper: a small process per worker, which starts the tests, and outlives Lopper long enough to end them.
//!
//! It is the same executable, started again. Lopper writes lines to its standard input: `run SERIAL COMMAND WATCH
//! NANOSECONDS` and `stop SERIAL`. The helper answers each run on its standard output: a line `SERIAL HOW NUMBER
//! NANOSECONDS LENGTH LENGTH`, then standard output and standard error of the test. At the end of its input, the helper
//! kills the test, removes the working folder, and ends: so it does however Lopper died.

use super::folder;
use super::group::{Guard, number_of, status_of};
use super::process::{self, Cause, Ended};
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

/// The subcommand that makes the program such a helper. It is not for users.
pub(crate) const SUBCOMMAND: &str = "run-tests-for-lopper-portably";

/// How long a helper may take to end once it should.
const END: Duration = Duration::from_secs(6);
/// The stack of a thread that reads, in bytes.
const STACK: usize = 128 << 10;

/// The commands and the folders of a helper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The commands, each with its arguments.
    pub(super) commands: Vec<Vec<OsString>>,
    /// The folder to remove at the end; it holds the other two.
    pub(super) root: PathBuf,
    /// The folder in which the test runs.
    pub(super) cwd: PathBuf,
    /// The folder for temporary files.
    pub(super) tmp: PathBuf,
}

impl Task {
    fn to_arguments(&self) -> Vec<OsString> {
        let folders = [&self.root, &self.cwd, &self.tmp].map(|path| path.clone().into_os_string());
        let mut arguments: Vec<OsString> = std::iter::once(SUBCOMMAND.into()).chain(folders).collect();
        for words in &self.commands {
            arguments.push(words.len().to_string().into());
            arguments.extend(words.iter().cloned());
        }
        arguments
    }

    fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut folder = || arguments.next().map(PathBuf::from);
        let (root, cwd, tmp) = (folder()?, folder()?, folder()?);
        let mut commands = Vec::new();
        while let Some(length) = arguments.next() {
            let length = length.to_str()?.parse().ok()?;
            commands.push(arguments.by_ref().take(length).collect());
        }
        Some(Self { commands, root, cwd, tmp })
    }

    /// Runs a command, by its number, until `stops` says so.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub(super) fn run(
        &self,
        command: usize,
        limit: Duration,
        watch: bool,
        stops: impl Fn() -> bool,
    ) -> io::Result<Ended> {
        let words = self.commands.get(command).ok_or(io::ErrorKind::InvalidInput)?;
        process::run(words, (&self.cwd, &self.tmp), limit, watch, stops)
    }
}

/// What Lopper hears about a worker.
#[derive(Debug)]
pub(super) enum News {
    /// The run with this number has ended, or could not begin.
    Answer(u64, io::Result<Ended>),
    /// The helper that was started with this run is gone.
    Gone(u64),
    /// The worker's run shall be cancelled.
    Cancel,
}

/// Lopper's side of a helper.
#[derive(Debug)]
pub(super) struct Helper {
    child: Child,
    orders: Option<ChildStdin>,
    pub(super) task: Task,
    /// The number of the run with which it was started.
    pub(super) first: u64,
}

impl Helper {
    /// Starts a helper before the run with the number `first`. A thread tells its answers.
    ///
    /// # Errors
    /// If the helper cannot be started.
    pub(super) fn start(
        program: &std::path::Path,
        task: &Task,
        first: u64,
        news: Sender<News>,
    ) -> io::Result<Self> {
        let mut child = process::start_helper(program, &task.to_arguments())?;
        let (orders, answers) = (child.stdin.take(), child.stdout.take());
        let helper = Self { child, orders, task: task.clone(), first };
        let mut answers = BufReader::new(answers.ok_or(io::ErrorKind::BrokenPipe)?);
        thread::Builder::new().stack_size(STACK).spawn(move || {
            while let Ok(Some((serial, ended))) = read(&mut answers) {
                if news.send(News::Answer(serial, ended)).is_err() {
                    return;
                }
            }
            let _ = news.send(News::Gone(first));
        })?;
        Ok(helper)
    }

    /// Orders a run.
    ///
    /// # Errors
    /// If the helper is gone.
    pub(super) fn run(
        &mut self,
        serial: u64,
        command: usize,
        watch: bool,
        limit: Duration,
    ) -> io::Result<()> {
        let nanos = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        self.order(&format!("run {serial} {command} {} {nanos}\n", u8::from(watch)))
    }

    /// Orders the end of a run.
    ///
    /// # Errors
    /// If the helper is gone.
    pub(super) fn stop(&mut self, serial: u64) -> io::Result<()> {
        self.order(&format!("stop {serial}\n"))
    }

    fn order(&mut self, line: &str) -> io::Result<()> {
        let orders = self.orders.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        orders.write_all(line.as_bytes()).and_then(|()| orders.flush())
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // The end of its input tells the helper to end.
        self.orders = None;
        process::end_helper(&mut self.child, END);
    }
}

/// Reads an answer; `None` at the end.
fn read(answers: &mut impl BufRead) -> io::Result<Option<(u64, io::Result<Ended>)>> {
    let mut line = String::new();
    answers.read_line(&mut line)?;
    let mut words = line.split_ascii_whitespace();
    let (Some(serial), Some(how)) = (words.next().and_then(|word| word.parse().ok()), words.next()) else {
        return Ok(None);
    };
    let [number, nanos, out, err] =
        std::array::from_fn(|_| words.next().and_then(|word| word.parse::<i64>().ok()).unwrap_or(0));
    let cause = match how {
        "itself" => Cause::Itself(status_of(number)),
        "late" => Cause::TooLate,
        "stopped" => Cause::Stopped,
        _ => return Ok(Some((serial, Err(io::Error::from_raw_os_error(number as i32))))),
    };
    let mut output: [Vec<u8>; 2] = Default::default();
    for (stream, length) in output.iter_mut().zip([out, err]) {
        answers.by_ref().take(length.unsigned_abs()).read_to_end(stream)?;
    }
    Ok(Some((serial, Ok(Ended { cause, time: Duration::from_nanos(nanos.unsigned_abs()), output }))))
}

/// The bytes of an answer.
fn written(serial: u64, ended: io::Result<Ended>) -> Vec<u8> {
    let (how, number, ended) = match ended {
        Ok(ended) => match ended.cause {
            Cause::Itself(status) => ("itself", number_of(status), Some(ended)),
            Cause::TooLate => ("late", 0, Some(ended)),
            Cause::Stopped => ("stopped", 0, Some(ended)),
        },
        Err(e) => ("failed", e.raw_os_error().unwrap_or_default().into(), None),
    };
    let time = ended.as_ref().map_or(0, |ended| ended.time.as_nanos());
    let [out, err] = ended.map(|ended| ended.output).unwrap_or_default();
    let line = format!("{serial} {how} {number} {time} {} {}\n", out.len(), err.len());
    [line.as_bytes(), &out, &err].concat()
}

/// An order of Lopper.
struct Order {
    serial: u64,
    command: usize,
    watch: bool,
    limit: Duration,
}

/// The main function of a helper.
///
/// # Errors
/// If it was not started by Lopper.
pub(crate) fn serve(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let task = Task::from_arguments(arguments).ok_or(io::ErrorKind::InvalidInput)?;
    let _guard = Guard::new();
    let (stopped, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let (tell, orders) = channel();
    let read = {
        let (stopped, is_over) = (Arc::clone(&stopped), Arc::clone(&is_over));
        move || {
            for line in io::stdin().lines().map_while(Result::ok) {
                let (word, numbers) = line.split_once(' ').unwrap_or_default();
                let mut numbers = numbers.split(' ').map_while(|number| number.parse::<u64>().ok());
                let mut number = || numbers.next().unwrap_or_default();
                let serial = number();
                if word == "stop" {
                    stopped.store(serial, Ordering::SeqCst);
                    continue;
                }
                let command = usize::try_from(number()).unwrap_or(usize::MAX);
                let (watch, limit) = (number() != 0, Duration::from_nanos(number()));
                if tell.send(Order { serial, command, watch, limit }).is_err() {
                    break;
                }
            }
            is_over.store(true, Ordering::SeqCst);
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(read)?;
    let mut answers = io::stdout();
    for Order { serial, command, watch, limit } in orders {
        let stops = || is_over.load(Ordering::SeqCst) || stopped.load(Ordering::SeqCst) == serial;
        let ended = task.run(command, limit, watch, stops);
        if answers.write_all(&written(serial, ended)).and_then(|()| answers.flush()).is_err() {
            break;
        }
    }
    // No process is left to report remaining files to.
    let _ = folder::remove(&task.root);
    Ok(())
}
