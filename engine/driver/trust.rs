//! Trust: what is known about the test's reliability, and which accepted candidates can be relied on.
//!
//! A test that flickers sooner or later accepts a wrong candidate, and all progress after it is lost. So the
//! best candidate is tested again now and then (`looks.rs`). As long as the test has never contradicted
//! itself, that is all. Once it has, the first step is to measure how often it accepts the original; from
//! then on, each candidate is tested until a sequential test decides about it (`flicker.rs`).

use super::{Driver, Query, Reply};
use crate::Verdict;
use crate::contents::Contents;
use crate::flicker::{Decision, Rates, Tally};
use crate::layered::Layered;
use lopper_languages::measure::Measure;
use std::sync::Arc;

/// An accepted candidate.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) contents: Arc<Contents>,
    pub(super) measure: Measure,
    /// The pass that proposed it; `None` for the original.
    pub(super) pass: Option<&'static str>,
}

/// The driver's knowledge of the test's reliability; see the module.
#[derive(Clone)]
pub(super) struct Trust {
    /// The accepted candidates, the original first. Of the older ones, some are left out.
    pub(super) history: Vec<Entry>,
    /// The newest entry of the history that a look has confirmed.
    pub(super) confirmed: usize,
    /// The index of the entry that the user knows as the best one: the newest, or if the test flickers, the
    /// confirmed one. When the test begins to flicker, it may be an entry that is dropped from the history.
    told: usize,
    /// That entry.
    best: Entry,
    /// How often the best entry has been looked at at the end.
    pub(super) last_looks: u8,
    /// The look that is due.
    pub(super) look: Option<Look>,
    /// The number of runs at the last look.
    pub(super) looked: usize,
    /// The runs on the original that measure how often a flickering test accepts it.
    pub(super) original: Tally,
    /// Whether the test flickers, and `original` is complete.
    pub(super) flickers: bool,
    /// The runs on candidates that turned out to be boring, since the test is known to flicker.
    boring: Tally,
    /// The runs on each candidate that was run more than once.
    tallies: Layered<u128, Tally>,
}

/// A second look at accepted candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// One run on the newest candidate, whether the test contradicts itself.
    Once,
    /// The same at the end of the reduction.
    Last,
    /// Runs on the original, to measure how often the test accepts it.
    Measure,
    /// Runs on the newest candidate until it is surely interesting or boring.
    Confirm,
    /// Runs on an entry of the history until it is probably interesting or boring: a bisection between one
    /// that is interesting and a later one that is boring.
    Bisect { good: usize, entry: usize, boring: usize },
}

/// The probability that a candidate is interesting, before its first run.
const PRIOR: f64 = 0.2;

/// The number of confirmed candidates that are kept, in case that an early one was a mistake.
const KEPT: usize = 64;

impl Trust {
    /// The state at the beginning, when only the original is known to be accepted.
    pub(super) fn new(original: Entry) -> Self {
        Self {
            best: original.clone(),
            history: vec![original],
            confirmed: 0,
            told: 0,
            last_looks: 0,
            look: None,
            looked: 0,
            original: Tally::default(),
            flickers: false,
            boring: Tally::default(),
            tallies: Layered::default(),
        }
    }

    /// The state at the beginning of a branch, which starts from this candidate.
    pub(super) fn of_branch(&self, start: Entry) -> Self {
        Self { best: start.clone(), history: vec![start], confirmed: 0, told: 0, look: None, ..self.clone() }
    }

    /// Keeps what a branch has learned about the test.
    pub(super) fn merge(&mut self, branch: &Self) {
        self.boring = branch.boring;
        self.tallies = branch.tallies.clone();
    }

    /// Whether a look is due.
    pub(super) fn is_looking(&self) -> bool {
        self.look.is_some()
    }

    /// The index of the newest entry.
    pub(super) fn newest(&self) -> usize {
        self.history.len() - 1
    }

    /// The entry that the user knows as the best one.
    pub(super) fn told(&self) -> &Entry {
        &self.best
    }

    /// Whether the user knows a later entry as the best one.
    pub(super) fn is_told_after(&self, entry: usize) -> bool {
        self.told > entry
    }

    /// Makes the confirmed entry the best one for the user. When the test begins to flicker, the user may know
    /// a later one, which stays until all looks are over.
    pub(super) fn tell_confirmed(&mut self) -> Reply {
        let (told, confirmed) = (self.told, self.confirmed);
        if told == confirmed || told > confirmed && self.is_looking() {
            return Reply::Same;
        }
        self.told = confirmed;
        self.best = self.history[confirmed].clone();
        if told < confirmed { Reply::Better } else { Reply::Retreat }
    }

    /// Takes the test for one that flickers, and that has accepted the original this often.
    pub(super) fn flickers(&mut self, original: Tally) {
        self.original = original;
        self.flickers = true;
    }

    /// How often the test has accepted the original, if it flickers.
    pub(super) fn flicker(&self) -> Option<Tally> {
        self.flickers.then_some(self.original)
    }

    /// What is expected of interesting and of boring candidates, if the test flickers.
    pub(super) fn rates(&self) -> Option<Rates> {
        self.flickers.then(|| Rates::new(self.original, self.boring))
    }

    /// Records that the test has accepted a new best candidate.
    pub(super) fn accepted(&mut self, entry: Entry) {
        if !self.flickers {
            self.best = entry.clone();
            self.told = self.history.len();
        }
        self.history.push(entry);
        if self.confirmed > KEPT {
            self.thin_out();
        }
    }

    /// Leaves out every second confirmed entry, but neither the first nor the last one.
    fn thin_out(&mut self) {
        let (confirmed, before) = (self.confirmed, self.history.len());
        let mut index = 0..;
        self.history.retain(|_| index.next().is_none_or(|i| i % 2 == 0 || i >= confirmed));
        let fewer = before - self.history.len();
        self.confirmed -= fewer;
        self.told -= fewer;
    }

    /// The runs on the candidate with this key, given its verdict in the memo.
    pub(super) fn tally(&self, key: u128, remembered: Option<Verdict>) -> Tally {
        let once = remembered.map(|verdict| Tally::once(verdict == Verdict::Interesting));
        self.tallies.get(&key).copied().or(once).unwrap_or_default()
    }

    /// Counts a run on the candidate with this key; returns all its runs.
    pub(super) fn count(&mut self, key: u128, remembered: Option<Verdict>, verdict: Verdict) -> Tally {
        let tally = self.tally(key, remembered).plus(Tally::once(verdict == Verdict::Interesting));
        self.tallies.insert(key, tally);
        tally
    }

    /// Counts the runs on a candidate that turned out to be boring: they show how often the test is mistaken.
    pub(super) fn is_boring(&mut self, tally: Tally) {
        self.boring = self.boring.plus(tally);
    }
}

impl Driver {
    /// The verdict in the memo that needs no run. If the test flickers, a candidate that was accepted once may
    /// still be boring.
    pub(super) fn remembered(&mut self, key: u128) -> Option<Verdict> {
        let verdict = self.memo.get(key)?;
        match self.trust.rates() {
            Some(rates) if verdict == Verdict::Interesting => {
                match rates.decide(self.trust.tally(key, Some(verdict))) {
                    Decision::Open => None,
                    Decision::Boring => Some(Verdict::Boring),
                    Decision::Likely | Decision::Sure => Some(verdict),
                }
            }
            _ => Some(verdict),
        }
    }

    /// The query for the next run on a candidate, which may have had earlier ones.
    pub(super) fn repeated(&self, query: Query) -> Query {
        let tally = self.trust.tally(query.key, self.memo.peek(query.key));
        match self.trust.rates() {
            Some(rates) if tally.runs > 0 => {
                Query { chance: rates.chance(tally, PRIOR), ..query.repeated(tally.runs) }
            }
            _ => query,
        }
    }

    /// Learns the verdict of a run on a candidate; `None` if more runs are needed. If the test does not
    /// flicker, one run decides.
    pub(super) fn weigh(&mut self, key: u128, verdict: Verdict) -> Option<Verdict> {
        let decided = match self.trust.rates() {
            None => Some(verdict),
            Some(rates) => {
                let tally = self.trust.count(key, self.memo.peek(key), verdict);
                match rates.decide(tally) {
                    Decision::Open => None,
                    Decision::Boring => {
                        self.trust.is_boring(tally);
                        Some(if verdict == Verdict::Interesting { Verdict::Boring } else { verdict })
                    }
                    Decision::Likely | Decision::Sure => Some(Verdict::Interesting),
                }
            }
        };
        if let Some(verdict) = decided {
            self.memo.insert(key, verdict);
            self.decided += 1;
        }
        decided
    }
}
