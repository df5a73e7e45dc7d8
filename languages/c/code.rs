//! The tokens of a C text, for what is found without a parser.

use crate::lexer::{Token, tokens};
use crate::lexis::Lexis;

/// Words that may precede a declared name and are not a type.
pub(crate) const MODIFIERS: &[&[u8]] =
    &[b"static", b"extern", b"register", b"auto", b"inline", b"const", b"volatile"];

/// How many tokens are searched for the end of a parameter list or of a declaration.
pub(crate) const FAR: usize = 256;

/// A text and its tokens.
pub(crate) struct Code<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) tokens: Vec<Token>,
}

impl<'a> Code<'a> {
    /// O(text).
    pub(crate) fn new(text: &'a [u8], lexis: &Lexis) -> Self {
        Self { text, tokens: tokens(text, lexis).collect() }
    }

    /// The text of a token; empty behind the last one.
    pub(crate) fn word(&self, at: usize) -> &'a [u8] {
        self.tokens.get(at).map_or(b"", |token| &self.text[token.range()])
    }

    /// Whether a token begins a line of the preprocessor.
    pub(crate) fn is_directive(&self, at: usize) -> bool {
        self.word(at) == b"#" && self.begins_line(at)
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = &self.text[..self.tokens[at].start as usize];
        let blanks = before.iter().rev().find(|c| !matches!(c, b' ' | b'\t'));
        blanks.is_none_or(|&c| c == b'\n')
    }

    /// The first token after the preprocessor line that a token is on.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let end = self.line_end_byte(at);
        self.tokens.partition_point(|token| (token.start as usize) < end)
    }

    /// The byte behind the preprocessor line that a token is on, without its line end.
    pub(crate) fn line_end_byte(&self, at: usize) -> usize {
        let mut end = self.tokens[at].start as usize;
        while let Some(length) = self.text[end..].iter().position(|&c| c == b'\n') {
            end += length;
            if !self.text[..end].trim_ascii_end().ends_with(b"\\") {
                return end;
            }
            end += 1;
        }
        self.text.len()
    }

    /// The token after the bracket that closes this one.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in open..self.tokens.len().min(open + FAR) {
            match self.word(at) {
                b"(" => depth += 1,
                b")" if depth == 1 => return Some(at + 1),
                b")" => depth -= 1,
                b"{" | b"}" | b";" => return None,
                _ => {}
            }
        }
        None
    }
}
