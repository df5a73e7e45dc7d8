//! Rounds: each round offers one alternative of every choice. Also the searches that know only a single
//! round.

use super::{Chance, Outline, Search};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// The taken units, and the units for later rounds.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    pub(super) outline: Outline,
    /// The units of later rounds: second alternatives of choices whose first alternative is in this round,
    /// and so on.
    later: Vec<usize>,
    taken: Vec<usize>,
}

impl Rounds {
    /// Rounds over the units of `outline` that are in `units`, which is sorted.
    pub(super) fn new(outline: Outline, units: Vec<usize>) -> Self {
        Self { outline, later: units, taken: Vec::new() }
    }

    /// Starts a new round with the first open alternative of every choice. Later units come first, since a
    /// use follows its definition. Empty at the end.
    pub(super) fn next_round(&mut self) -> Vec<usize> {
        let mut units = std::mem::take(&mut self.later);
        units.sort_unstable();
        let mut round: Vec<usize> = Vec::new();
        for unit in units {
            let choice = self.outline.choices[unit];
            match round.last() {
                Some(&first) if self.outline.choices[first] == choice => self.later.push(unit),
                _ => round.push(unit),
            }
        }
        round.reverse();
        round
    }

    /// The taken units, sorted.
    pub(super) fn taken(&self) -> &[usize] {
        &self.taken
    }

    /// The taken units and these, sorted.
    pub(super) fn with(&self, units: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut all = self.taken.clone();
        all.extend(units);
        all.sort_unstable();
        all
    }

    /// Takes units of the current round. Their choices are decided: the other alternatives are discarded.
    pub(super) fn take(&mut self, units: &[usize]) {
        self.taken = self.with(units.iter().copied());
        let choices = &self.outline.choices;
        let made: BTreeSet<usize> = units.iter().map(|&unit| choices[unit]).collect();
        self.later.retain(|&unit| !made.contains(&choices[unit]));
    }

    /// Whether a set of units weighs too little to be split.
    pub(super) fn stay_whole(&self, units: &[usize]) -> bool {
        let weight = || units.iter().map(|&unit| self.outline.weights[unit]).sum::<usize>();
        units.len() == 1 || self.outline.floor > 0 && weight() <= self.outline.floor
    }
}

/// A search over the units of one round, which belong to different choices.
pub(super) trait Round: Clone + Debug + Send + Sync + 'static {
    /// Starts a search over these units, in the order of [`Rounds::next_round`].
    fn begin(units: Vec<usize>, outline: &Outline) -> Self;

    /// The units to test next, without the taken ones; `None` at the end of the round. Called once per
    /// verdict.
    fn ask(&mut self) -> Option<Vec<usize>>;

    /// Learns the fate of these units, which `ask` returned.
    fn learn(&mut self, units: &[usize], fate: Fate);

    /// The probability that these units are accepted together. A search may know better than `chance`.
    fn odds(&self, units: &[usize], chance: Chance) -> f64 {
        chance.of(units.len())
    }
}

/// The fate of units that were tested together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// They are taken.
    Taken,
    /// They failed together.
    Failed,
    /// They failed together and weigh too little to be split: they stay, and finer searches follow.
    Stays,
}

/// Searches round after round, and takes accepted units at once.
#[derive(Clone, Debug)]
pub(super) struct ByRound<R> {
    rounds: Rounds,
    round: R,
    /// The units under test; empty before they are asked for.
    wanted: Vec<usize>,
}

impl<R: Round> ByRound<R> {
    /// A search over the units of `outline` that are in `units`, which is sorted.
    pub(super) fn new(outline: Outline, units: Vec<usize>) -> Self {
        let mut rounds = Rounds::new(outline, units);
        let round = R::begin(rounds.next_round(), &rounds.outline);
        Self { rounds, round, wanted: Vec::new() }
    }

    /// [`Self::new`] for the registry.
    pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
        Box::new(Self::new(outline, units))
    }
}

impl<R: Round> Search for ByRound<R> {
    fn ask(&mut self) -> Option<Vec<usize>> {
        while self.wanted.is_empty() {
            if let Some(wanted) = self.round.ask() {
                self.wanted = wanted;
                continue;
            }
            let units = self.rounds.next_round();
            if units.is_empty() {
                return None;
            }
            self.round = R::begin(units, &self.rounds.outline);
        }
        Some(self.rounds.with(self.wanted.iter().copied()))
    }

    fn learn(&mut self, accepted: bool) {
        let units = std::mem::take(&mut self.wanted);
        if units.is_empty() {
            return;
        }
        self.rounds.outline.chance.learn(accepted, units.len());
        if accepted {
            self.rounds.take(&units);
            self.round.learn(&units, Fate::Taken);
        } else {
            // Each search decides whether it tests a unit again that failed alone.
            let stays = units.len() > 1 && self.rounds.stay_whole(&units);
            self.round.learn(&units, if stays { Fate::Stays } else { Fate::Failed });
        }
    }

    fn taken(&self) -> &[usize] {
        self.rounds.taken()
    }

    /// Nothing: the next candidate contains the taken units, so it depends on the verdict.
    fn ahead(&self, _: usize) -> Vec<Vec<usize>> {
        Vec::new()
    }

    fn odds(&self) -> f64 {
        self.round.odds(&self.wanted, self.chance())
    }

    fn chance(&self) -> Chance {
        self.rounds.outline.chance
    }

    fn fork(&self) -> Box<dyn Search> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(choices: Vec<usize>) -> Rounds {
        let units = (0..choices.len()).collect();
        let weights = vec![1; choices.len()];
        Rounds::new(Outline { choices, weights, floor: 0, chance: Chance::guess(0.5) }, units)
    }

    #[test]
    fn each_round_offers_the_next_alternative_of_every_open_choice_last_choice_first() {
        let mut rounds = rounds(vec![0, 0, 0, 1, 2, 2]);
        assert_eq!(rounds.next_round(), [4, 3, 0]);
        rounds.take(&[4]);
        assert_eq!(rounds.next_round(), [1]);
        assert_eq!(rounds.next_round(), [2]);
        assert!(rounds.next_round().is_empty());
        assert_eq!(rounds.taken(), [4]);
    }

    #[test]
    fn a_floor_keeps_light_units_together_and_without_one_every_set_is_split() {
        let mut rounds = rounds(vec![0, 1, 2]);
        assert!(rounds.stay_whole(&[1]) && !rounds.stay_whole(&[0, 1]));
        rounds.outline.floor = 2;
        assert!(rounds.stay_whole(&[0, 1]) && !rounds.stay_whole(&[0, 1, 2]));
    }
}
