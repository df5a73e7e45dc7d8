//! A run: what it may use, what happens in it, and why it ends.

use crate::driver::PassStats;
use crate::error::UserError;
use crate::oracle::{Contents, Verdict};
use crate::schedule::Stage;
use crate::search::{Kind, SEARCHES};
use lopper_engine::algorithms::Algorithm;
use lopper_languages::measure::Measure;
use lopper_passes::Pass;
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
pub struct Reduced {
    /// The best candidate's files.
    pub contents: Contents,
    /// Their measure.
    pub measure: Measure,
    /// Why it ended.
    pub end: End,
    /// What happened.
    pub stats: Stats,
}
