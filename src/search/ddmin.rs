//! ddmin: the minimising delta debugging algorithm.
//!
//! Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002), in the
//! variant of The Debugging Book that tests complements only: `n` chunks, each left out in turn; on
//! success `max(n - 1, 2)` chunks and again from the first; else twice as many, down to single units.

use super::{Chance, Search};

/// ddmin over n units. Never asks about a single remaining one; and tests leaving out all of them only
/// where that is asked for. The units that are left when it ends are 1-minimal if the test is deterministic.
/// O(n²) tests at worst, O(log n) for a single unit that stays.
#[derive(Clone, Debug)]
pub struct Ddmin {
    /// The units that stay, as far as is known.
    rest: Vec<usize>,
    /// The units that are taken, sorted.
    taken: Vec<usize>,
    chunks: usize,
    /// Where in `rest` the chunk starts that is left out next.
    start: usize,
    /// Whether leaving out all of them comes first.
    all_first: bool,
}

impl Ddmin {
    /// A search over these units, which are sorted.
    pub fn new(units: Vec<usize>) -> Self {
        Self { rest: units, taken: Vec::new(), chunks: 2, start: 0, all_first: false }
    }

    /// Tests leaving out all units before anything else.
    pub fn all_first(self) -> Self {
        Self { all_first: !self.rest.is_empty(), ..self }
    }

    /// The units that stay.
    pub fn rest(&self) -> &[usize] {
        &self.rest
    }

    fn chunk(&self) -> std::ops::Range<usize> {
        let length = self.rest.len() / self.chunks;
        self.start..(self.start + length).min(self.rest.len())
    }
}

impl Search for Ddmin {
    fn next(&mut self) -> Option<Vec<usize>> {
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
        let mut wanted = self.taken.clone();
        wanted.extend(&self.rest[self.chunk()]);
        wanted.sort_unstable();
        Some(wanted)
    }

    fn learn(&mut self, accepted: bool) {
        if std::mem::take(&mut self.all_first) {
            if accepted {
                self.taken = std::mem::take(&mut self.rest);
            }
            return;
        }
        let chunk = self.chunk();
        if !accepted {
            self.start = chunk.end;
            return;
        }
        self.taken.extend(self.rest.drain(chunk));
        self.taken.sort_unstable();
        self.chunks = (self.chunks - 1).max(2);
        self.start = 0;
    }

    fn taken(&self) -> &[usize] {
        &self.taken
    }

    fn ahead(&self, _: usize) -> Vec<Vec<usize>> {
        Vec::new()
    }

    fn odds(&self) -> f64 {
        self.chance().of(if self.all_first { self.rest.len() } else { self.chunk().len() })
    }

    fn chance(&self) -> Chance {
        let units = self.taken.len() + self.rest.len();
        Chance::guess(self.taken.len() as f64 / units.max(1) as f64)
    }

    fn fork(&self) -> Box<dyn Search> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs ddmin over the characters of `input`; gives the result and what was tested, the input
    /// itself first.
    fn run(input: &str, fails: impl Fn(&str) -> bool) -> (String, Vec<String>) {
        let without = |gone: &[usize]| -> String {
            input.chars().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, c)| c).collect()
        };
        let mut search = Ddmin::new((0..input.len()).collect());
        let mut tested = vec![input.to_owned()];
        while let Some(gone) = search.next() {
            let candidate = without(&gone);
            search.learn(fails(&candidate));
            tested.push(candidate);
        }
        (without(&search.taken), tested)
    }

    #[test]
    fn the_mystery_input_needs_seventeen_tests_in_the_published_order() {
        let mystery = |s: &str| matches!((s.find('('), s.find(')')), (Some(a), Some(b)) if a < b);
        let (result, tested) = run("V\"/+!aF-(V4EOz*+s/Q,7)2@0_", mystery);
        assert_eq!(result, "()");
        let expected = [
            "V\"/+!aF-(V4EOz*+s/Q,7)2@0_",
            "z*+s/Q,7)2@0_",
            "V\"/+!aF-(V4EO",
            "F-(V4EOz*+s/Q,7)2@0_",
            "Oz*+s/Q,7)2@0_",
            "F-(V4EQ,7)2@0_",
            ",7)2@0_",
            "F-(V4EQ",
            "V4EQ,7)2@0_",
            "F-(Q,7)2@0_",
            "Q,7)2@0_",
            "F-()2@0_",
            "2@0_",
            "F-()",
            "()",
            ")",
            "(",
        ];
        assert_eq!(tested, expected);
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
