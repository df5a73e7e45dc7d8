//! The cache of results computed for bases, shared by a driver and its clones.

use super::candidate::{Prepared, fits, prepare};
use super::{Bug, Driver};
use crate::index::{GroupIndex, PassIndex};
use crate::means::numbers_where;
use crate::schedule::{Filter, Turn};
use lopper_passes::{Base, Group, Names};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// The results, by the keys of bases: neither the driver nor a clone that looks ahead computes them twice.
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
    pub(super) names: Option<Arc<Names>>,
    /// Whether candidates have semantic errors that the base does not have, by their keys.
    pub(super) errors: BTreeMap<u128, bool>,
    pub(super) plans: BTreeMap<PassIndex, Arc<Vec<Group>>>,
    /// By pass, whether the filter is off, and group.
    pub(super) fitting: BTreeMap<(PassIndex, bool, GroupIndex), Arc<Vec<usize>>>,
    /// By [`units_key`].
    pub(super) prepared: BTreeMap<u128, Option<Prepared>>,
    /// Bytes of all candidates in `prepared`.
    pub(super) bytes: usize,
}

/// Identifies units of a group in a pass's plan, by xxh3-128. O(units), at memory speed.
pub(super) fn units_key(pass: PassIndex, group: GroupIndex, units: &[usize]) -> u128 {
    let mut hash = Xxh3::new();
    [pass.0, group.0].iter().chain(units).for_each(|number| hash.update(&number.to_le_bytes()));
    hash.digest128()
}

/// The number of bases whose results are kept.
const BASES: usize = 6;
/// The number of bytes of candidates that are kept for a base.
const PREPARED_BYTES: usize = 16 << 20;

impl Cache {
    /// The results for a base. A new base displaces the oldest one if there are more than `BASES`.
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

impl Driver {
    pub(super) fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The plan of a pass against the current base; made once for all clones.
    pub(super) fn plan(&self, pass: PassIndex) -> Arc<Vec<Group>> {
        if let Some(plan) = self.cache().of(self.key).plans.get(&pass) {
            return Arc::clone(plan);
        }
        let plan = self.pass(pass).plan;
        let groups = Arc::new(self.guarded(pass, || plan(&self.base)).unwrap_or_default());
        self.cache().of(self.key).plans.insert(pass, Arc::clone(&groups));
        groups
    }

    /// The signature of each unit of a group. If the pass panics, each unit's index serves as its signature.
    pub(super) fn signatures(&self, pass: PassIndex, index: GroupIndex, group: &Group) -> Vec<u64> {
        let number = |unit| units_key(pass, index, &[unit]) as u64;
        self.guarded(pass, || group.signatures(&self.base))
            .unwrap_or_else(|| (0..group.units().len()).map(number).collect())
    }

    /// The units of a group that the grammar accepts, or refuses with the filter off.
    pub(super) fn fitting(&self, turn: Turn, index: GroupIndex, group: &Group) -> Arc<Vec<usize>> {
        let is_off = turn.filter == Filter::Off;
        let key = (turn.pass, is_off, index);
        if let Some(fitting) = self.cache().of(self.key).fitting.get(&key) {
            return Arc::clone(fitting);
        }
        let (base, cache, name) = (&*self.base, &*self.cache, self.pass(turn.pass).name);
        let look = |unit: usize| fits(base, group, unit) == Some(!is_off);
        let means = &*self.means;
        let fitting = |unit| !means.is_to_stop() && guarded(cache, name, || look(unit)).unwrap_or(false);
        let fitting = Arc::new(numbers_where(means, group.units().len(), &fitting));
        self.cache().of(self.key).fitting.insert(key, Arc::clone(&fitting));
        fitting
    }

    /// The candidate that these units of a group make, prepared once for all clones; `None` if their edits
    /// cannot be rendered.
    pub(super) fn prepared(
        &self,
        pass: PassIndex,
        index: GroupIndex,
        group: &Group,
        units: &[usize],
    ) -> Option<Prepared> {
        let key = units_key(pass, index, units);
        if let Some(prepared) = self.cache().of(self.key).prepared.get(&key) {
            return prepared.clone();
        }
        let prepared = self.guarded(pass, || prepare(&self.base, group, units)).flatten();
        self.cache().of(self.key).remember(key, prepared.clone());
        prepared
    }

    /// Runs a part of a pass. A panic is recorded and costs only this part.
    pub(super) fn guarded<T>(&self, pass: PassIndex, work: impl FnOnce() -> T) -> Option<T> {
        guarded(&self.cache, self.pass(pass).name, work)
    }
}

fn guarded<T>(cache: &Mutex<Cache>, pass: &'static str, work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            let text = text.unwrap_or_else(|| "no message".to_owned());
            cache.lock().unwrap_or_else(PoisonError::into_inner).bugs.push((pass, text));
        })
        .ok()
}
