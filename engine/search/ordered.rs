//! Ordered: tests one unit at a time, each once.
//!
//! Reducers without a search work like this. It is the weaker half of ddmin in Zeller and Hildebrandt,
//! "Simplifying and Isolating Failure-Inducing Input" (TSE 2002), with single units as chunks. It serves as
//! the baseline for the other searches.

use super::rounds::{ByRound, Fate, Round};
use super::{Outline, Search};

/// Tests units one by one, later ones first. As many tests as there are units.
#[derive(Clone, Debug)]
struct Ordered {
    /// The units to be tested, the next one last.
    left: Vec<usize>,
}

/// Starts a search over the units of `outline` that are in `units`, which is sorted.
pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
    ByRound::<Ordered>::start(outline, units)
}

impl Round for Ordered {
    /// Leaves units lighter than the floor to finer searches.
    fn begin(mut units: Vec<usize>, outline: &Outline) -> Self {
        units.retain(|&unit| outline.weights[unit] >= outline.floor);
        units.reverse();
        Self { left: units }
    }

    fn ask(&mut self) -> Option<Vec<usize>> {
        self.left.pop().map(|unit| vec![unit])
    }

    fn learn(&mut self, _: &[usize], _: Fate) {}
}

#[cfg(test)]
mod tests {
    use super::super::tests::{outline, run};
    use super::*;

    #[test]
    fn units_are_tested_once_from_the_last_to_the_first() {
        let (taken, asked) = run(start, outline(4), |units| !units.contains(&2));
        assert_eq!(taken, [0, 1, 3]);
        assert_eq!(asked, [vec![3], vec![2, 3], vec![1, 3], vec![0, 1, 3]]);
    }

    #[test]
    fn the_next_alternative_of_a_choice_comes_after_all_other_choices() {
        let choices = Outline { choices: vec![0, 0, 1, 1], ..outline(4) };
        let (taken, asked) = run(start, choices, |units| !units.contains(&0));
        assert_eq!(taken, [1, 2]);
        assert_eq!(asked, [vec![2], vec![0, 2], vec![1, 2]]);
    }

    #[test]
    fn a_unit_lighter_than_the_floor_waits_for_a_finer_search() {
        let all = Outline { weights: vec![1, 8, 1, 9], floor: 8, ..outline(4) };
        assert_eq!(run(start, all, |_| true).0, [1, 3]);
    }
}
