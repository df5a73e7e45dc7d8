//! Prepared candidates: their texts, their measure, and the grammar's judgement.

use super::Query;
use super::words::hash_words;
use crate::contents::{Contents, NamedFile, key};
use lopper_languages::edit::Candidate;
use lopper_languages::layout::Layout;
use lopper_languages::measure::{Goal, Measure};
use lopper_passes::{Base, Group};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// A candidate, ready to be tested.
#[derive(Clone)]
pub(super) struct Prepared {
    pub(super) contents: Arc<Contents>,
    pub(super) measure: Measure,
    pub(super) key: u128,
    /// The hash of its words, see [`hash_words`].
    pub(super) words: u128,
    /// Whether the grammar finds no more errors in it than in the base.
    pub(super) grammatical: bool,
}

impl Prepared {
    /// Whether this candidate is smaller than a program with this measure and these contents.
    pub(super) fn is_below(&self, measure: Measure, contents: &Arc<Contents>, goal: Goal) -> bool {
        (self.measure.toward(goal), &self.contents) < (measure.toward(goal), contents)
    }

    /// The query for its verdict.
    pub(super) fn query(&self, pass: &'static str, chance: f64) -> Query {
        let contents = Contents::clone(&self.contents);
        Query { contents, key: self.key, pass: Some(pass), chance, repeat: 0, alone: false, last: false }
    }
}

/// The candidate that these units of a group make; `None` if their edits cannot be rendered.
pub(super) fn prepare(base: &Base, group: &Group, units: &[usize]) -> Option<Prepared> {
    let candidate = group.render(base, units).ok()?;
    let texts = changed_texts(base, &candidate);
    let grammatical = is_grammatical(base, &candidate, &texts);
    let mut contents: Contents = Vec::with_capacity(base.files.len());
    let (mut measure, mut words) = (Measure::default(), Xxh3::new());
    let mut texts = texts.into_iter().peekable();
    for (id, file) in base.files() {
        let changed = texts.next_if(|(changed, _)| *changed == id);
        let text = changed.map_or_else(|| file.text.clone(), |(_, text)| text);
        measure = measure.plus(Measure::of(&text, file.language.lexis()));
        hash_words(file.language, &text, &mut words);
        contents.push(NamedFile { path: Arc::clone(&file.path), content: Arc::new(text), mode: None });
    }
    let key = key(&contents);
    Some(Prepared { contents: Arc::new(contents), measure, key, words: words.digest128(), grammatical })
}

/// Whether the grammar finds no more errors in the candidate of a single unit than in the base; `None` if its
/// edits cannot be rendered.
pub(super) fn fits(base: &Base, group: &Group, unit: usize) -> Option<bool> {
    let candidate = group.render(base, &[unit]).ok()?;
    Some(is_grammatical(base, &candidate, &changed_texts(base, &candidate)))
}

/// The files that a candidate changes, with their new texts.
fn changed_texts(base: &Base, candidate: &Candidate) -> Vec<(u32, Vec<u8>)> {
    let changed = base.files().filter(|(id, _)| !candidate.edits_of(*id).is_empty());
    changed.map(|(id, file)| (id, candidate.apply(id, &file.text))).collect()
}

/// Whether the grammar finds no more errors in the candidate than in the base.
fn is_grammatical(base: &Base, candidate: &Candidate, texts: &[(u32, Vec<u8>)]) -> bool {
    texts.iter().all(|(id, text)| {
        let file = base.file(*id);
        let edits = candidate.edits_of(*id);
        // Checking brackets is far cheaper than a reparse, and refuses most windows of tokens.
        let balances = file.language.layout() != Layout::Exact;
        (file.syntax.errors > 0 || !balances || file.keeps_balance(edits))
            && file.language.reparse(file, edits, text) <= file.syntax.errors
    })
}
