//! A map with cheap copies, for the clones that look ahead: they copy the driver's state at every step.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A map from `K` to `V`. A clone shares all earlier entries, and keeps later ones to itself. A map without
/// living clones adds to the shared part again.
#[derive(Clone, Debug)]
pub struct Layered<K, V> {
    shared: Arc<BTreeMap<K, V>>,
    own: BTreeMap<K, V>,
}

impl<K, V> Default for Layered<K, V> {
    fn default() -> Self {
        Self { shared: Arc::default(), own: BTreeMap::new() }
    }
}

impl<K: Ord, V> Layered<K, V> {
    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.own.get(key).or_else(|| self.shared.get(key))
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        if let Some(shared) = Arc::get_mut(&mut self.shared) {
            shared.extend(std::mem::take(&mut self.own));
            shared.insert(key, value);
        } else {
            self.own.insert(key, value);
        }
    }
}

impl<K: Ord + Clone, V: Clone> Layered<K, V> {
    /// Keeps only the entries with such values. Linear.
    pub fn retain(&mut self, keep: impl Fn(&V) -> bool) {
        Arc::make_mut(&mut self.shared).extend(std::mem::take(&mut self.own));
        Arc::make_mut(&mut self.shared).retain(|_, value| keep(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_its_new_entries_to_itself() {
        let mut map = Layered::default();
        map.insert(1, 'a');
        let mut clone = map.clone();
        clone.insert(2, 'b');
        map.insert(1, 'c');
        assert_eq!((map.get(&1), map.get(&2)), (Some(&'c'), None));
        assert_eq!((clone.get(&1), clone.get(&2)), (Some(&'a'), Some(&'b')));
        drop(clone);
        map.insert(3, 'd');
        assert_eq!((map.get(&1), map.get(&3)), (Some(&'c'), Some(&'d')));
    }

    #[test]
    fn what_a_clone_leaves_out_stays_in_the_original() {
        let mut map = Layered::default();
        map.insert(1, 'a');
        let mut clone = map.clone();
        clone.insert(2, 'a');
        clone.insert(3, 'b');
        clone.retain(|value| *value != 'a');
        assert_eq!([1, 2, 3].map(|key| clone.get(&key).copied()), [None, None, Some('b')]);
        assert_eq!(map.get(&1), Some(&'a'));
    }
}
