//! The memo: verdicts by content, so that no candidate is tested twice.

use crate::Verdict;
use crate::layered::Layered;

/// Verdicts by [`key`](crate::contents::key).
#[derive(Clone, Debug, Default)]
pub struct Memo {
    verdicts: Layered<u128, Verdict>,
    hits: usize,
}

impl Memo {
    /// The verdict on the contents with this key, if it is known; a known verdict counts as a hit.
    pub fn get(&mut self, key: u128) -> Option<Verdict> {
        let verdict = self.verdicts.get(&key).copied();
        self.hits += usize::from(verdict.is_some());
        verdict
    }

    /// As [`Self::get`], but does not count as a hit.
    pub fn peek(&self, key: u128) -> Option<Verdict> {
        self.verdicts.get(&key).copied()
    }

    /// Whether the verdict on the contents with this key is known; does not count as a hit.
    pub fn knows(&self, key: u128) -> bool {
        self.peek(key).is_some()
    }

    /// Remembers a verdict.
    pub fn insert(&mut self, key: u128, verdict: Verdict) {
        self.verdicts.insert(key, verdict);
    }

    /// Forgets all candidates with this verdict.
    pub fn forget(&mut self, verdict: Verdict) {
        self.verdicts.retain(|known| *known != verdict);
    }

    /// The number of hits.
    pub fn hits(&self) -> usize {
        self.hits
    }
}
