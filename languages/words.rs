//! The words of a text: its tokens and its significant white space. A candidate with the words of a boring
//! one is not tested.

use crate::Language;
use crate::layout::Layout;
use crate::lexer::{Token, tokens};
use xxhash_rust::xxh3::Xxh3;

/// The xxh3-128 of a text's tokens and its significant white space. Linear.
pub fn hash_words(language: &dyn Language, text: &[u8]) -> u128 {
    let mut hash = Xxh3::new();
    each_word(language, text, |gap, token| {
        let word = &text[token.range()];
        hash.update(gap);
        hash.update(&word.len().to_le_bytes());
        hash.update(word);
    });
    hash.digest128()
}

/// Calls `each` with every token, and with what is significant of the white space before it. Linear.
pub fn each_word(language: &dyn Language, text: &[u8], mut each: impl FnMut(&[u8], Token)) {
    let lexis = language.lexis();
    let begins_directive = |word: &[u8]| lexis.directives.is_some_and(|d| d.mark.as_bytes() == word);
    let (mut end, mut directive) = (0, false);
    for token in tokens(text, lexis) {
        let gap = &text[end..token.range().start];
        let word = &text[token.range()];
        end = token.range().end;
        let significant: &[u8] = match (language.layout(), gap.iter().rposition(|&c| c == b'\n')) {
            (Layout::Exact, _) => gap,
            (Layout::Indented, Some(line)) => &gap[line..],
            (Layout::Lines, Some(_)) => b"\n",
            (Layout::Free, Some(_)) if directive || begins_directive(word) => b"\n",
            _ => b"",
        };
        // A preprocessor directive ends with its line.
        let begins = end == word.len() || gap.contains(&b'\n');
        directive = if begins { begins_directive(word) } else { directive };
        each(significant, token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;

    fn words(language: &str, text: &str) -> u128 {
        hash_words(named(language).unwrap_or(&crate::text::TEXT), text.as_bytes())
    }

    #[test]
    fn only_significant_white_space_counts() {
        let same = |language, a, b| words(language, a) == words(language, b);
        assert!(same("c", "int a;\n\n  b (1);", "int a; b(1);"));
        assert!(!same("c", "ab", "a b"));
        assert!(!same("c", "#define a\nb", "#define a b"));
        assert!(same("c", "#define a\nb\nc", "#define a\nb c"));
        assert!(!same("text", "a\n\nb", "a b"));
        assert!(!same("python", "if a:\n  b\nc", "if a:\n  b\n  c"));
        assert!(same("python", "a = (1)\n\nb", "a=(1)\nb"));
    }
}
