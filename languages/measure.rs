//! The measure: the order that every commit must lower, so that runs always end.

use crate::lexer::{Token, tokens};
use crate::lexis::Lexis;
use std::path::Path;

/// The size of a text, or of several files: the number of tokens, then the bytes of all tokens, then the paths of the
/// files, then all bytes, then the number of lines. That is the order for the usual goal; [`Measure::toward`] gives the
/// one for another goal. Texts that are equal in all of these are compared by their bytes (`is_below`), so every order
/// is total and well-founded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// Number of tokens.
    pub tokens: usize,
    /// Bytes of all tokens together, without blanks and comments.
    pub token_bytes: usize,
    /// Bytes of the paths of all files, and one for each file: a file less is smaller, and so is one with a shorter
    /// name.
    pub paths: usize,
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Number of line ends: of two texts that are otherwise equal, the one with a blank in place of a line
    /// end is smaller.
    pub lines: usize,
}

/// What a reduction makes as small as it can; of programs that are equal in it, the other sizes decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The number of tokens, then their bytes.
    #[default]
    Tokens,
    /// The bytes of the whole text.
    Bytes,
    /// The number of lines.
    Lines,
    /// The time of the test, which no text tells: the caller refuses slow candidates. Otherwise, tokens.
    Time,
}

impl Goal {
    /// All goals.
    pub const ALL: [Self; 4] = [Self::Tokens, Self::Bytes, Self::Lines, Self::Time];

    /// The name, for options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Bytes => "bytes",
            Self::Lines => "lines",
            Self::Time => "time",
        }
    }
}

impl Measure {
    /// The sizes in the order in which they are compared.
    pub fn toward(&self, goal: Goal) -> [usize; 5] {
        let Self { tokens, token_bytes, paths, bytes, lines } = *self;
        match goal {
            Goal::Tokens | Goal::Time => [tokens, token_bytes, paths, bytes, lines],
            Goal::Bytes => [bytes, tokens, token_bytes, paths, lines],
            Goal::Lines => [lines, tokens, token_bytes, paths, bytes],
        }
    }

    /// Measures `text`. Linear.
    pub fn of(text: &[u8], lexis: &Lexis) -> Self {
        Self::of_tokens(tokens(text, lexis), text)
    }

    /// Measures the file at `path`. Linear.
    pub fn of_file(path: &Path, text: &[u8], lexis: &Lexis) -> Self {
        Self { paths: path.as_os_str().len() + 1, ..Self::of(text, lexis) }
    }

    /// The measure of a text that has these tokens.
    fn of_tokens(tokens: impl Iterator<Item = Token>, text: &[u8]) -> Self {
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
            paths: self.paths + other.paths,
            bytes: self.bytes + other.bytes,
            lines: self.lines + other.lines,
        }
    }

    /// Whether `(self, text)` is strictly below `(other, other_text)`, for the usual goal.
    pub fn is_below(&self, text: &[u8], other: &Self, other_text: &[u8]) -> bool {
        (self, text) < (other, other_text)
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
    fn the_goal_is_compared_first_and_then_the_tokens() {
        let below = |a: &str, b: &str, goal| {
            let toward = |text: &str| Measure::of(text.as_bytes(), &LEXIS).toward(goal);
            toward(a) < toward(b)
        };
        assert!(below("a_long_name", "a b", Goal::Tokens));
        assert!(below("a b", "a_long_name", Goal::Bytes) && below("abc", "a b", Goal::Bytes));
        assert!(below("a b c", "a\nb", Goal::Lines) && below("ab\n", "a b\n", Goal::Lines));
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
