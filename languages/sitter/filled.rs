//! The text as the parser sees it: with implied words, which a text may omit although the grammar requires them, and
//! without what is no part of the language.

use super::{Grammar, Mask};
use crate::lexis::Lexis;
use std::borrow::Cow;
use std::ops::Range;

/// A word that texts may omit although the grammar requires it.
pub struct Implied {
    /// The word, followed by a blank.
    pub word: &'static str,
    /// The bytes before which the word is implied, in order.
    pub places: fn(&[u8], &Lexis) -> Vec<usize>,
}

/// The places in a text where implied words were filled in for the parser, or other words masked.
#[derive(Default)]
pub(super) struct Filled {
    /// The places in the original text.
    places: Vec<usize>,
    /// The length of the word.
    length: usize,
    /// Where masking words end, and where the parts that they mask do, in the original text, in order.
    masked: Vec<(usize, usize)>,
}

impl Filled {
    /// Whether no word was filled in.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The place in the original text for a place in the parsed text. O(log places).
    pub(super) fn original(&self, at: usize) -> usize {
        if self.places.is_empty() {
            return at;
        }
        let (mut from, mut to) = (0, self.places.len());
        // The number of words that begin before `at`: the i-th one begins at its place plus i lengths.
        while from < to {
            let middle = (from + to) / 2;
            if self.places[middle] + middle * self.length < at { from = middle + 1 } else { to = middle }
        }
        let Some(last) = from.checked_sub(1) else { return at };
        // A place inside a word belongs to the place where the word was filled in.
        at.saturating_sub(from * self.length).max(self.places[last])
    }

    /// The range in the original text for a range in the parsed text.
    pub(super) fn range(&self, range: Range<usize>) -> Range<usize> {
        let end = self.original(range.end);
        let masked = self.masked.binary_search_by_key(&end, |(end, _)| *end);
        self.original(range.start)..masked.map_or(end, |at| self.masked[at].1)
    }
}

/// The share of a text, as its reciprocal, that is in errors before parts are masked by blanks: no node spans those.
const ERRORS: usize = 64;

impl Grammar {
    /// The number of masks with which the parser understands most of a text: with each of them, it finds at most three quarters
    /// of the errors. `pieces` are the ends of the pieces that the parser has read without masks, and the errors in each. Only
    /// pieces with masked parts are read again.
    pub(super) fn masks_of(&self, text: &[u8], pieces: &[(usize, usize)]) -> usize {
        let (mut errors, mut best): (Vec<usize>, _) = (pieces.iter().map(|(_, errors)| *errors).collect(), 0);
        let mut is_masked = vec![false; pieces.len()];
        for (number, mask) in (1..).zip(self.masks) {
            let least: usize = errors.iter().sum();
            let may_help = least > if mask.word.is_empty() { text.len() / ERRORS } else { 0 };
            let parts = if may_help { (mask.parts)(text, self.lexis) } else { Vec::new() };
            if parts.is_empty() {
                continue;
            }
            for part in parts {
                let first = pieces.partition_point(|(end, _)| *end <= part.start);
                let last = pieces.partition_point(|(end, _)| *end < part.end);
                is_masked.iter_mut().take(last + 1).skip(first).for_each(|is_masked| *is_masked = true);
            }
            let helps = |errors: &[usize]| errors.iter().sum::<usize>() * 4 <= least * 3;
            let beside =
                errors.iter().zip(&is_masked).map(|(errors, is_masked)| if *is_masked { 0 } else { *errors });
            let mut found: Vec<usize> = beside.collect();
            if !helps(&found) {
                continue;
            }
            let (mut at, mut start) = (0, 0);
            for group in is_masked.chunk_by(|a, b| a == b) {
                let first = at;
                at += group.len();
                let range = start..pieces[at - 1].0;
                start = range.end;
                if group[0] {
                    found[first] = self.errors_with(&text[range], number);
                }
            }
            if helps(&found) {
                (errors, best) = (found, number);
                is_masked.fill(false);
            }
        }
        best
    }

    /// The errors of a text with the first `masks` masks: all of it, if the parser gives no tree.
    fn errors_with(&self, text: &[u8], masks: usize) -> usize {
        let (filled, full) = self.fill(text, masks);
        let mut errors = 0;
        let is_read = self.read(&full, &filled, |piece| errors += piece.errors());
        if is_read { errors } else { text.len() }
    }

    /// The text without its hidden parts, and with the first `masks` masks, so that all positions stay the same; and where
    /// masking words and the parts that they mask end.
    pub(super) fn hide<'a>(&self, text: &'a [u8], masks: usize) -> (Vec<(usize, usize)>, Cow<'a, [u8]>) {
        let mut seen = Cow::Borrowed(text);
        let mut masked = Vec::new();
        let mut cover = |range: Range<usize>, word: &str| {
            let part = &mut seen.to_mut()[range.clone()];
            // Positions by lines stay the same, too.
            part.iter_mut().filter(|c| **c != b'\n').for_each(|c| *c = b' ');
            if let Some(start) = part.get_mut(..word.len()).filter(|_| !word.is_empty()) {
                start.copy_from_slice(word.as_bytes());
                masked.push((range.start + word.len(), range.end));
            }
        };
        for (range, word) in self.hidden.map(|parts| parts(text, self.lexis)).unwrap_or_default() {
            cover(range, word);
        }
        for &Mask { word, parts } in &self.masks[..masks] {
            parts(text, self.lexis).into_iter().for_each(|range| cover(range, word));
        }
        masked.sort_unstable();
        (masked, seen)
    }

    /// The text as the parser sees it: without its hidden parts, with masks, and with its implied words filled in.
    pub(super) fn fill<'a>(&self, text: &'a [u8], masks: usize) -> (Filled, Cow<'a, [u8]>) {
        let (masked, seen) = self.hide(text, masks);
        let implied = self.implied.as_ref().map(|i| (i.word, (i.places)(&seen, self.lexis)));
        let Some((word, places)) = implied.filter(|(_, places)| !places.is_empty()) else {
            return (Filled { masked, ..Filled::default() }, seen);
        };
        let mut full = Vec::with_capacity(seen.len() + places.len() * word.len());
        let mut at = 0;
        for &place in &places {
            full.extend_from_slice(&seen[at..place]);
            full.extend_from_slice(word.as_bytes());
            at = place;
        }
        full.extend_from_slice(&seen[at..]);
        (Filled { places, length: word.len(), masked }, Cow::Owned(full))
    }
}
