//! Prepared candidates: their texts, their measure, and the grammar's judgement.

use super::Query;
use crate::contents::{Contents, Keys};
use lopper_languages::edit::{Candidate, FileId};
use lopper_languages::layout::Layout;
use lopper_languages::measure::{Goal, Measure};
use lopper_passes::{Base, Group};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// A candidate, ready to be tested.
#[derive(Clone)]
pub(super) struct Prepared {
    pub(super) contents: Arc<Contents>,
    pub(super) measure: Measure,
    pub(super) key: u128,
    /// The hash of its words, see [`Parsed::words`](lopper_languages::Parsed::words).
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

/// The candidate that these units of a group make; `None` if their edits cannot be rendered, if no file would be
/// left, or if two would have the same path.
pub(super) fn prepare(base: &Base, group: &Group, units: &[usize]) -> Option<Prepared> {
    let candidate = group.render(base, units).ok()?;
    let texts = changed(&candidate).map(|id| (id, candidate.apply(id, &base.file(id).text)));
    let mut texts = texts.peekable();
    let grammatical = is_grammatical(base, &candidate);
    let mut contents: Contents = Vec::with_capacity(base.files.len());
    let (mut measure, mut keys, mut words) = (Measure::default(), Keys::default(), Keys::default());
    for (id, file) in base.files() {
        if candidate.removes(id) {
            continue;
        }
        let changed = texts.next_if(|(changed, _)| *changed == id).map(|(_, text)| file.with_text(text));
        let file = changed.as_ref().unwrap_or(file);
        let moved = candidate.path(id).map(|path| file.with_path(Arc::clone(path)));
        let file = moved.as_ref().unwrap_or(file);
        measure = measure.plus(file.measure());
        keys.add(&file.path, file.hash(), file.mode);
        words.add(&file.path, file.words(), file.mode);
        contents.push(file.into());
    }
    // Moved files may stand out of order, or in the place of others.
    if base.files().any(|(id, _)| candidate.path(id).is_some()) {
        contents.sort_unstable();
        if contents.windows(2).any(|pair| pair[0].path == pair[1].path) {
            return None;
        }
        keys = Keys::default();
        contents.iter().for_each(|file| keys.add(&file.path, xxh3_128(file), file.mode));
    }
    if contents.is_empty() {
        return None;
    }
    let (key, words) = (keys.key(), words.key());
    Some(Prepared { contents: Arc::new(contents), measure, key, words, grammatical })
}

/// Whether the grammar finds no more errors in the candidate of a single unit than in the base; `None` if its
/// edits cannot be rendered.
pub(super) fn fits(base: &Base, group: &Group, unit: usize) -> Option<bool> {
    let candidate = group.render_alone(base, unit).ok()?;
    Some(is_grammatical(base, &candidate))
}

/// The files whose text a candidate changes, in ascending order.
fn changed(candidate: &Candidate) -> impl Iterator<Item = FileId> {
    candidate.files().filter(|&id| !candidate.removes(id))
}

/// Whether the grammar finds no more errors in the candidate than in the base. A text that moves to another file takes its errors
/// along.
fn is_grammatical(base: &Base, candidate: &Candidate) -> bool {
    let is_moved = |id: &FileId| candidate.removes(*id) && base.file(*id).is_regular();
    let mut moved = candidate.files().filter(is_moved).peekable();
    let mut has_new = false;
    for id in changed(candidate) {
        let file = base.file(id);
        let edits = candidate.edits_of(id);
        let before = file.syntax().errors;
        // Checking brackets is far cheaper than a reparse, and refuses most windows of tokens.
        let balances = file.language.layout() != Layout::Exact && file.is_balanced();
        if before == 0 && balances && !file.keeps_balance(edits) {
            return false;
        }
        has_new |= file.language.reparse(file, edits) > before;
        if has_new && moved.peek().is_none() {
            return false;
        }
    }
    // With a new text, another reading of the whole file may be the best one.
    let parsed = |id: FileId| base.file(id).with_text(candidate.apply(id, &base.file(id).text));
    let new_in = |id: FileId| parsed(id).syntax().errors.saturating_sub(base.file(id).syntax().errors);
    !has_new
        || changed(candidate).map(new_in).sum::<usize>()
            <= moved.map(|id| base.file(id).syntax().errors).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_moves_although_the_grammar_finds_errors_in_it_or_reads_it_in_its_own_way() {
        let fit = |header: &str| {
            let text = format!("=== a.h\n{header}=== m.c\n#include \"a.h\"\nint g() {{ return f(1); }}\n");
            let base = Base::of_example("c", &text);
            let includes = lopper_passes::named("includes").unwrap();
            let groups = (includes.plan)(&base);
            let errors = base.file(0).syntax().errors;
            (errors, groups.iter().find(|group| !group.units().is_empty()).and_then(|g| fits(&base, g, 0)))
        };
        let (errors, fits) =
            fit("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(int a);\n#ifdef __cplusplus\n}\n#endif\n");
        assert!(errors > 0 && fits == Some(true), "{errors} {fits:?}");
        assert_eq!(fit("int f(int a);\n"), (0, Some(true)));
        assert_eq!(fit("LIB_API int f(int a);\n"), (0, Some(true)), "the macro is read as a qualifier");
    }
}
