//! Implied words: what a text may leave out though the grammar demands it is filled in for the parser.

use super::Grammar;
use crate::lexis::Lexis;
use std::borrow::Cow;
use std::ops::Range;

/// A word that a text may leave out though the grammar demands it.
pub struct Implied {
    /// The word, and a blank.
    pub word: &'static str,
    /// The bytes before which the word is to be thought, in order.
    pub places: fn(&[u8], &Lexis) -> Vec<usize>,
}

/// Where in a text implied words were filled in for the parser.
#[derive(Default)]
pub(super) struct Filled {
    /// Places in the text as it was.
    places: Vec<usize>,
    /// The length of the word.
    length: usize,
}

impl Filled {
    /// Whether nothing was filled in.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The place in the text as it was, for one in the text that was parsed. O(log places).
    fn original(&self, at: usize) -> usize {
        if self.places.is_empty() {
            return at;
        }
        let (mut from, mut to) = (0, self.places.len());
        // How many words begin before `at`: the i-th begins at its place and i lengths.
        while from < to {
            let middle = (from + to) / 2;
            if self.places[middle] + middle * self.length < at { from = middle + 1 } else { to = middle }
        }
        let Some(last) = from.checked_sub(1) else { return at };
        // What lies inside a word is where the word was filled in.
        at.saturating_sub(from * self.length).max(self.places[last])
    }

    /// The bytes of the text as it was, for some of the text that was parsed.
    pub(super) fn range(&self, range: Range<usize>) -> Range<usize> {
        self.original(range.start)..self.original(range.end)
    }
}

impl Grammar {
    /// The text with the words filled in that it only implies.
    pub(super) fn fill<'a>(&self, text: &'a [u8]) -> (Filled, Cow<'a, [u8]>) {
        let implied = self.implied.as_ref().map(|i| (i.word, (i.places)(text, self.lexis)));
        let Some((word, places)) = implied.filter(|(_, places)| !places.is_empty()) else {
            return (Filled::default(), Cow::Borrowed(text));
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
