//! The memo: verdicts by content, so that no candidate is tested twice.

use crate::layered::Layered;
use crate::{Contents, Verdict};
use xxhash_rust::xxh3::Xxh3;

/// Verdicts by the xxh3-128 of the candidate's files. Two candidates of a run are the same entry by
/// accident with a probability below 10⁻²⁵ after a million runs.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    verdicts: Layered<u128, Verdict>,
    hits: usize,
}

/// The key of a candidate.
pub fn key(candidate: &Contents) -> u128 {
    let mut hash = Xxh3::new();
    for file in candidate {
        hash.update(&file.len().to_le_bytes());
        hash.update(file);
    }
    hash.digest128()
}

impl Memo {
    /// The verdict on this content, if it is known; counts as a hit.
    pub fn get(&mut self, key: u128) -> Option<Verdict> {
        let verdict = self.verdicts.get(&key).copied();
        self.hits += usize::from(verdict.is_some());
        verdict
    }

    /// Whether the verdict on this content is known; counts as nothing.
    pub fn knows(&self, key: u128) -> bool {
        self.verdicts.get(&key).is_some()
    }

    /// Remembers a verdict.
    pub fn insert(&mut self, key: u128, verdict: Verdict) {
        self.verdicts.insert(key, verdict);
    }

    /// How often a verdict was known.
    pub fn hits(&self) -> usize {
        self.hits
    }
}
