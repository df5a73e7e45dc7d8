//! When the checks of a generalization end, and what is measured.

use lopper_engine::Verdict;

/// When checks end, and what is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The seed of all random numbers.
    pub seed: u64,
    /// So many different texts must fail when a node is checked for the first time.
    pub distinct: usize,
    /// So many must fail when it is checked for the second time, together with all others; 0 for no second time.
    pub joint: usize,
    /// Nodes are checked alone, all else as in the example.
    pub alone: bool,
    /// A text that passes counts only if it passes with all other holes as in the example, too: else another hole may be
    /// to blame.
    pub confirms: bool,
    /// So many texts are drawn for a check at most.
    pub draws: usize,
    /// A check ends after so many texts if no two values have failed: one may be the example's own.
    pub patience: usize,
    /// A check that found fewer failing texts than it should makes a hole if at most so many were invalid for each of
    /// them: else hardly an instance would be valid.
    pub invalid: usize,
    /// A hole that fewer failing texts support is weak.
    pub enough: usize,
    /// Further statements and items are tried, and other orders of statements.
    pub insertions: bool,
    /// What a test that took too long says: `Boring` or `Invalid`.
    pub timed_out_as: Verdict,
    /// So many runs of the test at most; those that measure the rate are among them.
    pub most_runs: usize,
    /// So many fresh instances measure the rate; 0 for none.
    pub instances: usize,
    /// Holes become narrower until the share of failing instances is at least this.
    pub min_rate: f64,
    /// The confidence of the bound of the rate.
    pub confidence: f64,
}

impl Options {
    /// The numbers of the published algorithm.
    pub fn published(seed: u64) -> Self {
        Self {
            seed,
            distinct: 100,
            joint: 100,
            alone: false,
            confirms: false,
            draws: 1000,
            patience: usize::MAX,
            invalid: usize::MAX,
            enough: 29,
            insertions: true,
            timed_out_as: Verdict::Boring,
            most_runs: usize::MAX,
            instances: 0,
            min_rate: 0.9,
            confidence: 0.95,
        }
    }

    /// The simple algorithm of "Mining Failure Circumstances" (The Debugging Book): a node varies if so many texts fail
    /// with all else as it is.
    pub fn simple(seed: u64, tries: usize) -> Self {
        Self { distinct: usize::MAX, joint: 0, alone: true, draws: tries, ..Self::published(seed) }
    }

    /// Numbers for the excerpt of a program, which is embedded in others: there may be more around its parts anyway.
    pub fn excerpt(seed: u64, most_runs: usize) -> Self {
        let few = Self { distinct: 6, joint: 8, draws: 60, patience: 8, enough: 8, ..Self::thrifty(seed) };
        Self { insertions: false, instances: 0, most_runs, ..few }
    }

    /// Numbers for tests that take as long as a compiler does.
    pub fn thrifty(seed: u64) -> Self {
        Self {
            distinct: 12,
            joint: 29,
            draws: 200,
            patience: 16,
            invalid: 4,
            most_runs: 2000,
            instances: 100,
            confirms: true,
            ..Self::published(seed)
        }
    }
}
