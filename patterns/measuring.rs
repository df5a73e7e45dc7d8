//! Measuring: how often fresh instances fail, and which hole is to blame for those that do not.

use crate::check::Pending;
use crate::drawing::{Drawing, Drawn, Opening, Place, fill, fill_at_random, range};
use crate::pattern::Rate;
use crate::random::Random;
use lopper_engine::Verdict;
use std::collections::{BTreeMap, BTreeSet};

/// So many instances that do not fail are looked at to find the hole to blame.
const LOOKED_AT: usize = 6;

/// A measurement of the rate on fresh instances.
#[derive(Debug)]
pub(crate) struct Measuring {
    wanted: usize,
    least: Option<f64>,
    /// So many more draws.
    draws: usize,
    random: Random,
    seen: BTreeSet<Vec<u8>>,
    failing: usize,
    valid: usize,
    invalid: usize,
    /// Instances that wait for their verdicts, by their texts.
    drawn: BTreeMap<Vec<u8>, Drawn>,
    passing: Vec<Drawn>,
}

impl Measuring {
    /// `least` is the share of failing instances without which the pattern is narrowed: `None` if it is not any more.
    pub(crate) fn new(wanted: usize, least: Option<f64>, draws: usize, random: Random) -> Self {
        // Texts that were drawn before cost no run.
        let draws = draws.max(wanted.saturating_mul(50));
        let (failing, valid, invalid) = (0, 0, 0);
        let (seen, drawn, passing) = Default::default();
        Self { wanted, least, draws, random, seen, failing, valid, invalid, drawn, passing }
    }

    /// Draws the next instance.
    pub(crate) fn draw(&mut self, drawing: &mut dyn Drawing, openings: &[&Opening]) -> Option<Pending> {
        self.draws = self.draws.saturating_sub(1);
        let drawn = fill_at_random(drawing, openings, &mut self.random)?;
        let text = drawn.text.clone();
        self.drawn.insert(text.clone(), drawn);
        Some(Pending { text, value: Vec::new() })
    }

    /// Whether no more instances are to be drawn.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.draws == 0
    }

    /// Takes the verdict of an instance.
    pub(crate) fn learn(&mut self, pending: Pending, verdict: Verdict) {
        let drawn = self.drawn.get(&pending.text).cloned();
        if !self.seen.insert(pending.text) {
            return;
        }
        match verdict {
            Verdict::Interesting => (self.failing, self.valid) = (self.failing + 1, self.valid + 1),
            Verdict::Boring => {
                self.valid += 1;
                self.passing.extend(drawn);
            }
            Verdict::Invalid | Verdict::TimedOut | Verdict::OutOfMemory => self.invalid += 1,
        }
    }

    /// Whether the rate is known.
    pub(crate) fn is_over(&self, all_learned: bool) -> bool {
        self.valid >= self.wanted || (all_learned && self.is_exhausted()) || self.is_short()
    }

    /// Whether the instances that passed are too many for the rate that is wanted, whatever comes of the others.
    fn is_short(&self) -> bool {
        let most = self.wanted.saturating_sub(self.valid - self.failing);
        self.least.is_some_and(|least| (most as f64 / self.wanted as f64) < least)
    }

    /// The rate of the instances so far; `None` if there were no valid ones.
    pub(crate) fn rate(&self, confidence: f64) -> Option<Rate> {
        (self.valid > 0).then(|| Rate::new(self.failing, self.valid, self.invalid, confidence))
    }

    /// The instances that passed.
    pub(crate) fn into_passing(self) -> Vec<Drawn> {
        self.passing
    }
}

/// A search for the hole to blame: instances that passed are asked about again, with the example's own text in one
/// hole after the other.
#[derive(Debug)]
pub(crate) struct Blaming {
    passing: Vec<Drawn>,
    /// The openings as the instances have them.
    places: Vec<Place>,
    /// Which instance and which opening is looked at next.
    next: (usize, usize),
    /// The opening that has the example's own text in a text.
    asked: BTreeMap<Vec<u8>, usize>,
    /// How often each opening is to blame.
    blame: Vec<usize>,
}

impl Blaming {
    pub(crate) fn new(mut passing: Vec<Drawn>, places: Vec<Place>) -> Self {
        passing.truncate(LOOKED_AT);
        let blame = vec![0; places.len()];
        Self { passing, places, next: (0, 0), asked: BTreeMap::new(), blame }
    }

    /// Makes the next text.
    pub(crate) fn draw(&mut self, drawing: &dyn Drawing, openings: &[&Opening]) -> Option<Pending> {
        let (instance, opening) = self.next;
        self.next = if opening + 1 < openings.len() { (instance, opening + 1) } else { (instance + 1, 0) };
        let mut values = self.passing.get(instance)?.values.clone();
        let own = range(self.places.get(opening)?, drawing.nodes());
        *values.get_mut(opening)? = drawing.example()[own].to_vec();
        let text = fill(drawing, openings, &values)?;
        self.asked.insert(text.clone(), opening);
        Some(Pending { text, value: Vec::new() })
    }

    /// Whether no more texts are to be made.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.next.0 >= self.passing.len()
    }

    /// Takes the verdict of a text.
    pub(crate) fn learn(&mut self, pending: Pending, verdict: Verdict) {
        if verdict == Verdict::Interesting
            && let Some(opening) = self.asked.remove(&pending.text)
        {
            self.blame[opening] += 1;
        }
    }

    /// The opening that is most often to blame, or else the first one, and what stood in it in an instance that
    /// passed.
    pub(crate) fn blamed(&self) -> Option<(&Place, Option<&Vec<u8>>)> {
        let most = (0..self.places.len()).rev().max_by_key(|&opening| self.blame[opening])?;
        let counterexample = self.passing.first().and_then(|drawn| drawn.values.get(most));
        Some((&self.places[most], counterexample))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_that_cannot_be_reached_any_more_is_not_measured_to_the_end() {
        let passing = |least: Option<f64>| {
            let mut measuring = Measuring::new(100, least, 200, Random::new(1));
            let end = (0_u8..50).find(|&n| {
                measuring.learn(Pending { text: vec![n], value: Vec::new() }, Verdict::Boring);
                measuring.is_over(false)
            });
            end.map(|last| last + 1)
        };
        assert_eq!(passing(Some(0.9)), Some(11));
        assert_eq!(passing(None), None);
    }
}
