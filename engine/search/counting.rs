//! Counting: counter-based delta debugging, where the size of a set follows from the number of the step
//! alone.
//!
//! CDD: Zhang, Xu, Tian, Cheng and Sun, "Toward a Better Understanding of Probabilistic Delta Debugging"
//! (ICSE 2025). In ProbDD all probabilities grow together, by a factor of about 1/(1 - 1/e) in each step, so
//! the sets shrink by that factor; a counter has the same effect without the arithmetic.

use super::probabilistic::stays;
use super::rounds::{ByRound, Fate, Round};
use super::{Outline, Search};

/// The factor by which sets shrink from one step to the next: 1 - 1/e.
const SHRINK: f64 = 1.0 - 1.0 / std::f64::consts::E;

/// Each step tests all open units in sets of one size; the sets get smaller from step to step, down to single
/// units. O(n log n) tests at worst.
#[derive(Clone, Debug)]
struct Counting {
    /// The undecided units.
    open: Vec<usize>,
    /// The index in `open` at which the next set starts.
    start: usize,
    /// The probability, before the first test, that a unit must stay.
    first: f64,
    /// The number of the step.
    step: i32,
}

/// Starts a search over the units of `outline` that are in `units`, which is sorted.
pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
    ByRound::<Counting>::start(outline, units)
}

/// The number of units in a set at a step. In the first step it maximises the expected gain, `size * (1 -
/// p)^size`.
fn size(first: f64, step: i32) -> usize {
    let size = -1.0 / (1.0 - first).ln();
    (size * SHRINK.powi(step)).max(1.0) as usize
}

impl Counting {
    fn size(&self) -> usize {
        size(self.first, self.step)
    }

    /// Begins the next step whose sets are smaller than all open units together, since those have just failed
    /// together.
    fn next_step(&mut self) {
        self.start = 0;
        self.step += 1;
        while self.size() > 1 && self.size() >= self.open.len() {
            self.step += 1;
        }
    }
}

impl Round for Counting {
    fn begin(units: Vec<usize>, outline: &Outline) -> Self {
        Self { open: units, start: 0, first: stays(outline.chance), step: 0 }
    }

    fn ask(&mut self) -> Option<Vec<usize>> {
        if self.open.is_empty() {
            return None;
        }
        if self.start >= self.open.len() {
            self.next_step();
        }
        let end = (self.start + self.size()).min(self.open.len());
        Some(self.open[self.start..end].to_vec())
    }

    /// Taken units are decided, and so is a unit that failed alone.
    fn learn(&mut self, units: &[usize], fate: Fate) {
        let end = self.start + units.len();
        if fate == Fate::Failed && units.len() > 1 {
            self.start = end;
        } else {
            self.open.drain(self.start..end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Chance;
    use super::super::tests::{outline, run};
    use super::*;

    #[test]
    fn sizes_shrink_by_the_same_factor_down_to_one() {
        let sizes: Vec<usize> = (0..6).map(|pass| size(0.1, pass)).collect();
        assert_eq!(sizes, [9, 5, 3, 2, 1, 1]);
        assert_eq!((size(0.001, 0), size(0.5, 0)), (999, 1));
    }

    #[test]
    fn the_size_of_a_set_follows_from_the_step_whatever_the_verdicts_were() {
        let all = Outline { chance: Chance::guess(0.9), ..outline(20) };
        let (taken, asked) = run(start, all, |units| !units.contains(&12));
        assert_eq!(taken, (0..20).filter(|&unit| unit != 12).collect::<Vec<_>>());
        // Sets of 9, then of 5, 3, 2 and 1 open units. Each set also contains the taken units.
        let lengths: Vec<usize> = asked.iter().map(Vec::len).collect();
        assert_eq!(lengths, [9, 9, 11, 16, 20, 19, 17, 19, 20], "{asked:?}");
    }

    #[test]
    fn a_set_that_weighs_no_more_than_the_floor_is_not_split() {
        let all = Outline { chance: Chance::guess(0.9), floor: 5, ..outline(9) };
        let (taken, asked) = run(start, all, |units| !units.contains(&0));
        assert_eq!((taken, asked.len()), (vec![4, 5, 6, 7, 8], 3));
    }
}
