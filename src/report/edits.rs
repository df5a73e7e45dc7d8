//! The difference between two programs, as edits that make one from the other.

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The time after which a difference need not be the least one any more.
const PATIENCE: Duration = Duration::from_millis(50);
/// The number of words and signs up to which a changed part is compared by them, and not as a whole.
const MOST: usize = 4000;

/// A part of the old program that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// The bytes in the old program.
    pub(super) range: Range<usize>,
    /// The text in their place.
    pub(super) inserted: String,
}

/// The edits that make `new` of `old`, in ascending order: by lines, and by words and signs within changed lines.
pub(super) fn edits(old: &str, new: &str) -> Vec<Edit> {
    let (begin, end) = common_lines(old.as_bytes(), new.as_bytes());
    let (old, new) = (&old[begin..old.len() - end], &new[begin..new.len() - end]);
    let lines = |text| -> Vec<&str> { str::split_inclusive(text, '\n').collect() };
    let mut edits = Vec::new();
    for (in_old, in_new) in changes(&lines(old), &lines(new)) {
        let (before, after) = (pieces(&old[in_old.clone()]), pieces(&new[in_new.clone()]));
        if in_old.is_empty() || in_new.is_empty() || before.len().max(after.len()) > MOST {
            let range = begin + in_old.start..begin + in_old.end;
            edits.push(Edit { range, inserted: new[in_new].to_owned() });
            continue;
        }
        let at = begin + in_old.start;
        for (old_part, new_part) in changes(&before, &after) {
            let inserted = new[in_new.start + new_part.start..in_new.start + new_part.end].to_owned();
            edits.push(Edit { range: at + old_part.start..at + old_part.end, inserted });
        }
    }
    edits
}

/// The lengths in bytes of the whole lines with which both texts begin, and of those with which they end: most commits
/// change a small part, and equal bytes are found faster than equal lines.
fn common_lines(old: &[u8], new: &[u8]) -> (usize, usize) {
    let equal = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let begin = old[..equal].iter().rposition(|&c| c == b'\n').map_or(0, |at| at + 1);
    let (old, new) = (&old[begin..], &new[begin..]);
    let equal = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = &old[old.len() - equal..];
    let end = tail.iter().position(|&c| c == b'\n').map_or(0, |at| tail.len() - at - 1);
    (begin, end)
}

/// The program after edits.
pub(super) fn edited(old: &str, edits: &[Edit]) -> String {
    let mut new = String::with_capacity(old.len());
    let mut at = 0;
    for edit in edits {
        new.push_str(&old[at..edit.range.start]);
        new.push_str(&edit.inserted);
        at = edit.range.end;
    }
    new.push_str(&old[at..]);
    new
}

/// The parts, in bytes of both texts, in which two sequences of pieces differ.
fn changes(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let (old_starts, new_starts) = (starts(old), starts(new));
    let operations =
        capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(Instant::now() + PATIENCE));
    let changed = operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    let within = |starts: &[usize], range: Range<usize>| starts[range.start]..starts[range.end];
    changed
        .map(|operation| {
            (within(&old_starts, operation.old_range()), within(&new_starts, operation.new_range()))
        })
        .collect()
}

/// Where each piece starts, and the end of the last one.
fn starts(pieces: &[&str]) -> Vec<usize> {
    let ends = pieces.iter().scan(0, |at, piece| {
        *at += piece.len();
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

/// The words of a text, and each other character on its own.
fn pieces(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end =
            if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_make_the_new_program_and_keep_what_both_have() {
        let old = "int a;\nint main() {\n    return f(a, 1) + g(ä);\n}\n";
        let new = "int main() {\n    return g(ä);\n}\nend";
        let edits = edits(old, new);
        assert_eq!(edited(old, &edits), new);
        let deleted: usize = edits.iter().map(|edit| edit.range.len()).sum();
        assert_eq!(deleted, "int a;\nf(a, 1) + ".len(), "{edits:?}");
        assert_eq!(edits.iter().map(|edit| &*edit.inserted).collect::<String>(), "end");
    }

    #[test]
    fn a_program_without_a_difference_has_no_edits() {
        assert_eq!(edits("a\nb", "a\nb"), []);
        assert_eq!(edits("a\nb\n", "a\nb\n"), []);
        assert_eq!(edits("a\na\n", "a\n"), [Edit { range: 2..4, inserted: String::new() }]);
        assert_eq!(edited("", &edits("", "x")), "x");
        assert_eq!(edited("x", &edits("x", "")), "");
    }
}
