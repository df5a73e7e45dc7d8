//! Weighted: ddmin with chunks of equal weight instead of equal length.
//!
//! Wddmin: Zhou, Xu, Zhang, Tian and Sun, "WDD: Weighted Delta Debugging" (ICSE 2025). A large unit is less
//! likely to be accepted than a small one, and gains more. In chunks of equal length it makes chunks of small
//! units fail. If all units weigh the same, this is [`super::ddmin`], which tests all units together first.

use super::rounds::{ByRound, Fate, Round};
use super::{Outline, Search};
use std::ops::Range;

/// ddmin over weighted units. Unlike ddmin, it also tests the last remaining unit, which repeats the test of
/// all units unless the floor has kept some. O(n²) tests at worst.
#[derive(Clone, Debug)]
struct Weighted {
    /// The remaining units and their weights.
    rest: Vec<(usize, usize)>,
    /// The number of chunks of equal weight; 1 is all units together.
    chunks: usize,
    /// The weight of a chunk.
    share: usize,
    /// The index in `rest` at which the next chunk starts.
    start: usize,
    /// Whether some failed chunk of this division could be split.
    divisible: bool,
}

/// Starts a search over the units of `outline` that are in `units`, which is sorted.
pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
    ByRound::<Weighted>::start(outline, units)
}

impl Weighted {
    /// Divides the remaining units into this many chunks, and begins with the first one.
    fn divide(&mut self, chunks: usize) {
        let total: usize = self.rest.iter().map(|(_, weight)| weight).sum();
        (self.chunks, self.share) = (chunks, total / chunks);
        (self.start, self.divisible) = (0, false);
    }

    /// The next chunk: as many units as fit into its share of the weight, and at least one.
    fn chunk(&self) -> Range<usize> {
        let mut left = self.share;
        let fits = |(_, weight): &&(usize, usize)| {
            let fits = *weight <= left;
            left = left.saturating_sub(*weight);
            fits
        };
        let count = self.rest[self.start..].iter().take_while(fits).count();
        self.start..(self.start + count.max(1)).min(self.rest.len())
    }
}

impl Round for Weighted {
    fn begin(mut units: Vec<usize>, outline: &Outline) -> Self {
        units.sort_unstable();
        let rest = units.into_iter().map(|unit| (unit, outline.weights[unit].max(1))).collect();
        let mut search = Self { rest, chunks: 1, share: 0, start: 0, divisible: false };
        search.divide(1);
        search
    }

    fn ask(&mut self) -> Option<Vec<usize>> {
        if self.start >= self.rest.len() {
            if self.rest.is_empty() || !self.divisible {
                return None;
            }
            self.divide(2 * self.chunks);
        }
        Some(self.rest[self.chunk()].iter().map(|(unit, _)| *unit).collect())
    }

    fn learn(&mut self, units: &[usize], fate: Fate) {
        let chunk = self.chunk();
        match fate {
            Fate::Taken => {
                self.rest.drain(chunk);
                self.divide((self.chunks - 1).max(2));
            }
            Fate::Failed => {
                self.start = chunk.end;
                self.divisible |= units.len() > 1;
            }
            Fate::Stays => drop(self.rest.drain(chunk)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{MYSTERY, MYSTERY_TESTS, mystery, outline, run, without};
    use super::*;

    #[test]
    fn with_equal_weights_the_mystery_input_is_tested_in_the_order_of_ddmin() {
        let tests = outline(MYSTERY.len());
        let (taken, asked) = run(start, tests, |gone| mystery(&without(MYSTERY, gone)));
        assert_eq!(without(MYSTERY, &taken), "()");
        let tested: Vec<String> = asked.iter().map(|gone| without(MYSTERY, gone)).collect();
        // All units together come first here.
        assert_eq!(tested, [&[""], &MYSTERY_TESTS[..]].concat());
    }

    #[test]
    fn a_heavy_unit_is_a_chunk_of_its_own() {
        let all = Outline { weights: vec![1, 1, 6, 1, 1, 1, 1], ..outline(7) };
        let (taken, asked) = run(start, all, |units| !units.contains(&2));
        assert_eq!(taken, [0, 1, 3, 4, 5, 6]);
        assert_eq!(asked[..2], [vec![0, 1, 2, 3, 4, 5, 6], vec![0, 1]]);
        assert_eq!(asked[2..4], [vec![0, 1, 2], vec![0, 1, 3, 4, 5, 6]]);
    }

    #[test]
    fn a_chunk_that_weighs_no_more_than_the_floor_is_not_split() {
        let all = Outline { floor: 4, ..outline(8) };
        let (taken, asked) = run(start, all, |units| !units.contains(&1));
        assert_eq!((taken, asked.len()), (vec![4, 5, 6, 7], 3));
    }
}
