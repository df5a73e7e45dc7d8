//! A cluster with the Remote Execution API as an executor.
//!
//! A run of a command is an action: a tree of files, a command line and a time limit, all named by their hashes. The
//! cluster gets only what it lacks, and its cache answers what it has run before. Everything asynchronous stays in here.

mod address;
mod channel;
mod cluster;
mod execution;
mod fallback;
mod program;
mod store;
mod tree;
mod trouble;

pub use address::Address;
pub use channel::{Access, Token};
pub use cluster::{Cluster, Settings};
pub use fallback::Fallback;

use super::command::TestCommand;
use super::executor::{Executor, Job, Limit, Run};
use super::ground::Ground;
use super::interrupt::Interrupt;
use super::{Fault, contents};
use crate::error::UserError;
use crate::platform;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::protobuf::{Duration as Seconds, Timestamp};
use execution::{Ended, Execution};
use program::{Program, STATUS};
use prost::Message;
use std::collections::HashMap;
use std::path::Path;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tree::{Blob, Digest, Hashed};
use trouble::failed;

/// The time between two looks at whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Why a run is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stop {
    #[default]
    No,
    Interrupted,
    Closed,
}

/// Runs the test on a cluster; see the module.
#[derive(Debug)]
pub struct Remote {
    cluster: Arc<Cluster>,
    program: Program,
    ground: Ground,
    arguments: Vec<Arc<Path>>,
    hashed: Hashed,
    /// What cancels the current run of each worker.
    cancels: Vec<Mutex<Arc<Notify>>>,
    stop: watch::Sender<Stop>,
    /// While it is there, somebody watches whether the user wants to stop.
    _open: watch::Receiver<Stop>,
    /// How often each command was run on each candidate.
    runs: Mutex<HashMap<(u128, usize), u32>>,
    /// The exit code of the test, by the content of the file that says it.
    codes: HashMap<String, i32>,
    /// Whether a run has ended as it should.
    works: AtomicBool,
}

impl Remote {
    /// An executor on this cluster for `workers` workers. The other arguments are those of
    /// [`local::executor`](super::local::executor).
    ///
    /// # Errors
    /// If a file of the test cannot be read, or the test is a server.
    pub fn new(
        cluster: Arc<Cluster>,
        commands: &[TestCommand],
        arguments: &[Arc<Path>],
        workers: usize,
        interrupt: &Interrupt,
        ground: Ground,
    ) -> Result<Self, UserError> {
        if commands.iter().any(|command| command.answers().is_some()) {
            return Err(UserError::usage("a server cannot run on a cluster")
                .fact("a cluster starts the test anew for each candidate")
                .help("omit --server or --executor"));
        }
        let program = Program::new(commands, arguments, &cluster.settings)?;
        let codes = (0..=255).map(|code| (Digest::of(format!("{code}\n").as_bytes()).hex(), code)).collect();
        let (stop, open) = watch::channel(Stop::No);
        watch_interrupt(&cluster, interrupt, stop.clone());
        Ok(Self {
            program,
            ground,
            arguments: arguments.to_vec(),
            hashed: Hashed::default(),
            cancels: (0..workers).map(|_| Mutex::default()).collect(),
            stop,
            _open: open,
            runs: Mutex::default(),
            codes,
            works: AtomicBool::default(),
            cluster,
        })
    }

    /// The action of a run on a candidate, and the blobs that it needs besides those of the test. `earlier` is the
    /// number of runs on the same candidate, which shall not be answered from the cache.
    fn action(&self, job: &Job, earlier: u32) -> Result<(Digest, Vec<Blob>), UserError> {
        let mut blobs = Vec::new();
        let work = self.hashed.folder(job.candidate, &self.ground, &self.arguments)?.encode(&mut blobs);
        let root = self.program.root(work).encode(&mut blobs);
        let seconds = i64::try_from(rounded(job.limit).as_secs()).unwrap_or(i64::MAX);
        let action = api::Action {
            command_digest: Some(self.program.commands[job.command].into()),
            input_root_digest: Some(root.into()),
            timeout: Some(Seconds { seconds, nanos: 0 }),
            salt: if earlier == 0 { Vec::new() } else { earlier.to_string().into_bytes() },
            platform: self.program.platform.clone(),
            ..api::Action::default()
        };
        let blob = Blob::new(action.encode_to_vec());
        let digest = blob.digest;
        blobs.push(blob);
        Ok((digest, blobs))
    }

    /// The number of a run of a command on a candidate.
    fn begin(&self, key: (u128, usize)) -> u32 {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let count = runs.entry(key).or_default();
        *count += 1;
        *count - 1
    }

    /// Takes back the last run, which has no result.
    fn take_back(&self, key: (u128, usize), number: u32) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = runs.get_mut(&key).filter(|count| **count == number + 1) {
            *count = number;
        }
    }

    fn run(&self, worker: usize, job: &Job, cancel: &Notify, earlier: u32) -> Result<Run, Fault> {
        let (action, blobs) = self.action(job, earlier).map_err(Fault::Broken)?;
        let execution = Execution {
            cluster: &self.cluster,
            worker,
            action,
            blobs: self.program.blobs.iter().chain(&blobs).collect(),
            limit: job.limit,
            watch: job.watch,
            operation: watch::Sender::default(),
        };
        let handle = self.cluster.handle().ok_or(Fault::Cancelled)?;
        let start = Instant::now();
        let ended = handle.block_on(async {
            let mut stop = self.stop.subscribe();
            let deadline = async {
                match job.deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                    None => std::future::pending().await,
                }
            };
            let mut run = pin!(execution.run());
            let stopped = tokio::select! {
                ended = &mut run => return ended.map_err(Fault::Broken),
                error = self.cluster.is_gone() => return Err(Fault::Broken(error)),
                () = cancel.notified() => Fault::Cancelled,
                () = deadline => Fault::Cancelled,
                stop = stop.wait_for(|stop| *stop != Stop::No) => match stop.map(|stop| *stop) {
                    Ok(Stop::Interrupted) => Fault::Interrupted,
                    _ => Fault::Cancelled,
                },
            };
            execution.name(run).await;
            Err(stopped)
        });
        if let Some(name) = execution.operation() {
            self.cluster.cancel(worker, name);
        }
        self.judge(ended?, job, start.elapsed())
    }

    /// The result of a run that took this time here.
    fn judge(&self, ended: Ended, job: &Job, elapsed: Duration) -> Result<Run, Fault> {
        let run = |status, time, output| Ok(Run { status, answer: None, time, output });
        let result = match ended {
            Ended::Itself(result) => *result,
            Ended::TooLate => return run(Err(Limit::Time), job.limit, Default::default()),
            // A limit of the worker, such as that of its memory, most likely ended the test.
            Ended::Killed(_) if self.works.load(Ordering::Relaxed) => {
                return run(Err(Limit::Memory), elapsed.min(job.limit), Default::default());
            }
            Ended::Killed(said) => {
                let address = &self.cluster.settings.address;
                return Err(Fault::Broken(failed(address, trouble::WORKERS, &said)));
            }
        };
        let status = result.output_files.iter().find(|file| file.path == STATUS);
        let hash = status.and_then(|file| file.digest.as_ref()).map(|digest| &digest.hash);
        let Some(&code) = hash.and_then(|hash| self.codes.get(hash)) else {
            let error = UserError::bad_test("the test has overwritten its exit code on the cluster").fact(
                format!("it may only write to the current folder and to $TMPDIR, and '{STATUS}' is above"),
            );
            return Err(Fault::Broken(error));
        };
        self.works.store(true, Ordering::Relaxed);
        let time = result.execution_metadata.as_ref().and_then(took).unwrap_or(elapsed);
        let output = if job.watch { [result.stdout_raw, result.stderr_raw] } else { Default::default() };
        // The limit of the action is a bit longer, so that most of them have the same.
        if time > job.limit {
            return run(Err(Limit::Time), job.limit, output);
        }
        run(Ok(status_of(code)), time, output)
    }
}

impl Executor for Remote {
    fn execute(&self, worker: usize, job: &Job) -> Result<Run, Fault> {
        let cancel = Arc::new(Notify::new());
        *self.cancels[worker].lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&cancel);
        let key = (contents::key(job.candidate), job.command);
        let number = self.begin(key);
        self.cluster.counts.runs.fetch_add(1, Ordering::Relaxed);
        self.cluster.waiting.fetch_add(1, Ordering::Relaxed);
        let run = self.run(worker, job, &cancel, number);
        self.cluster.waiting.fetch_sub(1, Ordering::Relaxed);
        if run.is_err() {
            self.take_back(key, number);
        }
        run
    }

    fn cancel(&self, worker: usize) {
        self.cancels[worker].lock().unwrap_or_else(PoisonError::into_inner).notify_one();
    }

    fn close(&self) {
        self.stop.send_if_modified(|stop| {
            let is_first = *stop == Stop::No;
            if is_first {
                *stop = Stop::Closed;
            }
            is_first
        });
        self.cluster.settle();
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn account(&self) -> Option<String> {
        let [blobs, bytes] = self.cluster.store.sent.each_ref().map(|count| count.load(Ordering::Relaxed));
        let counts = &self.cluster.counts;
        let [runs, cached, repeated, cancelled] =
            [&counts.runs, &counts.cached, &counts.repeated, &counts.cancelled]
                .map(|count| count.load(Ordering::Relaxed));
        Some(format!(
            "cluster: {runs} runs, {cached} answered by its cache, {repeated} attempts repeated, {cancelled} cancelled; \
             {blobs} blobs of {bytes} bytes sent"
        ))
    }
}

/// Stops all runs once the user wants to stop.
fn watch_interrupt(cluster: &Cluster, interrupt: &Interrupt, stop: watch::Sender<Stop>) {
    let (Some(handle), interrupt) = (cluster.handle(), interrupt.clone()) else { return };
    drop(handle.spawn(async move {
        while !interrupt.is_raised() {
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = stop.closed() => return,
            }
        }
        stop.send_replace(Stop::Interrupted);
    }));
}

/// The time limit of an action: the next power of two, in seconds. The limit of a run follows the times of earlier runs,
/// which are never the same twice, and with each limit the cache would know nothing.
fn rounded(limit: Duration) -> Duration {
    let seconds = limit.as_secs().saturating_add(u64::from(limit.subsec_nanos() > 0));
    Duration::from_secs(seconds.clamp(1, 1 << 40).next_power_of_two())
}

/// How long the command ran, as the worker says.
fn took(metadata: &api::ExecutedActionMetadata) -> Option<Duration> {
    let [start, end] =
        [&metadata.execution_start_timestamp, &metadata.execution_completed_timestamp].map(|time| {
            time.as_ref()
                .map(|Timestamp { seconds, nanos }| i128::from(*seconds) * 1_000_000_000 + i128::from(*nanos))
        });
    let nanos = u64::try_from(end? - start?).ok()?;
    Some(Duration::from_nanos(nanos))
}

/// The exit status for the code by which a shell tells it. A program that dies by a signal and one that ends with the code
/// for that cannot be told apart, and the first is much more likely.
fn status_of(code: i32) -> ExitStatus {
    /// The signals by which programs die of their own faults.
    const FATAL: &[i32] = &[4, 5, 6, 7, 8, 9, 11, 24, 25, 31];
    match FATAL.iter().find(|signal| **signal == code - 128) {
        Some(signal) => platform::died_of(*signal),
        None => platform::exited_with(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_rounded_up_to_a_power_of_two() {
        let seconds = |millis| rounded(Duration::from_millis(millis)).as_secs();
        assert_eq!([1, 1000, 1001, 3000, 4000, 300_000].map(seconds), [1, 1, 2, 4, 4, 512]);
        assert!(rounded(Duration::MAX) > Duration::from_secs(1 << 39));
    }

    #[test]
    fn a_code_above_128_is_a_death_by_a_signal() {
        assert_eq!((platform::signal_of(status_of(139)), status_of(139).code()), (Some(11), None));
        assert_eq!(
            [0, 1, 125, 127, 129, 200].map(|code| status_of(code).code()),
            [Some(0), Some(1), Some(125), Some(127), Some(129), Some(200)]
        );
    }
}
