//! Implied words: words that a text may omit although the grammar requires them, filled in for the parser.

use super::Grammar;
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

/// The places in a text where implied words were filled in for the parser.
#[derive(Default)]
pub(super) struct Filled {
    /// The places in the original text.
    places: Vec<usize>,
    /// The length of the word.
    length: usize,
}

impl Filled {
    /// Whether no word was filled in.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The place in the original text for a place in the parsed text. O(log places).
    fn original(&self, at: usize) -> usize {
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
        self.original(range.start)..self.original(range.end)
    }
}

impl Grammar {
    /// The text with blanks in place of its hidden parts, so that all positions stay the same.
    pub(super) fn hide<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let hidden = self.hidden.map_or(Vec::new(), |hidden| hidden(text, self.lexis));
        if hidden.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut seen = text.to_vec();
        hidden.into_iter().for_each(|range| seen[range].fill(b' '));
        Cow::Owned(seen)
    }

    /// The text as the parser sees it: without its hidden parts, or with its implied words filled in.
    pub(super) fn fill<'a>(&self, text: &'a [u8]) -> (Filled, Cow<'a, [u8]>) {
        let implied = self.implied.as_ref().map(|i| (i.word, (i.places)(text, self.lexis)));
        let Some((word, places)) = implied.filter(|(_, places)| !places.is_empty()) else {
            return (Filled::default(), self.hide(text));
        };
        let mut full = Vec::with_capacity(text.len() + places.len() * word.len());
        let mut at = 0;
        for &place in &places {
            full.extend_from_slice(&text[at..place]);
            full.extend_from_slice(word.as_bytes());
            at = place;
        }
        full.extend_from_slice(&text[at..]);
        (Filled { places, length: word.len() }, Cow::Owned(full))
    }
}
