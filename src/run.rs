//! A run: its options, its events, its statistics, and the reasons for its end.

use crate::driver::PassStats;
use crate::error::UserError;
use crate::oracle::{Contents, Known, Verdict};
use crate::schedule::Stage;
use crate::search::{Kind, SEARCHES};
use lopper_engine::algorithms::Algorithm;
use lopper_engine::effort::Effort;
use lopper_engine::flicker::Tally;
use lopper_engine::protected::Protected;
use lopper_languages::measure::{Goal, Measure};
use lopper_passes::Pass;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The options and limits of a run.
#[derive(Clone)]
pub struct Options {
    /// The passes, in the order of the registry.
    pub passes: Vec<&'static Pass>,
    /// The search.
    pub search: &'static Kind,
    /// A published algorithm in place of passes and search.
    pub algorithm: Option<&'static Algorithm>,
    /// Whether candidates that the grammar refuses are never tested. Otherwise they are tested last.
    pub stay_in_grammar: bool,
    /// Texts that every candidate must contain.
    pub protected: Arc<Protected>,
    /// What the measure puts first; the published algorithms always put tokens first.
    pub goal: Goal,
    /// How many runs may be spent on leaving a local minimum.
    pub effort: Effort,
    /// The number of tests that may run at once. The result does not depend on it.
    pub jobs: usize,
    /// The maximal number of test runs.
    pub max_tests: Option<usize>,
    /// The time at which the run stops.
    pub deadline: Option<Instant>,
    /// The time of the run on the original, for the goal `time`.
    pub first_run: Duration,
    /// Verdicts from an earlier run. Their tests are not run again.
    pub known: Arc<Known>,
    /// The time limit of a run of the test, if it shall follow the program as it shrinks. Otherwise, the test's own
    /// limit stays.
    pub limit: Option<Duration>,
    /// How often the test has accepted the original, if it is known to flicker.
    pub flicker: Option<Tally>,
    /// The passes that the user has skipped in an earlier run, each with the number of runs before.
    pub skips: Arc<Vec<(usize, String)>>,
    /// Set when the user asks to skip the pass at work.
    pub asked_to_skip: Arc<AtomicBool>,
    /// The number of workers that may run tests at once, if fewer than `jobs`.
    pub workers: Arc<AtomicUsize>,
    /// Set when the user has asked to finish with what there is.
    pub asked_to_finish: Arc<AtomicBool>,
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
            protected: Arc::default(),
            goal: Goal::default(),
            effort: Effort::default(),
            first_run: Duration::ZERO,
            jobs: 1,
            max_tests: None,
            deadline: None,
            known: Arc::default(),
            limit: None,
            flicker: None,
            skips: Arc::default(),
            asked_to_skip: Arc::default(),
            workers: Arc::new(AtomicUsize::new(usize::MAX)),
            asked_to_finish: Arc::default(),
            interrupted: Arc::new(|| false),
        }
    }
}

impl Options {
    /// Whether the run shall end with what it has, and why: its time is over, or the user has asked for it.
    pub fn over(&self) -> Option<End> {
        if self.asked_to_finish.load(Ordering::Relaxed) {
            return Some(End::Asked);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(End::Time)
    }

    /// Whether the run shall end with what it has.
    pub fn is_time_over(&self) -> bool {
        self.over().is_some()
    }
}

/// The statistics of a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Test runs with a verdict that was used, without those before the reduction.
    pub runs: usize,
    /// Candidates whose verdict the memo knew.
    pub memo_hits: usize,
    /// Verdicts other than `Interesting` and `Boring`.
    pub invalid: usize,
    /// See `invalid`.
    pub timed_out: usize,
    /// See `invalid`.
    pub out_of_memory: usize,
    /// Runs on a candidate that had been tested before.
    pub repeats: usize,
    /// The work of each pass, in the order of the options.
    pub passes: Vec<(&'static str, PassStats)>,
}

#[cfg(feature = "cli")]
impl Stats {
    /// Adds the counts of another search.
    pub(crate) fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.memo_hits += other.memo_hits;
        self.invalid += other.invalid;
        self.timed_out += other.timed_out;
        self.out_of_memory += other.out_of_memory;
        self.repeats += other.repeats;
        self.passes.extend(other.passes.iter().cloned());
    }
}

/// The reason why a run ended.
#[derive(Clone, Debug)]
pub enum End {
    /// No pass finds anything more.
    Fixpoint,
    /// The maximal number of test runs is reached.
    Tests,
    /// The time is over.
    Time,
    /// The user asked to finish with what there was.
    Asked,
    /// The user stopped it.
    Interrupted,
    /// The test or the disk failed.
    Broken(UserError),
}

impl End {
    /// The error of a run that failed.
    pub fn error(&self) -> Option<&UserError> {
        match self {
            Self::Broken(error) => Some(error),
            _ => None,
        }
    }
}

/// An event during a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The test has run, or its verdict was known from an earlier run.
    Tested {
        /// The pass that proposed the candidate; `None` for a second look at an accepted one.
        pass: Option<&'static str>,
        /// Identifies the test run, see [`Query::key`](crate::driver::Query::key).
        key: u128,
        /// The verdict.
        verdict: Verdict,
        /// The time of the run, or the limit that it reached.
        time: Duration,
        /// Whether the verdict was known from an earlier run.
        known: bool,
        /// The candidate's files.
        contents: &'a Contents,
        /// The statistics so far, including this test run.
        stats: &'a Stats,
    },
    /// The test has run on the result once more at the end, which does not count as a run.
    Verified {
        /// Identifies the test run.
        key: u128,
        /// The verdict.
        verdict: Verdict,
        /// The time of the run, or the limit that it reached.
        time: Duration,
        /// Whether the verdict was known from an earlier run.
        known: bool,
    },
    /// A candidate is the best now.
    Accepted {
        /// The pass that proposed it; `None` if an earlier candidate is the best again.
        pass: Option<&'static str>,
        /// Its files.
        contents: &'a Contents,
        /// Its measure.
        measure: Measure,
        /// Test runs so far.
        runs: usize,
        /// The time limit of the following runs, if it is another one than before.
        limit: Option<Duration>,
    },
    /// The test does not give the same answer each time, and has accepted the original this often.
    Flickers {
        /// The runs on the original while no other test ran.
        original: Tally,
        /// Whether it was found during the reduction, when a program was tested again.
        late: bool,
    },
    /// The best program so far turned out to be boring, and the reduction went back.
    Retreat,
    /// A sweep of the passes begins.
    Sweep {
        /// The purpose of the sweep.
        stage: Stage,
        /// The weight, in tokens, up to which a failed set of units is not split.
        floor: usize,
    },
    /// The probation of a pass begins or ends.
    Probation {
        /// The pass.
        pass: &'static str,
        /// Whether the probation begins.
        begins: bool,
    },
    /// The user has skipped a pass.
    Skipped {
        /// The pass.
        pass: &'a str,
        /// Test runs before.
        runs: usize,
        /// Whether that was in an earlier run.
        known: bool,
    },
    /// A pass has panicked, which is a bug.
    Bug {
        /// The pass.
        pass: &'static str,
        /// The message of the panic.
        message: String,
    },
}

/// A listener for events. It must save the best candidate before it answers an `Accepted` event; an error
/// ends the run.
pub type Listener<'a> = dyn FnMut(&Event) -> Result<(), UserError> + 'a;

/// The result of a reduction.
#[derive(Debug)]
pub struct Reduced {
    /// The best candidate's files.
    pub contents: Contents,
    /// The measure of `contents`.
    pub measure: Measure,
    /// The reason for the end.
    pub end: End,
    /// The statistics.
    pub stats: Stats,
}
