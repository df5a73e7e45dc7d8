//! The loop: the driver asks, the test answers, the best candidate is made safe.

use crate::asker::LimitedAsker;
use crate::driver::{Driver, PassStats, Reply};
use crate::error::UserError;
use crate::oracle::{Contents, Test, Verdict};
use crate::schedule::Stage;
use crate::search::{Kind, SEARCHES};
use crate::workers::with_runner;
use lopper_engine::Means;
use lopper_engine::algorithms::{Algorithm, Descended};
use lopper_engine::foresight::foresee;
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
    with_runner(test, options.jobs, |runner| {
        let asker = LimitedAsker::new(options, listener, runner);
        match options.algorithm {
            Some(algorithm) => by_algorithm(algorithm, base, options, asker),
            None => by_passes(base, options, asker),
        }
    })
}

fn by_algorithm(algorithm: &Algorithm, base: Base, options: &Options, mut asker: LimitedAsker) -> Outcome {
    let Descended { contents, measure, halt } = algorithm.run(base, options.stay_in_grammar, &mut asker);
    let (end, stats) = asker.ended(halt);
    Outcome { contents, measure, end, stats }
}

fn by_passes(base: Base, options: &Options, mut asker: LimitedAsker) -> Outcome {
    let (interrupted, deadline) = (Arc::clone(&options.interrupted), options.deadline);
    let means = Arc::new(Machine { interrupted, deadline });
    let mut driver = Driver::new(base, &options.passes, options.search, means);
    if options.stay_in_grammar {
        driver.stay_in_grammar();
    }
    let end = drive(&mut driver, &mut asker).unwrap_or_else(|end| end);
    let (contents, measure) = driver.best();
    let (contents, mut stats) = (contents.clone(), asker.ended(None).1);
    count(&driver, &mut stats);
    Outcome { contents, measure, end, stats }
}

/// Asks the driver for candidates, and tells it what the test says of them, until the run is over.
fn drive(driver: &mut Driver, asker: &mut LimitedAsker) -> Result<End, End> {
    let mut told = Told::default();
    loop {
        let query = driver.ask();
        for (pass, message) in driver.take_bugs() {
            asker.tell(&Event::Bug { pass, message })?;
        }
        told.tell_news(driver, asker)?;
        asker.may_go_on()?;
        let Some(query) = query else { return Ok(End::Fixpoint) };
        let answer = asker.answer(&query, &mut |count, known| foresee(driver, &query, count, known))?;
        let reply = driver.learn(answer.verdict);
        asker.answered(&query, answer, |stats| count(driver, stats))?;
        if reply == Reply::Retreat {
            asker.tell(&Event::Flaky)?;
        }
        if reply != Reply::Same {
            let (contents, measure) = driver.best();
            asker.tell_best(query.pass, contents, measure)?;
        }
    }
}

/// What the driver counts itself.
fn count(driver: &Driver, stats: &mut Stats) {
    stats.memo_hits = driver.memo_hits();
    stats.passes = driver.stats().collect();
}

/// What the listener knows of the schedule.
#[derive(Default)]
struct Told {
    sweep: Option<(Stage, usize)>,
    on_probation: Vec<&'static str>,
}

impl Told {
    /// Tells what has changed in the schedule.
    fn tell_news(&mut self, driver: &Driver, asker: &mut LimitedAsker) -> Result<(), End> {
        let sweep @ (stage, floor) = driver.sweep();
        if self.sweep.replace(sweep) != Some(sweep) {
            asker.tell(&Event::Sweep { stage, floor })?;
        }
        let now: Vec<&'static str> = driver.on_probation().collect();
        let before = std::mem::replace(&mut self.on_probation, now);
        for (some, others, begins) in
            [(&before, &self.on_probation, false), (&self.on_probation, &before, true)]
        {
            for pass in some.iter().filter(|pass| !others.contains(pass)) {
                asker.tell(&Event::Probation { pass, begins })?;
            }
        }
        Ok(())
    }
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
