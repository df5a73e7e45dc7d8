//! The measure: the order that every commit must lower, so that runs always end.

use crate::lexer::{Token, tokens};
use crate::lexis::Lexis;
use std::cmp::Ordering;

/// The size of a text: the number of tokens, then the bytes of all tokens, then all bytes, then the number of
/// lines. Texts that are equal in all of these are compared by their bytes (`is_below`), so the order is
/// total and well-founded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// Number of tokens.
    pub tokens: usize,
    /// Bytes of all tokens together, without blanks and comments.
    pub token_bytes: usize,
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Number of line ends: of two texts that are otherwise equal, the one with a blank in place of a line
    /// end is smaller.
    pub lines: usize,
}

impl Measure {
    /// Measures `text`. Linear.
    pub fn of(text: &[u8], lexis: &Lexis) -> Self {
        Self::of_tokens(tokens(text, lexis), text)
    }

    /// The measure of a text that has these tokens.
    pub fn of_tokens(tokens: impl Iterator<Item = Token>, text: &[u8]) -> Self {
        let lines = text.iter().filter(|&&c| c == b'\n').count();
        let start = Self { bytes: text.len(), lines, ..Self::default() };
        tokens.fold(start, |sum, token| Self {
            tokens: sum.tokens + 1,
            token_bytes: sum.token_bytes + token.range().len(),
            ..sum
        })
    }

    /// The sum of two measures: the measure of two files together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens + other.tokens,
            token_bytes: self.token_bytes + other.token_bytes,
            bytes: self.bytes + other.bytes,
            lines: self.lines + other.lines,
        }
    }

    /// Whether `(self, text)` is strictly below `(other, other_text)`.
    pub fn is_below(&self, text: &[u8], other: &Self, other_text: &[u8]) -> bool {
        self.cmp(other).then_with(|| text.cmp(other_text)) == Ordering::Less
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEXIS: Lexis = Lexis { line_comments: &["#"], ..Lexis::DEFAULT };

    fn below(a: &str, b: &str) -> bool {
        let (a, b) = (a.as_bytes(), b.as_bytes());
        Measure::of(a, &LEXIS).is_below(a, &Measure::of(b, &LEXIS), b)
    }

    #[test]
    fn tokens_count_before_bytes_and_bytes_before_blanks() {
        assert!(below("a_long_name", "a b"));
        assert!(below("ab  ", "abc"));
        assert!(below("a", "a # comment"));
        assert!(below("a b", "a\nb"));
        assert!(below("a", "b"));
        assert!(!below("a", "a"));
    }
}
