//! Counting: counter-based delta debugging, where the number of the round alone says how large sets are.
//!
//! CDD: Zhang, Xu, Tian, Cheng and Sun, "Toward a Better Understanding of Probabilistic Delta Debugging"
//! (ICSE 2025). Under ProbDD all probabilities grow in step, by about 1/(1 - 1/e) a round, so that sets
//! shrink by that factor; a counter does the same, without the arithmetic.

use super::probabilistic::stays;
use super::rounds::{ByRound, Fate, Round};
use super::{Outline, Search};

/// How much smaller sets are in the next pass over all units: 1 - 1/e.
const SHRINK: f64 = 1.0 - 1.0 / std::f64::consts::E;

/// Passes over what is left with smaller and smaller sets, down to single units; O(n log n) tests at worst.
#[derive(Clone, Debug)]
struct Counting {
    /// The units that are not decided.
    open: Vec<usize>,
    /// Where in `open` the next set starts.
    start: usize,
    /// How likely a unit was to stay, before anything was tested.
    first: f64,
    /// The number of the pass.
    pass: i32,
}

/// Starts a search over the units of `outline` that are in `units`, which is sorted.
pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
    ByRound::<Counting>::start(outline, units)
}

/// How many units a set has in a pass: where `size * (1 - p)^size`, what may be gained, is largest.
fn size(first: f64, pass: i32) -> usize {
    let size = -1.0 / (1.0 - first).ln();
    (size * SHRINK.powi(pass)).max(1.0) as usize
}

impl Counting {
    fn size(&self) -> usize {
        size(self.first, self.pass)
    }

    /// Begins the next pass that does not ask for all that is left at once: that has just failed.
    fn next_pass(&mut self) {
        self.start = 0;
        self.pass += 1;
        while self.size() > 1 && self.size() >= self.open.len() {
            self.pass += 1;
        }
    }
}

impl Round for Counting {
    fn begin(units: Vec<usize>, outline: &Outline) -> Self {
        Self { open: units, start: 0, first: stays(outline.chance), pass: 0 }
    }

    fn ask(&mut self) -> Option<Vec<usize>> {
        if self.open.is_empty() {
            return None;
        }
        if self.start >= self.open.len() {
            self.next_pass();
        }
        let end = (self.start + self.size()).min(self.open.len());
        Some(self.open[self.start..end].to_vec())
    }

    /// What failed alone is decided, as is what is taken.
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
    fn the_size_of_a_set_follows_from_the_round_whatever_the_verdicts_were() {
        let all = Outline { chance: Chance::guess(0.9), ..outline(20) };
        let (taken, asked) = run(start, all, |units| !units.contains(&12));
        assert_eq!(taken, (0..20).filter(|&unit| unit != 12).collect::<Vec<_>>());
        // Sets of 9, then of 5, 3, 2 and 1 of what is left; those that go are in all later ones.
        let lengths: Vec<usize> = asked.iter().map(Vec::len).collect();
        assert_eq!(lengths, [9, 9, 11, 16, 20, 19, 17, 19, 20], "{asked:?}");
    }

    #[test]
    fn what_weighs_no_more_than_the_floor_is_not_asked_for_in_smaller_sets() {
        let all = Outline { chance: Chance::guess(0.9), floor: 5, ..outline(9) };
        let (taken, asked) = run(start, all, |units| !units.contains(&0));
        assert_eq!((taken, asked.len()), (vec![4, 5, 6, 7, 8], 3));
    }
}
