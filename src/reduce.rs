//! The loop: the driver asks, the test answers, the best candidate is made safe.

use crate::algorithms::{self, Algorithm};
use crate::driver::{Driver, PassStats, Query, Reply};
use crate::error::UserError;
use crate::isolate::Problem;
use crate::oracle::{Contents, Fault, Test, Verdict};
use crate::schedule::Stage;
use crate::search::{Kind, SEARCHES};
use crate::workers::{Runner, with_runner};
use lopper_engine::Means;
use lopper_languages::measure::Measure;
use lopper_passes::{Base, Pass};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// What a reduction may use and how long it may take.
#[derive(Clone)]
pub struct Options {
    /// The passes, in the order of the registry.
    pub passes: Vec<&'static Pass>,
    /// The search.
    pub search: &'static Kind,
    /// A published algorithm in place of passes and search.
    pub algorithm: Option<&'static Algorithm>,
    /// Whether candidates that the grammar refuses are never tested. Else that is done last.
    pub stay_in_grammar: bool,
    /// How many tests may run at once. The result does not depend on it.
    pub jobs: usize,
    /// How many runs of the test there may be.
    pub max_tests: Option<usize>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Verdicts that are known from an earlier run, by [`Query::key`]: they are not asked again.
    pub known: Arc<HashMap<u128, Verdict>>,
    /// Whether the user wants to stop.
    pub interrupted: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            passes: lopper_passes::PASSES.iter().collect(),
            search: &SEARCHES[0],
            algorithm: None,
            stay_in_grammar: false,
            jobs: 1,
            max_tests: None,
            deadline: None,
            known: Arc::default(),
            interrupted: Arc::new(|| false),
        }
    }
}

/// What happened in a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Runs of the test whose verdict was used, those before the reduction not included.
    pub runs: usize,
    /// Candidates whose verdict was known.
    pub memo_hits: usize,
    /// Verdicts other than `Interesting` and `Boring`.
    pub invalid: usize,
    /// See `invalid`.
    pub timed_out: usize,
    /// See `invalid`.
    pub out_of_memory: usize,
    /// By pass, in the order of the options.
    pub passes: Vec<(&'static str, PassStats)>,
}

/// Why a reduction ended.
#[derive(Clone, Debug)]
pub enum End {
    /// No pass finds anything more.
    Fixpoint,
    /// The runs that were allowed are used up.
    Tests,
    /// The time is over.
    Time,
    /// The user stopped it.
    Interrupted,
    /// The test or the disk failed.
    Broken(UserError),
}

impl End {
    /// What failed, if anything did.
    pub fn error(&self) -> Option<&UserError> {
        match self {
            Self::Broken(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Problem> for End {
    fn from(problem: Problem) -> Self {
        Self::Broken(problem.explained())
    }
}

/// What happens while a reduction runs.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The test has run, or what it says was known from an earlier run.
    Tested {
        /// The pass that proposed the candidate; `None` for a second look at an accepted one.
        pass: Option<&'static str>,
        /// Identifies the run, as [`Query::key`] does.
        key: u128,
        /// What the test said.
        verdict: Verdict,
        /// Whether that was known from an earlier run.
        known: bool,
        /// What happened so far, this run included.
        stats: &'a Stats,
    },
    /// A candidate is the best now.
    Accepted {
        /// The pass that proposed it; `None` if it was the best before and is so again.
        pass: Option<&'static str>,
        /// Its files.
        contents: &'a Contents,
        /// Its measure.
        measure: Measure,
        /// Runs so far.
        runs: usize,
    },
    /// The test did not accept what it had accepted: the reduction went back.
    Flaky,
    /// A sweep of the passes begins.
    Sweep {
        /// What it is for.
        stage: Stage,
        /// Sets of units of at most so many tokens are not taken apart.
        floor: usize,
    },
    /// A pass has given nothing for so long that it has to wait, or is back.
    Probation {
        /// The pass.
        pass: &'static str,
        /// Whether it has to wait.
        begins: bool,
    },
    /// A pass failed in a way that is our fault.
    Bug {
        /// The pass.
        pass: &'static str,
        /// What it said.
        message: String,
    },
}

/// Hears of events. What it answers to `Accepted` decides whether the reduction may go on: the best
/// candidate must be safe before anything else happens.
pub type Listener<'a> = dyn FnMut(&Event) -> Result<(), UserError> + 'a;

/// What is left when a reduction has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The best candidate's files.
    pub contents: Contents,
    /// Their measure.
    pub measure: Measure,
    /// Why it ended.
    pub end: End,
    /// What happened.
    pub stats: Stats,
}

/// Reduces `base`, which the test must accept. Deterministic: the candidates depend on the base, the
/// options and the verdicts only, not on `jobs`.
pub fn reduce(base: Base, test: &dyn Test, options: &Options, listener: &mut Listener) -> Outcome {
    let account = Account { options, listener, stats: Stats::default() };
    if let Some(algorithm) = options.algorithm {
        return algorithms::run(algorithm, base, test, account);
    }
    let (interrupted, deadline) = (Arc::clone(&options.interrupted), options.deadline);
    let means = Arc::new(Machine { interrupted, deadline });
    let mut driver = Driver::new(base, &options.passes, options.search, means);
    if options.stay_in_grammar {
        driver.stay_in_grammar();
    }
    let mut reduction = Reduction { driver, account, sweep: None, on_probation: Vec::new() };
    let end = with_runner(test, options.jobs, |runner| reduction.run(runner));
    reduction.count();
    let Reduction { driver, account, .. } = reduction;
    let (contents, measure) = driver.best();
    Outcome { contents: contents.clone(), measure, end, stats: account.stats }
}

/// This machine, as the engine sees it.
struct Machine {
    interrupted: Arc<dyn Fn() -> bool + Send + Sync>,
    deadline: Option<Instant>,
}

impl Means for Machine {
    fn is_to_stop(&self) -> bool {
        (self.interrupted)() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).into_par_iter().for_each(work);
    }
}

/// What every way to reduce owes the user: it keeps to the limits, counts, and tells.
pub(crate) struct Account<'a> {
    pub(crate) options: &'a Options,
    pub(crate) listener: &'a mut Listener<'a>,
    pub(crate) stats: Stats,
}

impl Account<'_> {
    /// Whether it may go on at all.
    pub(crate) fn may_go_on(&self) -> Result<(), End> {
        if (self.options.interrupted)() {
            return Err(End::Interrupted);
        }
        if self.is_late() { Err(End::Time) } else { Ok(()) }
    }

    /// Whether there may be another run after so many.
    pub(crate) fn may_run(&self, runs: usize) -> Result<(), End> {
        if self.options.max_tests.is_some_and(|max| runs >= max) { Err(End::Tests) } else { Ok(()) }
    }

    fn is_late(&self) -> bool {
        self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Why there is no verdict.
    pub(crate) fn end(&self, fault: Fault) -> End {
        match fault {
            Fault::Broken(error) => End::Broken(error),
            Fault::Cancelled if self.is_late() => End::Time,
            Fault::Interrupted | Fault::Cancelled => End::Interrupted,
        }
    }

    /// The verdict on a run that an earlier one has made, by [`Query::key`].
    pub(crate) fn known(&self, key: u128) -> Option<Verdict> {
        self.options.known.get(&key).copied()
    }

    /// Counts a verdict and tells of it; what else `stats` counts is up to date.
    pub(crate) fn tested(
        &mut self,
        pass: Option<&'static str>,
        key: u128,
        verdict: Verdict,
        known: bool,
    ) -> Result<(), End> {
        self.stats.invalid += usize::from(verdict == Verdict::Invalid);
        self.stats.timed_out += usize::from(verdict == Verdict::TimedOut);
        self.stats.out_of_memory += usize::from(verdict == Verdict::OutOfMemory);
        let event = Event::Tested { pass, key, verdict, known, stats: &self.stats };
        (self.listener)(&event).map_err(End::Broken)
    }

    pub(crate) fn tell(&mut self, event: &Event) -> Result<(), End> {
        (self.listener)(event).map_err(End::Broken)
    }
}

struct Reduction<'a> {
    driver: Driver,
    account: Account<'a>,
    /// What was told of the schedule.
    sweep: Option<(Stage, usize)>,
    on_probation: Vec<&'static str>,
}

impl Reduction<'_> {
    fn run(&mut self, runner: Runner) -> End {
        match self.try_run(runner) {
            Ok(end) | Err(end) => end,
        }
    }

    fn try_run(&mut self, runner: Runner) -> Result<End, End> {
        loop {
            let query = self.driver.ask();
            for (pass, message) in self.driver.take_bugs() {
                self.account.tell(&Event::Bug { pass, message })?;
            }
            self.tell_schedule()?;
            self.account.may_go_on()?;
            let Some(query) = query else { return Ok(End::Fixpoint) };
            self.account.may_run(self.driver.runs())?;
            let known = self.account.known(query.key);
            let verdict = known.map_or_else(|| runner.verdict(&self.driver, &query), Ok);
            let verdict = verdict.map_err(|fault| self.account.end(fault))?;
            self.learn(&query, verdict, known.is_some())?;
        }
    }

    fn learn(&mut self, query: &Query, verdict: Verdict, known: bool) -> Result<(), End> {
        let reply = self.driver.learn(verdict);
        self.count();
        self.account.tested(query.pass, query.key, verdict, known)?;
        if reply == Reply::Retreat {
            self.account.tell(&Event::Flaky)?;
        }
        if reply != Reply::Same {
            let (contents, measure) = self.driver.best();
            let (contents, runs) = (contents.clone(), self.driver.runs());
            self.account.tell(&Event::Accepted { pass: query.pass, contents: &contents, measure, runs })?;
        }
        Ok(())
    }

    /// Tells what has changed in the schedule.
    fn tell_schedule(&mut self) -> Result<(), End> {
        let sweep @ (stage, floor) = self.driver.sweep();
        if self.sweep.replace(sweep) != Some(sweep) {
            self.account.tell(&Event::Sweep { stage, floor })?;
        }
        let now: Vec<&'static str> = self.driver.on_probation().collect();
        let before = std::mem::replace(&mut self.on_probation, now);
        for (some, others, begins) in
            [(&before, &self.on_probation, false), (&self.on_probation, &before, true)]
        {
            for pass in some.iter().filter(|pass| !others.contains(pass)) {
                self.account.tell(&Event::Probation { pass, begins })?;
            }
        }
        Ok(())
    }

    /// Brings what the driver counts up to date.
    fn count(&mut self) {
        let stats = &mut self.account.stats;
        stats.runs = self.driver.runs();
        stats.memo_hits = self.driver.memo_hits();
        stats.passes = self.driver.stats().collect();
    }
}
