//! Words such as `TRUE` and `NULL` that the grammar takes for constants: in a file that defines them, the parser sees names.

use crate::lexer::{Token, TokenKind, tokens};
use crate::lexis::Lexis;
use memchr::memmem::find;
use std::ops::Range;

/// The words of C, each with a name of the same length.
const C: Words = &[
    ("true", "name"),
    ("false", "named"),
    ("TRUE", "name"),
    ("FALSE", "named"),
    ("NULL", "name"),
    ("nullptr", "renamed"),
];

/// Those of C++ that are no keywords.
const CPP: Words = &[("TRUE", "name"), ("FALSE", "named"), ("NULL", "name")];

type Words = &'static [(&'static str, &'static str)];
type Found = Vec<(Range<usize>, &'static str)>;

/// The words that a text in C defines, and a name that the parser sees in the place of each. O(text).
pub(super) fn of_c(text: &[u8], lexis: &Lexis) -> Found {
    defined(text, lexis, C)
}

/// As [`of_c`], for C++.
pub(crate) fn of_cpp(text: &[u8], lexis: &Lexis) -> Found {
    defined(text, lexis, CPP)
}

fn defined(text: &[u8], lexis: &Lexis, words: Words) -> Found {
    // Most texts have none of them.
    let words: Vec<_> = words.iter().filter(|(word, _)| find(text, word.as_bytes()).is_some()).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let tokens: Vec<Token> = tokens(text, lexis).collect();
    let is_defined = definitions(text, &tokens);
    let mut found = Vec::new();
    for (word, name) in words {
        let is_word = |&at: &usize| &text[tokens[at].range()] == word.as_bytes();
        let all: Vec<usize> = (0..tokens.len()).filter(is_word).collect();
        if all.iter().any(|&at| is_defined[at]) {
            found.extend(all.into_iter().map(|at| (tokens[at].range(), *name)));
        }
    }
    found.sort_unstable_by_key(|(range, _)| range.start);
    found
}

/// Words behind which no name is defined.
const BEFORE_VALUES: &[&[u8]] = &[
    b"return",
    b"case",
    b"else",
    b"do",
    b"if",
    b"ifdef",
    b"ifndef",
    b"elif",
    b"undef",
    b"defined",
    b"sizeof",
    b"goto",
    b"throw",
    b"and",
    b"or",
    b"not",
    b"operator",
];

/// For each token, whether it is a name that is defined there, as far as its neighbours tell: an enumerator, a macro, or what follows a
/// type. O(tokens).
fn definitions(text: &[u8], tokens: &[Token]) -> Vec<bool> {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or(&b""[..], |t| &text[t.range()]);
    let mut found = vec![false; tokens.len()];
    let mut is_enumeration = false;
    for at in 0..tokens.len() {
        let before = at.checked_sub(1);
        match word(Some(at)) {
            b"{" => {
                let is_behind = |steps| word(at.checked_sub(steps)) == b"enum";
                is_enumeration = is_behind(1) || is_behind(2) || is_behind(3) || is_behind(4);
            }
            b"}" | b";" => is_enumeration = false,
            _ => {}
        }
        found[at] = match word(before) {
            b"{" | b"," => is_enumeration,
            b"define" => true,
            behind => {
                tokens[at].kind == TokenKind::Word
                    && before.is_some_and(|before| tokens[before].kind == TokenKind::Word)
                    && !BEFORE_VALUES.contains(&behind)
                    && word(at.checked_sub(2)) != b"define"
            }
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::Parsed;

    /// The numbers of uses of all definitions.
    fn uses(text: &str) -> Vec<usize> {
        let file = Parsed::new(&crate::c::C, text.as_bytes().to_vec());
        assert_eq!(file.syntax().errors, 0, "{text}");
        file.bindings(0).definitions().iter().map(|definition| definition.uses.len()).collect()
    }

    #[test]
    fn a_file_that_defines_true_or_null_uses_these_names() {
        assert_eq!(
            uses("typedef enum e { FALSE, TRUE = 1 } b;\nb x = TRUE, y = FALSE;\n"),
            [0, 1, 1, 1, 0, 0]
        );
        assert_eq!(uses("const int true = 1;\nint f() { return !true; }\n"), [1, 0]);
        assert_eq!(uses("void f(int true) { true = false; }\n"), [0, 1]);
        assert_eq!(uses("#define NULL 0\nchar *p = NULL;\n"), [1, 0]);
    }

    #[test]
    fn true_is_a_constant_in_any_other_file() {
        assert_eq!(uses("#include <stdbool.h>\nenum { A };\nint x[] = { true, A }, *p = NULL;\n"), [1, 0, 0]);
        assert_eq!(uses("#define A true\nint f() { return true; }\nvoid g() { f(true, 1); }\n"), [0, 1, 0]);
    }
}
