//! Commits: the best candidate becomes the base that passes plan against.

use super::Driver;
use super::words::hash_words;
use crate::contents::{base_of, key};
use lopper_passes::Base;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

impl Driver {
    /// Makes the best candidate the base. The base is parsed from scratch, since the error recovery of a
    /// reparse may differ from that of a parse.
    pub(super) fn commit(&mut self) {
        self.id += 1;
        let before = Arc::clone(&self.base);
        self.parse_best();
        if !have_equal_words(&before, &self.base) {
            self.last_reworded = self.id;
        }
    }

    /// Sets the base to the best candidate, from the cache or by a new parse.
    fn parse_best(&mut self) {
        self.key = key(&self.best);
        let known = self.cache().of(self.key).base.clone();
        if let Some(base) = known {
            self.base = base;
            return;
        }
        self.base = Arc::new(base_of(&self.best, &self.base));
        self.cache().of(self.key).base = Some(Arc::clone(&self.base));
    }
}

/// Whether two bases differ only in insignificant white space.
fn have_equal_words(one: &Base, other: &Base) -> bool {
    let words = |base: &Base| {
        let mut hash = Xxh3::new();
        base.files().for_each(|(_, file)| hash_words(file.language, &file.text, &mut hash));
        hash.digest128()
    };
    words(one) == words(other)
}
