//! What was computed for bases, shared by a driver and its clones.

use super::candidate::Prepared;
use super::{Bug, Filter};
use lopper_passes::{Base, Group};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// What was computed, by the keys of bases: a clone that looks ahead does not do it again, nor does
/// the driver when it gets there.
#[derive(Default)]
pub(super) struct Cache {
    pub(super) bases: BTreeMap<u128, OfBase>,
    /// The keys of `bases`, oldest first.
    pub(super) order: VecDeque<u128>,
    pub(super) bugs: Vec<Bug>,
}

#[derive(Default)]
pub(super) struct OfBase {
    pub(super) base: Option<Arc<Base>>,
    pub(super) plans: BTreeMap<usize, Arc<Vec<Group>>>,
    pub(super) fitting: BTreeMap<(usize, Filter, usize), Arc<Vec<usize>>>,
    /// By [`units_key`].
    pub(super) prepared: BTreeMap<u128, Option<Prepared>>,
    /// Bytes of all candidates in `prepared`.
    pub(super) bytes: usize,
}

/// Identifies units of a group of a pass's plan: their xxh3-128. O(units), at memory speed.
pub(super) fn units_key(pass: usize, group: usize, units: &[usize]) -> u128 {
    let mut hash = Xxh3::new();
    [pass, group].iter().chain(units).for_each(|number| hash.update(&number.to_le_bytes()));
    hash.digest128()
}

/// For how many bases what was computed is kept.
const BASES: usize = 6;
/// How many bytes of candidates are kept for a base.
const PREPARED_BYTES: usize = 16 << 20;

impl Cache {
    /// What was computed for a base; at most for `BASES` of them is anything kept.
    pub(super) fn of(&mut self, key: u128) -> &mut OfBase {
        if !self.bases.contains_key(&key) {
            self.order.push_back(key);
            if self.order.len() > BASES
                && let Some(oldest) = self.order.pop_front()
            {
                self.bases.remove(&oldest);
            }
        }
        self.bases.entry(key).or_default()
    }
}

impl OfBase {
    pub(super) fn remember(&mut self, key: u128, prepared: Option<Prepared>) {
        if self.bytes > PREPARED_BYTES {
            self.prepared.clear();
            self.bytes = 0;
        }
        let files = prepared.iter().flat_map(|p| p.contents.iter());
        self.bytes += files.map(|f| f.len()).sum::<usize>();
        self.prepared.insert(key, prepared);
    }
}
