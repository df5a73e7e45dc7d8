//! One question: may what stands in a place vary?

use crate::drawing::{Drawing, Opening, fill, fill_at_random};
use crate::random::Random;
use lopper_engine::Verdict;
use std::collections::BTreeSet;

/// So many instances are kept for each hole.
const INSTANCES: usize = 20;

/// So many failures in a row to draw anything say that there is nothing.
const VAIN: usize = 60;

/// When a check ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// So many different texts that fail make a hole.
    pub(crate) distinct: usize,
    /// So many texts are drawn at most, repetitions included.
    pub(crate) draws: usize,
    /// So many different texts end it if no two values failed: one may be the example's own.
    pub(crate) patience: usize,
    /// A hole may have so many invalid texts for each one that fails.
    pub(crate) invalid: usize,
}

/// A text that was drawn and whose verdict is not known yet.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// The text.
    pub(crate) text: Vec<u8>,
    /// What stands in the place.
    pub(crate) value: Vec<u8>,
}

/// A check of an opening.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// What is checked, with what was seen.
    pub(crate) opening: Opening,
    limits: Limits,
    random: Random,
    /// Draws so far, and how many in a row gave nothing.
    draws: usize,
    vain: usize,
    /// The texts that counted.
    seen: BTreeSet<Vec<u8>>,
    /// What stood in the place in those that failed.
    values: BTreeSet<Vec<u8>>,
    passed: bool,
}

impl Check {
    pub(crate) fn new(opening: Opening, limits: Limits, random: Random) -> Self {
        let (seen, values) = Default::default();
        Self { opening, limits, random, draws: 0, vain: 0, seen, values, passed: false }
    }

    /// Draws the next text, whatever came of those before it. `None` if nothing came of this draw.
    pub(crate) fn draw(&mut self, drawing: &mut dyn Drawing, others: &[&Opening]) -> Option<Pending> {
        self.draws += 1;
        let openings: Vec<&Opening> = [&self.opening].into_iter().chain(others.iter().copied()).collect();
        let drawn = fill_at_random(drawing, &openings, &mut self.random);
        self.vain = if drawn.is_some() { 0 } else { self.vain + 1 };
        let drawn = drawn?;
        Some(Pending { value: drawn.own.into_iter().next()?, text: drawn.text })
    }

    /// The text with the same value and all else as in the example; `None` if that is the text itself.
    pub(crate) fn alone(&self, pending: &Pending, drawing: &dyn Drawing) -> Option<Pending> {
        let text = fill(drawing, &[&self.opening], std::slice::from_ref(&pending.value))?;
        (text != pending.text).then(|| Pending { text, value: pending.value.clone() })
    }

    /// Whether no more texts are to be drawn.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.draws >= self.limits.draws || self.vain >= VAIN
    }

    /// Takes the verdict of the texts in the order in which they were drawn.
    pub(crate) fn learn(&mut self, pending: Pending, verdict: Verdict) {
        self.opening.evidence.draws += 1;
        if !self.seen.insert(pending.text) {
            return;
        }
        let evidence = &mut self.opening.evidence;
        match verdict {
            Verdict::Interesting => {
                evidence.failing += 1;
                if self.values.insert(pending.value.clone())
                    && evidence.instances.len() < INSTANCES
                    && !evidence.instances.contains(&pending.value)
                {
                    evidence.instances.push(pending.value);
                }
            }
            Verdict::Boring => {
                evidence.passing += 1;
                evidence.counterexample = Some(pending.value);
                self.passed = true;
            }
            Verdict::Invalid | Verdict::TimedOut | Verdict::OutOfMemory => evidence.invalid += 1,
        }
    }

    /// The answer, as soon as there is one. `all_learned`: nothing that was drawn waits for its verdict.
    pub(crate) fn answer(&self, all_learned: bool) -> Option<bool> {
        let evidence = &self.opening.evidence;
        let failing = self.seen.len() - evidence.invalid.min(self.seen.len());
        if self.passed || (self.values.len() < 2 && self.seen.len() >= self.limits.patience) {
            Some(false)
        } else if failing >= self.limits.distinct && self.values.len() > 1 {
            Some(true)
        } else if all_learned && self.is_exhausted() {
            Some(self.is_likely())
        } else {
            None
        }
    }

    /// Whether what was seen so far speaks for a hole.
    pub(crate) fn is_likely(&self) -> bool {
        let invalid = self.opening.evidence.invalid;
        let failing = self.seen.len() - invalid.min(self.seen.len());
        let is_valid = invalid <= failing.saturating_mul(self.limits.invalid);
        !self.passed && failing > 1 && self.values.len() > 1 && is_valid
    }
}
