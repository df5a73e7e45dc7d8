//! Probabilistic: each unit has a probability that it must stay, which every test updates.
//!
//! ProbDD: Wang, Shen, Chen, Xiong and Zhang, "Probabilistic Delta Debugging" (ESEC/FSE 2021). The next set
//! is the one with the largest expected gain: its size times the probability that it is accepted. When it
//! fails, at least one of its units must stay, and Bayes' theorem raises the probability of each.

use super::rounds::{ByRound, Fate, Round};
use super::{Chance, Outline, Search};

/// The probability from which a unit is certain to stay.
const CERTAIN: f64 = 1.0 - 1e-9;
/// The factor by which a larger set must promise more than a smaller one; otherwise rounding errors could
/// select the same set again.
const MORE: f64 = 1.0 + 1e-9;

/// The undecided units, with the probabilities that they must stay. Each failure raises those of a set by at
/// least a third, so O(n log 1/p) tests at worst.
#[derive(Clone, Debug)]
struct Probabilistic {
    open: Vec<(usize, f64)>,
}

/// Starts a search over the units of `outline` that are in `units`, which is sorted.
pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
    ByRound::<Probabilistic>::start(outline, units)
}

/// The probability, before the first test, that a unit must stay. It is bounded on both sides, so that no
/// unit is tested only alone, and none only with all others.
pub(super) fn stays(chance: Chance) -> f64 {
    (1.0 - chance.value()).clamp(0.001, 0.5)
}

impl Probabilistic {
    /// The probability that the first `count` units are accepted together.
    fn accepts(&self, count: usize) -> f64 {
        self.open[..count].iter().map(|(_, stays)| 1.0 - stays).product()
    }
}

impl Round for Probabilistic {
    fn begin(units: Vec<usize>, outline: &Outline) -> Self {
        let first = stays(outline.chance);
        Self { open: units.into_iter().map(|unit| (unit, first)).collect() }
    }

    /// Sorts the units that are least likely to stay to the front, and adds units as long as the expected
    /// gain grows. One more unit multiplies the gain by `n (1 - p) / (n - 1)`, and this factor only falls, so
    /// the first unit that does not raise the gain ends the set.
    fn ask(&mut self) -> Option<Vec<usize>> {
        self.open.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut count = 1;
        for (n, (_, stays)) in (1..).map(f64::from).zip(&self.open).skip(1) {
            if n * (1.0 - stays) <= (n - 1.0) * MORE {
                break;
            }
            count += 1;
        }
        let set = self.open.get(..count)?;
        Some(set.iter().map(|(unit, _)| *unit).collect())
    }

    /// The units of the last `ask` are at the front.
    fn learn(&mut self, units: &[usize], fate: Fate) {
        let count = units.len();
        if fate == Fate::Failed {
            let fails = 1.0 - self.accepts(count);
            self.open[..count].iter_mut().for_each(|(_, stays)| *stays /= fails);
            self.open.retain(|(_, stays)| *stays < CERTAIN);
        } else {
            self.open.drain(..count);
        }
    }

    fn odds(&self, units: &[usize], _: Chance) -> f64 {
        self.accepts(units.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{outline, run};
    use super::*;

    fn probabilities(stays: &[f64]) -> Probabilistic {
        Probabilistic { open: stays.iter().copied().enumerate().collect() }
    }

    #[test]
    fn the_next_set_gains_most() {
        // 1 * 0.9, 2 * 0.9 * 0.8, 3 * 0.9 * 0.8 * 0.7 and 4 * 0.9 * 0.8 * 0.7 * 0.2: the third is largest.
        assert_eq!(probabilities(&[0.3, 0.8, 0.1, 0.2]).ask(), Some(vec![2, 3, 0]));
        assert_eq!(probabilities(&[0.5, 0.5]).ask(), Some(vec![0]));
        assert_eq!(probabilities(&[]).ask(), None);
    }

    #[test]
    fn a_failure_blames_each_unit_of_the_set_by_bayes_theorem() {
        let mut search = probabilities(&[0.1, 0.2, 0.9]);
        let set = search.ask().unwrap();
        assert_eq!(set, [0, 1]);
        search.learn(&set, Fate::Failed);
        let stays: Vec<f64> = search.open.iter().map(|(_, stays)| *stays).collect();
        let expected = [0.1 / 0.28, 0.2 / 0.28, 0.9];
        assert!(stays.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{stays:?}");
    }

    #[test]
    fn a_unit_that_fails_alone_is_certain_to_stay() {
        let mut search = probabilities(&[0.5]);
        search.ask();
        search.learn(&[0], Fate::Failed);
        assert_eq!(search.ask(), None);
    }

    #[test]
    fn few_units_that_stay_are_found_in_few_tests() {
        let all = Outline { chance: Chance::guess(0.99), ..outline(500) };
        let (taken, asked) = run(start, all, |units| !units.contains(&7) && !units.contains(&300));
        assert_eq!(taken.len(), 498);
        assert!(asked.len() < 60, "{}", asked.len());
    }

    #[test]
    fn a_set_that_weighs_no_more_than_the_floor_is_not_split() {
        let all = Outline { floor: 4, ..outline(4) };
        let (taken, asked) = run(start, all, |units| !units.contains(&1));
        assert_eq!((taken, asked.len()), (vec![], 1));
    }
}
