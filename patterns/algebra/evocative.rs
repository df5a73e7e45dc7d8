//! Finds the evocative subtree of a pattern by tests: the smallest one that brings the failure into every text around it.

use super::construction::Constructions;
use super::subtree::Subtree;
use crate::pattern::Pattern;
use lopper_languages::grammar::{Generator, Grammar};

/// How deep the texts around a subtree are, as in the published search.
const DEPTH: u32 = 10;
/// How many rules the grammar around a subtree may have.
const LIMIT: usize = 100_000;
/// How many texts that are no valid inputs are drawn for each valid one before a subtree is given up.
const INVALID: usize = 10;

impl Subtree {
    /// The deepest subtree of a pattern that is evocative: each of `draws` valid texts that contain it fails. From an
    /// evocative node the search goes on to its first evocative child (function `find_evocative_subtree` of the
    /// published notebooks). `None` if not even the whole pattern is evocative.
    ///
    /// `test` says whether a text fails, and `None` if it is no valid input. It is asked at most `draws` · 10 times for each
    /// node of the pattern.
    pub fn evocative(
        grammar: &Grammar,
        pattern: &Pattern,
        draws: usize,
        seed: u64,
        test: &mut dyn FnMut(&str) -> Option<bool>,
    ) -> Option<Self> {
        let mut found = None;
        let mut nodes = vec![0];
        while let Some(subtree) = nodes.iter().find_map(|&node| {
            let subtree = Self::at(grammar, pattern, node).ok()?;
            is_evocative(grammar, &subtree, draws, seed, test).then_some((node, subtree))
        }) {
            nodes = pattern.children(subtree.0).collect();
            found = Some(subtree.1);
        }
        found
    }
}

fn is_evocative(
    grammar: &Grammar,
    subtree: &Subtree,
    draws: usize,
    seed: u64,
    test: &mut dyn FnMut(&str) -> Option<bool>,
) -> bool {
    let named = [("F".to_owned(), subtree.clone())];
    let around = Constructions::new(grammar, &named).at_least_one(0, LIMIT).ok();
    let around = around.and_then(|around| Grammar::read(&around.to_json().to_string()).ok());
    let Some(around) = around else { return false };
    let mut generator = Generator::new(&around, seed, DEPTH);
    let mut valid = 0;
    for _ in 0..draws * INVALID {
        match test(&generator.derivation().text(&around)) {
            Some(true) => valid += 1,
            Some(false) => return false,
            None => {}
        }
        if valid == draws {
            return true;
        }
    }
    false
}
