//! Edits, and candidates: sorted, disjoint sets of edits against one base.

use crate::lexis::Lexis;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The file of the base that an edit belongs to: an index into the base's files.
pub type FileId = u32;

/// One replacement of a byte range of one file of the base.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The file that is edited.
    pub file: FileId,
    /// The first byte that is replaced.
    pub start: usize,
    /// One past the last byte that is replaced; equal to `start` for an insertion.
    pub end: usize,
    /// The text that replaces the range.
    pub text: Cow<'static, [u8]>,
}

impl Edit {
    /// An edit that deletes `range`.
    pub fn delete(file: FileId, range: Range<usize>) -> Self {
        Self::replace(file, range, &b""[..])
    }

    /// An edit that puts `text` in the place of `range`.
    pub fn replace(file: FileId, range: Range<usize>, text: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { file, start: range.start, end: range.end, text: text.into() }
    }

    /// An edit that deletes a whole file, and not only its text.
    pub fn remove(file: FileId) -> Self {
        Self::delete(file, 0..usize::MAX)
    }

    /// Whether the edit deletes a whole file.
    fn is_removal(&self) -> bool {
        self.end == usize::MAX
    }

    fn is_deletion(&self) -> bool {
        self.text.is_empty()
    }
}

/// Two edits that cannot both be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two edits overlap and neither contains the other's deletion")
    }
}

impl std::error::Error for Conflict {}

/// A non-empty, sorted, disjoint set of edits against one base, perhaps with new paths for some of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    edits: Vec<Edit>,
    /// Sorted by file.
    moves: Vec<(FileId, Arc<Path>)>,
}

impl Candidate {
    /// Merges edits into a candidate, in O(n log n): equal edits count once, deletions that overlap or touch
    /// are united, and an edit inside the deleted range of another edit is dropped.
    ///
    /// # Errors
    /// `Conflict` for any other overlap, and if no edit changes anything.
    pub fn merge(edits: Vec<Edit>) -> Result<Self, Conflict> {
        Self::moving(edits, Vec::new())
    }

    /// Merges edits, as [`Candidate::merge`] does, and gives files new paths, except those that are deleted.
    ///
    /// # Errors
    /// `Conflict` also if a file would get two paths.
    pub fn moving(mut edits: Vec<Edit>, mut moves: Vec<(FileId, Arc<Path>)>) -> Result<Self, Conflict> {
        moves.sort_unstable();
        moves.dedup();
        if moves.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(Conflict);
        }
        edits.sort_by(|a, b| (a.file, a.start, b.end, &a.text).cmp(&(b.file, b.start, a.end, &b.text)));
        edits.dedup();
        let mut merged: Vec<Edit> = Vec::with_capacity(edits.len());
        for edit in edits {
            if edit.start == edit.end && edit.is_deletion() {
                continue;
            }
            let Some(last) =
                merged.last_mut().filter(|last| last.file == edit.file && last.end >= edit.start)
            else {
                merged.push(edit);
                continue;
            };
            if last.is_deletion() && edit.is_deletion() {
                last.end = last.end.max(edit.end);
            } else if last.is_deletion() && edit.end <= last.end && edit.start < last.end {
                // This edit lies inside a deleted range.
            } else if last.end == edit.start && last.start < last.end && edit.start < edit.end {
                merged.push(edit);
            } else {
                return Err(Conflict);
            }
        }
        if merged.is_empty() && moves.is_empty() {
            return Err(Conflict);
        }
        let mut candidate = Self { edits: merged, moves: Vec::new() };
        moves.retain(|(file, _)| !candidate.removes(*file));
        candidate.moves = moves;
        Ok(candidate)
    }

    /// The files that are edited or deleted, in order.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.edits.chunk_by(|one, other| one.file == other.file).map(|edits| edits[0].file)
    }

    /// Whether a whole file is deleted.
    pub fn removes(&self, file: FileId) -> bool {
        self.edits_of(file).first().is_some_and(Edit::is_removal)
    }

    /// The new path of a file, if it has one.
    pub fn path(&self, file: FileId) -> Option<&Arc<Path>> {
        let at = self.moves.binary_search_by_key(&file, |(file, _)| *file).ok()?;
        Some(&self.moves[at].1)
    }

    /// The edits, sorted by file and position.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The edits of one file.
    pub fn edits_of(&self, file: FileId) -> &[Edit] {
        let from = self.edits.partition_point(|e| e.file < file);
        let to = self.edits.partition_point(|e| e.file <= file);
        &self.edits[from..to]
    }

    /// Inserts a blank wherever an edit would join two tokens of `text` (`return(x)` without its brackets
    /// must not become `returnx`). Edits inside a token are left unchanged: `is_inside` tells whether a place
    /// lies between two bytes of one token.
    pub fn spaced(
        mut self,
        file: FileId,
        text: &[u8],
        lexis: &Lexis,
        is_inside: impl Fn(usize) -> bool,
    ) -> Self {
        let splits = |at| !is_inside(at) && splits(text, lexis, at);
        let mut left: Option<u8> = None;
        let mut at = 0;
        let count = self.edits.len();
        for i in 0..count {
            if self.edits[i].file != file {
                continue;
            }
            let next_start = self.edits.get(i + 1).filter(|e| e.file == file).map_or(usize::MAX, |e| e.start);
            let edit = &mut self.edits[i];
            if edit.start > at {
                left = text.get(edit.start - 1).copied();
            }
            let whole = splits(edit.start);
            if let (Some(l), Some(&r)) = (left, edit.text.first())
                && lexis.joins(l, r)
                && whole
            {
                edit.text.to_mut().insert(0, b' ');
            }
            let last = edit.text.last().copied().or(left);
            if edit.end < next_start
                && let (Some(l), Some(&r)) = (last, text.get(edit.end))
                && lexis.joins(l, r)
                && splits(edit.end)
                && (whole || !edit.text.is_empty())
            {
                edit.text.to_mut().push(b' ');
            }
            left = edit.text.last().copied().or(left);
            at = edit.end;
        }
        self
    }

    /// The text of `file` after the edits; empty if the file is deleted. Linear in the text's length.
    pub fn apply(&self, file: FileId, text: &[u8]) -> Vec<u8> {
        if self.removes(file) {
            return Vec::new();
        }
        edited(text, self.edits_of(file))
    }
}

/// The text after `edits`, which are in order and do not overlap. Linear in the text's length.
pub fn edited(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&text[at..edit.start]);
        out.extend_from_slice(&edit.text);
        at = edit.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// Whether `at` lies between two tokens, judged by the two bytes beside it.
fn splits(text: &[u8], lexis: &Lexis, at: usize) -> bool {
    match (at.checked_sub(1).and_then(|i| text.get(i)), text.get(at)) {
        (Some(&left), Some(&right)) => !lexis.joins(left, right),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &'static str) -> Edit {
        Edit::replace(0, start..end, text.as_bytes())
    }

    fn merged(edits: &[Edit]) -> Result<String, Conflict> {
        let candidate = Candidate::merge(edits.to_vec())?;
        Ok(String::from_utf8_lossy(&candidate.apply(0, b"0123456789")).into_owned())
    }

    #[test]
    fn deletions_are_united_and_equal_edits_count_once() {
        assert_eq!(merged(&[edit(2, 5, ""), edit(4, 7, ""), edit(7, 8, "")]), Ok("0189".into()));
        assert_eq!(merged(&[edit(2, 4, "x"), edit(2, 4, "x")]), Ok("01x456789".into()));
    }

    #[test]
    fn an_edit_inside_a_deletion_is_dropped() {
        assert_eq!(merged(&[edit(3, 4, "x"), edit(2, 6, "")]), Ok("016789".into()));
        assert_eq!(merged(&[edit(2, 3, "x"), edit(2, 6, "")]), Ok("016789".into()));
    }

    #[test]
    fn a_deleted_file_takes_all_its_edits_along() {
        let candidate =
            Candidate::merge(vec![edit(3, 4, "x"), Edit::remove(0), edit(0, 0, "y"), edit(0, 2, "")]);
        let other = Edit::replace(1, 2..3, &b"z"[..]);
        let both = Candidate::merge(vec![other.clone(), edit(3, 3, "x"), Edit::remove(0)]);
        assert!(
            candidate.is_ok_and(|c| c.removes(0) && c.edits().len() == 1 && c.apply(0, b"0123").is_empty())
        );
        assert!(both.is_ok_and(|c| c.files().eq([0, 1]) && !c.removes(1) && c.edits_of(1) == [other]));
    }

    #[test]
    fn a_file_gets_one_new_path_unless_it_is_deleted() {
        let to = |file, path: &str| (file, Arc::from(Path::new(path)));
        let moved = Candidate::moving(vec![Edit::remove(1)], vec![to(1, "x"), to(0, "y"), to(0, "y")]);
        assert!(moved.is_ok_and(|c| c.path(0).is_some_and(|path| &**path == Path::new("y")) && c.path(1).is_none()));
        assert_eq!(Candidate::moving(vec![], vec![to(0, "x"), to(0, "y")]), Err(Conflict));
    }

    #[test]
    fn any_other_overlap_is_a_conflict() {
        assert_eq!(merged(&[edit(2, 5, "x"), edit(4, 7, "")]), Err(Conflict));
        assert_eq!(merged(&[edit(2, 5, "x"), edit(2, 5, "y")]), Err(Conflict));
        assert_eq!(merged(&[edit(2, 2, "x"), edit(2, 2, "y")]), Err(Conflict));
        assert_eq!(merged(&[]), Err(Conflict));
    }

    #[test]
    fn adjacent_replacements_are_both_kept() {
        assert_eq!(merged(&[edit(2, 4, "x"), edit(4, 5, "y")]), Ok("01xy56789".into()));
    }

    #[test]
    fn a_blank_keeps_tokens_apart() {
        let spaced = |text: &str, edits: &[Edit]| {
            let candidate = Candidate::merge(edits.to_vec())
                .map(|c| c.spaced(0, text.as_bytes(), &crate::lexis::Lexis::DEFAULT, |_| false));
            candidate.map(|c| String::from_utf8_lossy(&c.apply(0, text.as_bytes())).into_owned())
        };
        assert_eq!(spaced("return(x)", &[edit(6, 7, ""), edit(8, 9, "")]), Ok("return x".into()));
        assert_eq!(spaced("a+(+b)", &[edit(2, 3, ""), edit(5, 6, "")]), Ok("a+ +b".into()));
        assert_eq!(spaced("f(x)[1]", &[edit(1, 4, "y")]), Ok("f y[1]".into()));
        assert_eq!(spaced("abcd", &[edit(1, 2, "")]), Ok("acd".into()));
        assert_eq!(spaced("a/**/b", &[edit(1, 3, ""), edit(3, 5, "")]), Ok("a b".into()));
    }
}
