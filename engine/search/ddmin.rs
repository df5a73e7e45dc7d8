//! ddmin: the minimising delta debugging algorithm.
//!
//! Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002), in the
//! variant of The Debugging Book that tests complements only: `n` chunks, each left out in turn; on
//! success `max(n - 1, 2)` chunks and again from the first; else twice as many, down to single units.

use super::rounds::{ByRound, Fate, Round};
use super::{Outline, Search};

/// ddmin over n units. Never asks about a single remaining one; and tests leaving out all of them only
/// where that is asked for. The units that are left when it ends are 1-minimal if the test is deterministic.
/// O(n²) tests at worst, O(log n) for a single unit that stays.
#[derive(Clone, Debug)]
pub struct Ddmin {
    /// The units that stay, as far as is known.
    rest: Vec<usize>,
    chunks: usize,
    /// Where in `rest` the chunk starts that is left out next.
    start: usize,
    /// Whether leaving out all of them comes first.
    all_first: bool,
}

/// Starts a search over the units of `outline` that are in `units`, which is sorted; of each round of
/// alternatives all are asked for first. Knows no floor.
pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
    ByRound::<Ddmin>::start(outline, units)
}

impl Ddmin {
    /// A search over these units, which are sorted.
    pub fn new(units: Vec<usize>) -> Self {
        Self { rest: units, chunks: 2, start: 0, all_first: false }
    }

    /// The units that stay, as far as is known.
    pub fn rest(&self) -> &[usize] {
        &self.rest
    }

    /// The units to leave out of `rest` next; `None` at the end.
    pub fn ask(&mut self) -> Option<Vec<usize>> {
        if self.all_first {
            return Some(self.rest.clone());
        }
        if self.rest.len() < 2 {
            return None;
        }
        if self.start >= self.rest.len() {
            if self.chunks == self.rest.len() {
                return None;
            }
            self.chunks = (2 * self.chunks).min(self.rest.len());
            self.start = 0;
        }
        Some(self.rest[self.chunk()].to_vec())
    }

    /// What is left of `rest` without the units that are wanted after the present ones, if nothing until then
    /// is accepted; one after the other.
    pub fn ahead(&self) -> impl Iterator<Item = Vec<usize>> + use<> {
        let mut search = self.clone();
        std::iter::from_fn(move || {
            search.learn(false);
            let chunk = search.ask()?;
            Some(search.rest.iter().copied().filter(|i| chunk.binary_search(i).is_err()).collect())
        })
    }

    /// Learns whether what is left is accepted without the units that were wanted.
    pub fn learn(&mut self, accepted: bool) {
        match (std::mem::take(&mut self.all_first), accepted) {
            (true, true) => self.rest.clear(),
            (true, false) => {}
            (false, true) => {
                self.rest.drain(self.chunk());
                self.chunks = (self.chunks - 1).max(2);
                self.start = 0;
            }
            (false, false) => self.start = self.chunk().end,
        }
    }

    fn chunk(&self) -> std::ops::Range<usize> {
        let length = self.rest.len() / self.chunks;
        self.start..(self.start + length).min(self.rest.len())
    }
}

impl Round for Ddmin {
    fn begin(mut units: Vec<usize>, _: &Outline) -> Self {
        units.sort_unstable();
        Self { all_first: !units.is_empty(), ..Self::new(units) }
    }

    fn ask(&mut self) -> Option<Vec<usize>> {
        Self::ask(self)
    }

    fn learn(&mut self, _: &[usize], fate: Fate) {
        Self::learn(self, fate == Fate::Taken);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{MYSTERY, MYSTERY_TESTS, mystery, without};
    use super::*;

    /// Runs ddmin over the characters of `input`; gives the result and what was tested, the input
    /// itself first.
    fn run(input: &str, fails: impl Fn(&str) -> bool) -> (String, Vec<String>) {
        let without = |gone: &[usize]| without(input, gone);
        let mut search = Ddmin::new((0..input.len()).collect());
        let (mut gone, mut tested) = (Vec::new(), vec![input.to_owned()]);
        while let Some(chunk) = search.ask() {
            let wanted = [&gone[..], &chunk].concat();
            let candidate = without(&wanted);
            let accepted = fails(&candidate);
            search.learn(accepted);
            gone = if accepted { wanted } else { gone };
            tested.push(candidate);
        }
        (without(&gone), tested)
    }

    #[test]
    fn the_mystery_input_needs_seventeen_tests_in_the_published_order() {
        let (result, tested) = run(MYSTERY, mystery);
        assert_eq!(result, "()");
        assert_eq!(tested, [&[MYSTERY], &MYSTERY_TESTS[..]].concat());
    }

    #[test]
    fn one_unit_is_never_asked_about() {
        assert_eq!(run("a", |_| true).1, ["a"]);
        assert_eq!(run("ab", |_| true).1, ["ab", "b"]);
    }

    #[test]
    fn what_is_left_is_1_minimal() {
        let needs = |s: &str| s.contains('a') == s.contains('b') && s.contains('c');
        let (result, _) = run("xaxbxcx", needs);
        assert!(needs(&result));
        for i in 0..result.len() {
            let (left, right) = (&result[..i], &result[i + 1..]);
            assert!(!needs(&format!("{left}{right}")), "{result} can lose byte {i}");
        }
    }
}
