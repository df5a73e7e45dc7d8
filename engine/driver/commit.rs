//! Commits: the best candidate becomes the base that passes plan against.

use super::Driver;
use crate::contents::{base_of, key};
use lopper_passes::Base;
use std::sync::Arc;

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
        base.files().map(|(_, file)| (Arc::clone(&file.path), file.words())).collect::<Vec<_>>()
    };
    words(one) == words(other)
}
