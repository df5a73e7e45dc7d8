//! The workers: threads that run tests before the asker needs their verdicts.
//!
//! A run of the test mostly waits for a process, so the workers are plain threads, one per run. They fill a
//! table of verdicts. Only verdicts that the asker needs are ever read, so the workers change only how soon
//! they are available. A run that no likely future needs any more is cancelled.

use crate::driver::Query;
use crate::oracle::{Fault, Test, Timed, Verdict};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The least likelihood of a future that is worth a run; and, on shared machines, where there were already almost the most runs.
const LIKELY: f64 = 0.05;
const RATHER_LIKELY: f64 = 0.5;
/// The numbers of runs for each verdict that are few, and the most, on shared machines.
const FEW: f64 = 1.5;
const MOST: f64 = 3.0;

/// A pool of threads that run a test, and their verdicts.
struct Workers<'a> {
    test: &'a dyn Test,
    allowed: &'a AtomicUsize,
    state: Mutex<State>,
    /// Signals that a query is waiting, or that the pool is closed.
    work: Condvar,
    /// Signals that a run has ended.
    ended: Condvar,
}

#[derive(Default)]
struct State {
    /// The queries to run, in this order.
    waiting: VecDeque<Query>,
    /// The activity of each worker.
    running: Vec<Doing>,
    done: HashMap<u128, Result<Timed, Fault>>,
    /// The number of runs that have begun, and that have ended.
    begun: usize,
    ended: usize,
    /// The number of verdicts that were needed.
    used: usize,
    /// Whether others need the machines, too.
    is_shared: bool,
    /// The time limit of a run, if it is not the test's own.
    limit: Option<Duration>,
    closed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Nothing,
    /// Runs the query with this key.
    Running(u128),
    /// Ends a cancelled run. If its verdict is needed again, the test runs again.
    Ending,
}

impl State {
    /// How probable the need for a verdict must be for a run ahead. On shared machines, that is the more, the more runs were in
    /// vain; in the end only runs that are certainly needed begin.
    fn likely(&self) -> f64 {
        if !self.is_shared {
            return LIKELY;
        }
        // At the beginning, each worker may run once in vain.
        let runs = self.begun.saturating_sub(self.running.len()) as f64;
        let share = runs / self.used.max(1) as f64;
        match (share - FEW) / (MOST - FEW) {
            excess if excess < 0.0 => LIKELY,
            excess if excess < 1.0 => LIKELY + (RATHER_LIKELY - LIKELY) * excess,
            _ => 1.0,
        }
    }

    /// Whether a verdict is known or under way.
    fn is_known(&self, key: u128) -> bool {
        self.done.contains_key(&key) || self.running.contains(&Doing::Running(key))
    }
}

/// Returns the queries after the current one: at most the given number, the most probable first, without
/// those whose verdicts are known, and those less probable than the last number.
pub(crate) type Foresee<'f> = dyn FnMut(usize, &BTreeMap<u128, Verdict>, f64) -> Vec<Query> + 'f;

/// Runs the test for a search that needs one verdict after the other.
#[derive(Clone, Copy)]
pub(crate) struct Runner<'a> {
    test: &'a dyn Test,
    /// `None` if only one test runs at a time.
    workers: Option<&'a Workers<'a>>,
}

/// Calls `work` with a runner for `jobs` tests at once.
/// While `allowed` is
/// smaller, only so many run, but at least one.
pub(crate) fn with_runner<R>(
    test: &dyn Test,
    jobs: usize,
    allowed: &AtomicUsize,
    work: impl FnOnce(Runner) -> R,
) -> R {
    /// Closes the pool, even if `work` panics; otherwise the scope would wait for its threads forever.
    struct Closed<'a>(&'a Workers<'a>);
    impl Drop for Closed<'_> {
        fn drop(&mut self) {
            self.0.close();
        }
    }
    if jobs <= 1 {
        return work(Runner { test, workers: None });
    }
    let workers = Workers::new(test, jobs, allowed);
    std::thread::scope(|scope| {
        let workers = Closed(&workers);
        // If some threads cannot be started, fewer work; the result is the same.
        let started = (0..jobs).take_while(|&worker| {
            let workers = workers.0;
            std::thread::Builder::new().spawn_scoped(scope, move || workers.work(worker)).is_ok()
        });
        let any = started.count() > 0;
        work(Runner { test, workers: any.then_some(workers.0) })
    })
}

impl Runner<'_> {
    /// The verdict on a query. While its test runs, workers may run foreseen queries.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub(crate) fn verdict(
        &self,
        query: &Query,
        limit: Option<Duration>,
        foresee: &mut Foresee,
    ) -> Result<Timed, Fault> {
        match self.workers {
            Some(workers) => workers.verdict(query, limit, foresee),
            None => self.test.run_within(0, &query.contents, query.repeat, limit),
        }
    }
}

impl<'a> Workers<'a> {
    /// A pool of `jobs` workers. The caller starts a thread for each that calls `work`.
    fn new(test: &'a dyn Test, jobs: usize, allowed: &'a AtomicUsize) -> Self {
        let running = vec![Doing::Nothing; jobs];
        let state = State { running, is_shared: test.is_shared(), ..State::default() };
        Self { test, allowed, state: Mutex::new(state), work: Condvar::new(), ended: Condvar::new() }
    }

    /// The number of workers that may run tests now: the first ones.
    fn allowed(&self, jobs: usize) -> usize {
        self.allowed.load(Ordering::Relaxed).clamp(1, jobs)
    }

    /// Wakes a worker that may run tests. One that may not would lose the signal.
    fn call(&self, jobs: usize) {
        if self.allowed(jobs) < jobs { self.work.notify_all() } else { self.work.notify_one() }
    }

    /// Runs tests until the pool is closed.
    fn work(&self, worker: usize) {
        loop {
            let mut state = self.state();
            let query = loop {
                if state.closed {
                    return;
                }
                let may_work = worker < self.allowed(state.running.len());
                match may_work.then(|| state.waiting.pop_front()).flatten() {
                    Some(query) => break query,
                    None => state = wait(&self.work, state),
                }
            };
            state.running[worker] = Doing::Running(query.key);
            state.begun += 1;
            let limit = state.limit;
            drop(state);
            let verdict = self.test.run_within(worker, &query.contents, query.repeat, limit);
            let mut state = self.state();
            let unwanted = state.running[worker] == Doing::Ending;
            state.running[worker] = Doing::Nothing;
            state.ended += 1;
            // A run that was cancelled here leaves no verdict. If the deadline ended it, its fault is kept.
            if !unwanted || verdict.is_ok() {
                state.done.insert(query.key, verdict);
            }
            drop(state);
            self.ended.notify_one();
        }
    }

    /// Makes every thread return from `work`, and cancels their runs.
    fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        for (worker, _) in state.running.iter().enumerate().filter(|(_, doing)| **doing != Doing::Nothing) {
            self.test.cancel(worker);
        }
        drop(state);
        self.work.notify_all();
    }

    /// The verdict on a query. While its test runs, the other workers run foreseen queries, which are
    /// foreseen anew each time a run ends. A run that was too slow for the limit counts only if it is so alone;
    /// the limit may have changed since it began.
    ///
    /// # Errors
    /// As for [`Test::run`].
    fn verdict(&self, query: &Query, limit: Option<Duration>, foresee: &mut Foresee) -> Result<Timed, Fault> {
        if query.alone {
            return self.run_alone(query, limit);
        }
        let mut state = self.state();
        state.limit = limit;
        loop {
            if let Some(timed) = state.done.remove(&query.key) {
                state.used += 1;
                let timed = timed?;
                return match timed.under(limit) {
                    Some(Verdict::TimedOut) | None => {
                        drop(state);
                        self.run_alone(query, limit)
                    }
                    Some(_) => Ok(timed),
                };
            }
            // Foresight may take a while, so the query itself is started first.
            if !state.is_known(query.key) {
                state.waiting.push_front(query.clone());
                self.call(state.running.len());
            }
            let (jobs, seen) = (self.allowed(state.running.len()), state.ended);
            let likely = state.likely();
            let known: BTreeMap<u128, Verdict> = state
                .done
                .iter()
                .filter_map(|(key, timed)| Some((*key, timed.as_ref().ok()?.verdict)))
                .collect();
            drop(state);
            let foreseen = foresee(jobs - 1, &known, likely);
            state = self.state();
            self.want(&mut state, query, &foreseen);
            while state.ended == seen {
                state = wait(&self.ended, state);
            }
        }
    }

    /// Makes these the waiting queries, and cancels runs of other queries if workers are short.
    fn want(&self, state: &mut State, query: &Query, foreseen: &[Query]) {
        let wanted = || std::iter::once(query).chain(foreseen);
        state.waiting = wanted().filter(|q| !state.is_known(q.key)).cloned().collect();
        let busy = state.running.iter().filter(|doing| **doing != Doing::Nothing).count();
        let idle = self.allowed(state.running.len()).saturating_sub(busy);
        let mut short = state.waiting.len().saturating_sub(idle);
        for (worker, doing) in state.running.iter_mut().enumerate() {
            if let Doing::Running(key) = *doing
                && short > 0
                && wanted().all(|q| q.key != key)
            {
                self.test.cancel(worker);
                *doing = Doing::Ending;
                short -= 1;
            }
        }
        for _ in 0..state.waiting.len().min(idle) {
            self.call(state.running.len());
        }
    }

    /// Runs the test while no worker does, since other runs must not cause a time-out or another answer.
    fn run_alone(&self, query: &Query, limit: Option<Duration>) -> Result<Timed, Fault> {
        let mut state = self.state();
        state.waiting.clear();
        while state.running.iter().any(|doing| *doing != Doing::Nothing) {
            state = wait(&self.ended, state);
        }
        drop(state);
        self.test.run_within(0, &query.contents, query.repeat, limit)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait<'g>(condition: &Condvar, state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
    condition.wait(state).unwrap_or_else(PoisonError::into_inner)
}
