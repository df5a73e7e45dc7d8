//! The workers: threads that run tests before their verdicts are asked for.
//!
//! Running a test is waiting for a process, so these are plain threads, one a run. They fill a table
//! of verdicts; only what is asked for is ever looked at, so they change how soon an answer is
//! there and nothing else. What no likely future wants any more is cancelled.

use crate::driver::Query;
use crate::oracle::{Fault, Test, Verdict};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A pool of threads that run a test, and what they found out.
struct Workers<'a> {
    test: &'a dyn Test,
    state: Mutex<State>,
    /// There is something to run, or nothing ever will be.
    work: Condvar,
    /// A run has ended.
    ended: Condvar,
}

#[derive(Default)]
struct State {
    /// What is to be run, in this order.
    waiting: VecDeque<Query>,
    /// What each worker does.
    running: Vec<Doing>,
    done: HashMap<u128, Result<Verdict, Fault>>,
    /// How many runs have ended.
    ended: usize,
    closed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Nothing,
    /// Runs the query of this key.
    Running(u128),
    /// Ends a run that nobody wants: whoever wants it again has to ask again.
    Ending,
}

impl State {
    /// Whether a verdict is there or will come.
    fn is_known(&self, key: u128) -> bool {
        self.done.contains_key(&key) || self.running.contains(&Doing::Running(key))
    }
}

/// Says what will be asked for after the present query: at most so many queries, the likeliest first, without
/// those whose verdicts are known.
pub(crate) type Foresee<'f> = dyn FnMut(usize, &BTreeMap<u128, Verdict>) -> Vec<Query> + 'f;

/// Runs the test for a search that asks for one verdict after the other.
#[derive(Clone, Copy)]
pub(crate) struct Runner<'a> {
    test: &'a dyn Test,
    /// `None` where only one test runs at a time.
    workers: Option<&'a Workers<'a>>,
}

/// Gives `work` a runner that runs so many tests at once.
pub(crate) fn with_runner<R>(test: &dyn Test, jobs: usize, work: impl FnOnce(Runner) -> R) -> R {
    /// Closes the pool, even if `work` panics: else the scope would wait for its threads forever.
    struct Closed<'a>(&'a Workers<'a>);
    impl Drop for Closed<'_> {
        fn drop(&mut self) {
            self.0.close();
        }
    }
    if jobs <= 1 {
        return work(Runner { test, workers: None });
    }
    let workers = Workers::new(test, jobs);
    std::thread::scope(|scope| {
        let workers = Closed(&workers);
        // Where no more threads can be started, fewer work; the result is the same.
        let started = (0..jobs).take_while(|&worker| {
            let workers = workers.0;
            std::thread::Builder::new().spawn_scoped(scope, move || workers.work(worker)).is_ok()
        });
        let any = started.count() > 0;
        work(Runner { test, workers: any.then_some(workers.0) })
    })
}

impl Runner<'_> {
    /// The verdict on a query. While its test runs, workers may run what is foreseen.
    ///
    /// # Errors
    /// As for [`Test::run`].
    pub(crate) fn verdict(&self, query: &Query, foresee: &mut Foresee) -> Result<Verdict, Fault> {
        match self.workers {
            Some(workers) => workers.verdict(query, foresee),
            None => self.test.run(0, &query.contents),
        }
    }
}

impl<'a> Workers<'a> {
    /// A pool of so many workers; each has yet to be given a thread that calls `work`.
    fn new(test: &'a dyn Test, jobs: usize) -> Self {
        let state = State { running: vec![Doing::Nothing; jobs], ..State::default() };
        Self { test, state: Mutex::new(state), work: Condvar::new(), ended: Condvar::new() }
    }

    /// Runs tests until the pool is closed.
    fn work(&self, worker: usize) {
        loop {
            let mut state = self.state();
            let query = loop {
                if state.closed {
                    return;
                }
                match state.waiting.pop_front() {
                    Some(query) => break query,
                    None => state = wait(&self.work, state),
                }
            };
            state.running[worker] = Doing::Running(query.key);
            drop(state);
            let verdict = self.test.run(worker, &query.contents);
            let mut state = self.state();
            let unwanted = state.running[worker] == Doing::Ending;
            state.running[worker] = Doing::Nothing;
            state.ended += 1;
            // A run that was cancelled here leaves no verdict; one that the deadline ended says so.
            if !unwanted || verdict.is_ok() {
                state.done.insert(query.key, verdict);
            }
            drop(state);
            self.ended.notify_one();
        }
    }

    /// Lets every thread return from `work`; what they run is cancelled.
    fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        for (worker, _) in state.running.iter().enumerate().filter(|(_, doing)| **doing != Doing::Nothing) {
            self.test.cancel(worker);
        }
        drop(state);
        self.work.notify_all();
    }

    /// The verdict on what is asked for. While that runs, the other workers run what is foreseen to be
    /// asked for afterwards; with every run that ends this is thought over again.
    ///
    /// # Errors
    /// As for [`Test::run`].
    fn verdict(&self, query: &Query, foresee: &mut Foresee) -> Result<Verdict, Fault> {
        let mut state = self.state();
        loop {
            if let Some(verdict) = state.done.remove(&query.key) {
                return match verdict? {
                    Verdict::TimedOut => {
                        drop(state);
                        self.run_alone(query)
                    }
                    verdict => Ok(verdict),
                };
            }
            // The rest may take a while: nobody has to wait for it.
            if !state.is_known(query.key) {
                state.waiting.push_front(query.clone());
                self.work.notify_one();
            }
            let (jobs, seen) = (state.running.len(), state.ended);
            let known: BTreeMap<u128, Verdict> = state
                .done
                .iter()
                .filter_map(|(key, verdict)| Some((*key, *verdict.as_ref().ok()?)))
                .collect();
            drop(state);
            let foreseen = foresee(jobs - 1, &known);
            state = self.state();
            self.want(&mut state, query, &foreseen);
            while state.ended == seen {
                state = wait(&self.ended, state);
            }
        }
    }

    /// Makes these the queries that are waited for, and ends runs that stand in their way.
    fn want(&self, state: &mut State, query: &Query, foreseen: &[Query]) {
        let wanted = || std::iter::once(query).chain(foreseen);
        state.waiting = wanted().filter(|q| !state.is_known(q.key)).cloned().collect();
        let idle = state.running.iter().filter(|doing| **doing == Doing::Nothing).count();
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
            self.work.notify_one();
        }
    }

    /// Runs the test while no worker does: whether a run takes too long must not depend on them.
    fn run_alone(&self, query: &Query) -> Result<Verdict, Fault> {
        let mut state = self.state();
        state.waiting.clear();
        while state.running.iter().any(|doing| *doing != Doing::Nothing) {
            state = wait(&self.ended, state);
        }
        drop(state);
        self.test.run(0, &query.contents)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait<'g>(condition: &Condvar, state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
    condition.wait(state).unwrap_or_else(PoisonError::into_inner)
}
