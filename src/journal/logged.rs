//! An executor that logs the runs which did not end by themselves, and counts all runs.

use super::log::Log;
use crate::oracle::Fault;
use crate::oracle::executor::{Executor, Job, Limit, Run};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A wrapper around an executor; see the module.
#[derive(Debug)]
pub struct Logged {
    executor: Box<dyn Executor>,
    log: Arc<Log>,
    counts: Mutex<Counts>,
}

/// The numbers of runs, including those of foreseen queries.
#[derive(Debug, Default)]
struct Counts {
    runs: usize,
    /// Runs that were stopped without a verdict.
    stopped: usize,
    time: Duration,
    slowest: Duration,
}

impl Logged {
    /// Wraps `executor`, and writes to `log`; on closing, it also writes the numbers of runs.
    pub fn new(executor: Box<dyn Executor>, log: Arc<Log>) -> Self {
        Self { executor, log, counts: Mutex::default() }
    }

    fn count(&self, run: &Result<Run, Fault>, time: Duration) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.runs += 1;
        counts.stopped += usize::from(run.is_err());
        counts.time += time;
        counts.slowest = counts.slowest.max(time);
    }
}

impl Executor for Logged {
    fn execute(&self, worker: usize, job: &Job) -> Result<Run, Fault> {
        let start = Instant::now();
        let run = self.executor.execute(worker, job);
        let time = start.elapsed();
        self.count(&run, time);
        let seconds = time.as_secs_f64();
        match &run {
            Ok(Run { status: Err(limit), .. }) => {
                let why = match limit {
                    Limit::Time => "it took too long",
                    Limit::Memory => "it held too much memory",
                };
                self.log.event(&format!("worker {worker}: a test was killed after {seconds:.3} s: {why}"));
            }
            Err(Fault::Broken(error)) => self.log.note(&format!("worker {worker}: {error}")),
            _ => {}
        }
        run
    }

    fn cancel(&self, worker: usize) {
        self.executor.cancel(worker);
    }

    fn is_shared(&self) -> bool {
        self.executor.is_shared()
    }

    fn left(&self) -> Vec<String> {
        self.executor.left()
    }

    fn unanswered(&self) -> usize {
        self.executor.unanswered()
    }

    fn account(&self) -> Option<String> {
        self.executor.account()
    }

    fn close(&self) {
        self.executor.close();
        for line in self.left() {
            self.log.note(&format!("left behind, since it could not be removed: {line}"));
        }
        let Counts { runs, stopped, time, slowest } =
            &*self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        self.log.note(&format!(
            "all workers: {runs} tests were started, {stopped} of them stopped without a verdict; {:.3} s in all, \
             {:.3} s the slowest",
            time.as_secs_f64(),
            slowest.as_secs_f64()
        ));
        if let Some(account) = self.account() {
            self.log.note(&account);
        }
    }
}
