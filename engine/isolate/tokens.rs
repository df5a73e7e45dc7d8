//! Tokens as the elements of isolation: a file without some of them.

use lopper_languages::Parsed;
use lopper_languages::edit::{Candidate, Edit};
use lopper_languages::layout::deletion;

/// A file's text without the tokens `gone`, which are sorted. Deleted neighbours share their blanks. `None`
/// if the edits conflict.
pub(crate) fn without_tokens(file: &Parsed, gone: &[usize]) -> Option<Vec<u8>> {
    if gone.is_empty() {
        return Some(file.text.to_vec());
    }
    let cut = |run: &[usize]| {
        let (first, last) = (&file.tokens()[run[0]], &file.tokens()[run[run.len() - 1]]);
        Edit::delete(0, deletion(file, first.range().start..last.range().end))
    };
    let edits = gone.chunk_by(|a, b| a + 1 == *b).map(cut).collect();
    Some(file.spaced(0, Candidate::merge(edits).ok()?).apply(0, &file.text))
}
