//! ddmin: the minimising delta debugging algorithm.
//!
//! Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002), in the variant of
//! The Debugging Book that tests complements only: the units are divided into `n` chunks, and each chunk is
//! left out in turn. After a success ddmin continues with `max(n - 1, 2)` chunks, from the first one; when
//! all chunks have failed, with twice as many, down to single units.

use super::rounds::{ByRound, Fate, Round};
use super::{Outline, Search};

/// ddmin over n units. It never tests leaving out a single remaining unit, and tests leaving out all units
/// only on request. The units that remain at the end are 1-minimal if the test is deterministic. O(n²) tests
/// at worst, O(log n) if a single unit must stay.
#[derive(Clone, Debug)]
pub struct Ddmin {
    /// The remaining units.
    rest: Vec<usize>,
    chunks: usize,
    /// The index in `rest` at which the next chunk starts.
    start: usize,
    /// Whether leaving out all units is tested first.
    all_first: bool,
}

/// Starts a search over the units of `outline` that are in `units`, which is sorted. Each round first tests
/// all its units together. It knows no floor.
pub(super) fn start(outline: Outline, units: Vec<usize>) -> Box<dyn Search> {
    ByRound::<Ddmin>::start(outline, units)
}

impl Ddmin {
    /// A search over these units, which are sorted.
    pub fn new(units: Vec<usize>) -> Self {
        Self { rest: units, chunks: 2, start: 0, all_first: false }
    }

    /// The remaining units, sorted.
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

    /// The units that remain in each of the following candidates, in order, if no verdict until then is an
    /// acceptance.
    pub fn ahead(&self) -> impl Iterator<Item = Vec<usize>> + use<> {
        let mut search = self.clone();
        std::iter::from_fn(move || {
            search.learn(false);
            let chunk = search.ask()?;
            Some(search.rest.iter().copied().filter(|i| chunk.binary_search(i).is_err()).collect())
        })
    }

    /// Learns whether the remaining units are accepted without those of `ask`.
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

    /// Runs ddmin over the characters of `input`; returns the result and the tested texts, `input` first.
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
    fn a_single_unit_is_never_left_out() {
        assert_eq!(run("a", |_| true).1, ["a"]);
        assert_eq!(run("ab", |_| true).1, ["ab", "b"]);
    }

    #[test]
    fn the_result_is_1_minimal() {
        let needs = |s: &str| s.contains('a') == s.contains('b') && s.contains('c');
        let (result, _) = run("xaxbxcx", needs);
        assert!(needs(&result));
        for i in 0..result.len() {
            let (left, right) = (&result[..i], &result[i + 1..]);
            assert!(!needs(&format!("{left}{right}")), "{result} can lose byte {i}");
        }
    }
}
