//! dd: general delta debugging as a state machine over indices. It asks for outcomes; it runs nothing.
//!
//! Zeller, "Yesterday, my program worked. Today, it does not. Why?" (ESEC/FSE 1999), and Zeller and
//! Hildebrandt (TSE 2002), in the variant of The Debugging Book, with parts in ascending order.

use super::{Obstacle, Outcome};
use std::ops::Range;

/// The goal of delta debugging.
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

    /// The name for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Diff => "diff",
        }
    }

    /// A description of the result in one line.
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

    /// Whether the goal is a smaller failing input.
    pub fn minimises(self) -> bool {
        self != Self::Max
    }

    /// Whether the goal is a larger passing input.
    pub fn maximises(self) -> bool {
        self != Self::Min
    }
}

/// The search for two sets of indices: a passing one inside a failing one. O(n²) tests at worst, O(log n) if
/// no outcome is unresolved.
#[derive(Clone, Debug)]
pub struct Dd {
    goal: Goal,
    /// Both sets are sorted; `passing` is a subset of `failing`.
    passing: Vec<usize>,
    failing: Vec<usize>,
    /// The number of parts into which the difference is divided.
    parts: usize,
    /// The part that is tried first.
    offset: usize,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The set that should pass.
    Passing,
    /// The set that should fail.
    Failing,
    /// The number of candidates of the parts that have been considered: four per part, see [`WAYS`].
    Parts(usize),
    Done,
}

/// A use of a part of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// If the passing set fails with the part, the result is the failing set.
    ReduceToSubset,
    /// If the failing set passes without the part, the result is the passing set.
    IncreaseToSubset,
    /// If the failing set still fails without the part, the result is the failing set.
    ReduceToComplement,
    /// If the passing set still passes with the part, the result is the passing set.
    IncreaseToComplement,
}

/// The ways, in the order in which they are tried on a part.
const WAYS: [Way; 4] =
    [Way::ReduceToSubset, Way::IncreaseToSubset, Way::ReduceToComplement, Way::IncreaseToComplement];

impl Way {
    /// The outcome with which the way succeeds.
    fn desired(self) -> Outcome {
        match self {
            Self::ReduceToSubset | Self::ReduceToComplement => Outcome::Fail,
            Self::IncreaseToSubset | Self::IncreaseToComplement => Outcome::Pass,
        }
    }

    /// Whether the way is tried. The first two ways are tried on halves only: with more parts they rarely
    /// succeed.
    fn is_tried(self, goal: Goal, parts: usize) -> bool {
        let wanted = if self.desired() == Outcome::Fail { goal.minimises() } else { goal.maximises() };
        let halves = matches!(self, Self::ReduceToSubset | Self::IncreaseToSubset);
        wanted && (!halves || parts == 2)
    }
}

impl Dd {
    /// A search over the indices below `count`. The empty set should pass, and the whole set should fail.
    pub fn new(goal: Goal, count: usize) -> Self {
        let failing = (0..count).collect();
        Self { goal, passing: Vec::new(), failing, parts: 2, offset: 0, phase: Phase::Passing }
    }

    /// The best passing set so far, sorted.
    pub fn passing(&self) -> &[usize] {
        &self.passing
    }

    /// The best failing set so far, sorted.
    pub fn failing(&self) -> &[usize] {
        &self.failing
    }

    /// The indices in the failing set but not in the passing one, sorted.
    pub fn difference(&self) -> Vec<usize> {
        without(&self.failing, &self.passing)
    }

    /// The set to test next, sorted; `None` at the end. A second call without `learn` in between returns the
    /// same set.
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
            } else if WAYS[tried % WAYS.len()].is_tried(self.goal, self.parts) {
                return Some(self.candidate(tried, &difference));
            } else {
                self.phase = Phase::Parts(tried + 1);
            }
        }
    }

    /// The sets after the current one whose outcomes are not known, on the assumption that none of these
    /// outcomes is the desired one.
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

    /// Learns the outcome of the set that `ask` returned.
    ///
    /// # Errors
    /// `NotPassing` if the goal needs the empty set to pass and it fails, `NotFailing` if the goal needs the
    /// whole set to fail and it passes.
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
        if outcome != way.desired() {
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

/// Part `number` of `count` parts of a sequence. If the parts cannot be equal, the first ones are longer by
/// one.
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
    fn asking_again_returns_the_same_set() {
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
