//! dd: general delta debugging as a state machine over indices. It asks, it never runs anything.
//!
//! Zeller, "Yesterday, my program worked. Today, it does not. Why?" (ESEC/FSE 1999), and Zeller and
//! Hildebrandt (TSE 2002), in the variant of The Debugging Book, with parts in ascending order.

use super::{Obstacle, Outcome};
use std::ops::Range;

/// What delta debugging is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A minimal failing input.
    Min,
    /// A maximal passing input.
    Max,
    /// A passing and a failing input with a minimal difference.
    Diff,
}

impl Goal {
    /// All goals.
    pub const ALL: &[Self] = &[Self::Min, Self::Max, Self::Diff];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Diff => "diff",
        }
    }

    /// What is found, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Min => "A failing input: without any single part of it, it no longer fails",
            Self::Max => "A passing input: with any single part added, it no longer passes",
            Self::Diff => {
                "A passing and a failing input: no single part of the difference can be added to the former or \
                 removed from the latter"
            }
        }
    }

    /// Whether a smaller failing input is wanted.
    pub fn minimises(self) -> bool {
        self != Self::Max
    }

    /// Whether a larger passing input is wanted.
    pub fn maximises(self) -> bool {
        self != Self::Min
    }
}

/// The search for two sets of indices, one that passes within one that fails. O(n²) tests at worst,
/// O(log n) if every one passes or fails.
#[derive(Clone, Debug)]
pub struct Dd {
    goal: Goal,
    /// Both sorted; the first is part of the second.
    passing: Vec<usize>,
    failing: Vec<usize>,
    /// Into how many parts the difference is split.
    parts: usize,
    /// Which part comes first.
    offset: usize,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The set that should pass.
    Passing,
    /// The set that should fail.
    Failing,
    /// So many of the candidates that the parts give were looked at: four a part, see [`WAYS`].
    Parts(usize),
    Done,
}

/// What is done with a part of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// If what passes fails with it, that is the failing set.
    ReduceToSubset,
    /// If what fails passes without it, that is the passing set.
    IncreaseToSubset,
    /// If what fails still fails without it, it goes.
    ReduceToComplement,
    /// If what passes still passes with it, it stays.
    IncreaseToComplement,
}

/// In the order in which they are tried on a part.
const WAYS: [Way; 4] =
    [Way::ReduceToSubset, Way::IncreaseToSubset, Way::ReduceToComplement, Way::IncreaseToComplement];

impl Way {
    /// What the outcome has to be.
    fn hopes_for(self) -> Outcome {
        match self {
            Self::ReduceToSubset | Self::ReduceToComplement => Outcome::Fail,
            Self::IncreaseToSubset | Self::IncreaseToComplement => Outcome::Pass,
        }
    }

    /// The first two ways are those of halves only: with more parts they succeed too seldom.
    fn is_of(self, goal: Goal, parts: usize) -> bool {
        let wanted = if self.hopes_for() == Outcome::Fail { goal.minimises() } else { goal.maximises() };
        let halves = matches!(self, Self::ReduceToSubset | Self::IncreaseToSubset);
        wanted && (!halves || parts == 2)
    }
}

impl Dd {
    /// A search over the indices below `count`: nothing should pass and all should fail.
    pub fn new(goal: Goal, count: usize) -> Self {
        let failing = (0..count).collect();
        Self { goal, passing: Vec::new(), failing, parts: 2, offset: 0, phase: Phase::Passing }
    }

    /// The set that passes, as far as is known, sorted.
    pub fn passing(&self) -> &[usize] {
        &self.passing
    }

    /// The set that fails, as far as is known, sorted.
    pub fn failing(&self) -> &[usize] {
        &self.failing
    }

    /// What fails and is not in what passes, sorted.
    pub fn difference(&self) -> Vec<usize> {
        without(&self.failing, &self.passing)
    }

    /// The set to test next, sorted; `None` at the end. Asking again without `learn` in between gives
    /// the same answer.
    pub fn ask(&mut self) -> Option<Vec<usize>> {
        loop {
            let tried = match self.phase {
                Phase::Passing => return Some(self.passing.clone()),
                Phase::Failing => return Some(self.failing.clone()),
                Phase::Done => return None,
                Phase::Parts(tried) => tried,
            };
            let difference = self.difference();
            if difference.len() < self.parts {
                self.phase = Phase::Done;
            } else if tried == WAYS.len() * self.parts {
                let finest = self.parts == difference.len();
                self.parts = (2 * self.parts).min(difference.len());
                self.phase = if finest { Phase::Done } else { Phase::Parts(0) };
            } else if WAYS[tried % WAYS.len()].is_of(self.goal, self.parts) {
                return Some(self.candidate(tried, &difference));
            } else {
                self.phase = Phase::Parts(tried + 1);
            }
        }
    }

    /// What it will want after what it wants now, as far as outcomes are not known, if no such outcome is
    /// what it hopes for.
    pub(crate) fn ahead<'a>(
        &self,
        known: impl Fn(&[usize]) -> Option<Outcome> + 'a,
    ) -> impl Iterator<Item = Vec<usize>> + 'a {
        let mut search = self.clone();
        let mut outcome = None;
        std::iter::from_fn(move || {
            loop {
                search.learn(outcome.unwrap_or(Outcome::Unresolved)).ok()?;
                let wanted = search.ask()?;
                outcome = known(&wanted);
                if outcome.is_none() {
                    return Some(wanted);
                }
            }
        })
    }

    /// Learns the outcome of what `ask` gave.
    ///
    /// # Errors
    /// `NotPassing` and `NotFailing` if the search has no ground to start from.
    pub fn learn(&mut self, outcome: Outcome) -> Result<(), Obstacle> {
        match (self.phase, outcome) {
            (Phase::Passing, Outcome::Fail) if self.goal.maximises() => return Err(Obstacle::NotPassing),
            (Phase::Passing, Outcome::Fail) => {
                self.failing.clone_from(&self.passing);
                self.phase = Phase::Done;
            }
            (Phase::Passing, _) => self.phase = Phase::Failing,
            (Phase::Failing, Outcome::Pass) if self.goal.minimises() => return Err(Obstacle::NotFailing),
            (Phase::Failing, Outcome::Pass) => {
                self.passing.clone_from(&self.failing);
                self.phase = Phase::Done;
            }
            (Phase::Failing, _) => self.phase = Phase::Parts(0),
            (Phase::Parts(tried), _) => self.learn_part(tried, outcome),
            (Phase::Done, _) => {}
        }
        Ok(())
    }

    fn learn_part(&mut self, tried: usize, outcome: Outcome) {
        let way = WAYS[tried % WAYS.len()];
        if outcome != way.hopes_for() {
            self.phase = Phase::Parts(tried + 1);
            return;
        }
        let candidate = self.candidate(tried, &self.difference());
        self.offset = self.part_number(tried);
        self.phase = Phase::Parts(0);
        match outcome {
            Outcome::Fail => self.failing = candidate,
            _ => self.passing = candidate,
        }
        if matches!(way, Way::ReduceToComplement | Way::IncreaseToComplement) {
            self.parts = (self.parts - 1).max(2);
        }
    }

    fn part_number(&self, tried: usize) -> usize {
        (tried / WAYS.len() + self.offset) % self.parts
    }

    fn candidate(&self, tried: usize, difference: &[usize]) -> Vec<usize> {
        let part = &difference[part(difference.len(), self.parts, self.part_number(tried))];
        match WAYS[tried % WAYS.len()] {
            Way::ReduceToSubset | Way::IncreaseToComplement => with(&self.passing, part),
            Way::IncreaseToSubset | Way::ReduceToComplement => without(&self.failing, part),
        }
    }
}

/// Part `number` of `count` parts of a sequence: the first ones are longer by one where they cannot be
/// equal.
fn part(length: usize, count: usize, number: usize) -> Range<usize> {
    let (size, longer) = (length / count, length % count);
    let start = |number: usize| number * size + number.min(longer);
    start(number)..start(number + 1)
}

/// The union of two sorted sets.
fn with(set: &[usize], more: &[usize]) -> Vec<usize> {
    let mut all = [set, more].concat();
    all.sort_unstable();
    all
}

/// A sorted set without another.
fn without(set: &[usize], less: &[usize]) -> Vec<usize> {
    set.iter().filter(|i| less.binary_search(i).is_err()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_parts_are_longer_by_one() {
        let split = |length, count| (0..count).map(|i| part(length, count, i)).collect::<Vec<_>>();
        assert_eq!(split(7, 3), [0..3, 3..5, 5..7]);
        assert_eq!(split(4, 3), [0..2, 2..3, 3..4]);
    }

    #[test]
    fn asking_again_gives_the_same_answer() {
        let mut dd = Dd::new(Goal::Diff, 9);
        while let Some(wanted) = dd.ask() {
            assert_eq!(dd.ask().as_ref(), Some(&wanted));
            let fails = wanted.contains(&3) && wanted.contains(&7);
            let outcome = if fails { Outcome::Fail } else { Outcome::Pass };
            assert_eq!(dd.learn(outcome), Ok(()));
        }
        assert_eq!(dd.difference().len(), 1);
    }
}
