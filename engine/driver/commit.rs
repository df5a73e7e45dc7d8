//! Commits: the best candidate becomes the base that passes plan against.

use super::Driver;
use super::words::hash_words;
use crate::contents::{base_of, key};
use lopper_passes::Base;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

impl Driver {
    /// The best candidate becomes the base: parsed anew, since the error recovery of a reparse may
    /// differ from that of a parse.
    pub(super) fn commit(&mut self) {
        self.id += 1;
        let before = Arc::clone(&self.base);
        self.parse_best();
        if !says_the_same(&before, &self.base) {
            self.worded = self.id;
        }
    }

    /// Makes the best candidate the base.
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

/// Whether two bases differ in white space only.
fn says_the_same(one: &Base, other: &Base) -> bool {
    let words = |base: &Base| {
        let mut hash = Xxh3::new();
        base.files().for_each(|(_, file)| hash_words(file.language, &file.text, &mut hash));
        hash.digest128()
    };
    words(one) == words(other)
}
