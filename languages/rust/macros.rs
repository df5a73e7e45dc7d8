//! Macros that are called like functions: the grammar reads their arguments as bare tokens, so the parser sees calls of
//! functions in their place.

use crate::lexer::{Token, TokenKind, bracket, tokens};
use crate::lexis::Lexis;
use std::ops::Range;

/// The bytes of `name![a, b]`, `name!(a, b)` and `name![a; n]` that the parser does not see, and what it sees in their
/// places: a call `name (a, b)`. Only macros whose arguments look like expressions count. O(tokens).
pub(super) fn calls(text: &[u8], lexis: &Lexis) -> Vec<(Range<usize>, &'static str)> {
    if !text.contains(&b'!') {
        return Vec::new();
    }
    let code = Code::new(text, tokens(text, lexis).collect());
    let mut found = Vec::new();
    // For each token, whether it opens the arguments of a macro that counts.
    let mut is_call = vec![false; code.tokens.len()];
    for (open, is_call) in is_call.iter_mut().enumerate().skip(2) {
        let Some(close) = code.arguments(open) else { continue };
        *is_call = true;
        found.push((code.tokens[open - 1].range(), ""));
        if code.word(open) == b"[" {
            found.push((code.tokens[open].range(), "("));
            found.push((code.tokens[close].range(), ")"));
        }
    }
    let ends = (0..code.tokens.len()).filter(|&at| code.word(at) == b";");
    let counts = ends.filter(|&at| code.around[at].is_some_and(|open| is_call[open]));
    found.extend(counts.map(|at| (code.tokens[at].range(), ",")));
    found.sort_unstable_by_key(|(range, _)| range.start);
    found
}

/// Words after which a value begins.
const PREFIXES: &[&[u8]] = &[
    b"as",
    b"async",
    b"await",
    b"break",
    b"const",
    b"continue",
    b"dyn",
    b"else",
    b"for",
    b"if",
    b"in",
    b"let",
    b"loop",
    b"match",
    b"move",
    b"mut",
    b"ref",
    b"return",
    b"unsafe",
    b"where",
    b"while",
    b"yield",
];

/// Words that follow a value.
const INFIXES: &[&[u8]] = &[b"as", b"else", b"in"];

/// Words with which items begin.
const ITEMS: &[&[u8]] = &[
    b"enum", b"fn", b"impl", b"let", b"mod", b"pub", b"static", b"struct", b"trait", b"type", b"use",
    b"where",
];

/// Macros whose arguments are patterns.
const MATCHERS: &[&[u8]] = &[b"matches", b"assert_matches", b"debug_assert_matches"];

/// The tokens of a text, with its brackets in pairs.
struct Code<'a> {
    text: &'a [u8],
    tokens: Vec<Token>,
    /// The innermost bracket that is open before each token.
    around: Vec<Option<usize>>,
    /// The bracket that closes each opening one.
    partners: Vec<Option<usize>>,
    /// For each token, the number of tokens before it that no expression has at their places.
    foreign: Vec<usize>,
}

impl<'a> Code<'a> {
    fn new(text: &'a [u8], tokens: Vec<Token>) -> Self {
        let count = tokens.len();
        let (around, partners, foreign) = (Vec::with_capacity(count), vec![None; count], vec![0]);
        let mut code = Self { text, tokens, around, partners, foreign };
        let mut open: Vec<(usize, usize)> = Vec::new();
        for at in 0..count {
            let pair = bracket(code.word(at));
            code.around.push(open.last().map(|(_, open)| *open));
            match pair {
                Some((kind, 1)) => open.push((kind, at)),
                Some((kind, _)) if open.last().is_some_and(|(last, _)| *last == kind) => {
                    code.partners[open.pop().map_or(at, |(_, open)| open)] = Some(at);
                }
                _ => {}
            }
            code.foreign.push(code.foreign[at] + usize::from(code.is_foreign(at)));
        }
        code
    }

    fn word(&self, at: usize) -> &'a [u8] {
        self.tokens.get(at).map_or(b"", |token| &self.text[token.range()])
    }

    fn before(&self, at: usize, steps: usize) -> &'a [u8] {
        at.checked_sub(steps).map_or(b"", |at| self.word(at))
    }

    fn is(&self, at: usize, kind: TokenKind) -> bool {
        self.tokens[at].kind == kind
    }

    /// The bracket that closes the arguments of a macro, if this one opens them and they look like expressions.
    fn arguments(&self, open: usize) -> Option<usize> {
        let name = self.word(open - 2);
        let is_name =
            self.is(open - 2, TokenKind::Word) && !PREFIXES.contains(&name) && !MATCHERS.contains(&name);
        let is_macro = is_name && self.word(open - 1) == b"!" && matches!(self.word(open), b"(" | b"[");
        let close = self.partners[open].filter(|_| is_macro)?;
        (self.foreign[close] == self.foreign[open + 1]).then_some(close)
    }

    /// Whether no expression has this token at its place. Blocks may have all tokens but those of macros' definitions, and
    /// of JSON.
    fn is_foreign(&self, at: usize) -> bool {
        let word = self.word(at);
        let is_in_block = self.around[at].is_some_and(|open| self.word(open) == b"{");
        match word {
            b"$" => true,
            b":" if self.before(at, 1).ends_with(b"\"") => true,
            _ if is_in_block => false,
            b"=>" | b"@" => true,
            // `name: value` is an argument only in macros.
            b":" => matches!(self.before(at, 2), b"(" | b"[" | b","),
            _ => {
                ITEMS.contains(&word)
                    || word.starts_with(b"'") && self.is(at, TokenKind::Word)
                    || self.is_second(at)
            }
        }
    }

    /// Whether a value begins here although another one has just ended.
    fn is_second(&self, at: usize) -> bool {
        let is_value = |at: usize| !self.is(at, TokenKind::Operator);
        let begins = is_value(at) && !INFIXES.contains(&self.word(at));
        let ends = |at: usize| match self.is(at, TokenKind::Word) {
            true => !PREFIXES.contains(&self.word(at)),
            false => is_value(at) || matches!(self.word(at), b")" | b"]"),
        };
        begins && at > 0 && ends(at - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parsed;
    use crate::rust::RUST;
    use proptest::prelude::*;

    /// The text as the parser sees it.
    fn seen(text: &str) -> String {
        let mut seen = text.as_bytes().to_vec();
        for (range, word) in calls(text.as_bytes(), RUST.lexis) {
            seen[range].copy_from_slice(if word.is_empty() { b" " } else { word.as_bytes() });
        }
        String::from_utf8(seen).unwrap()
    }

    #[test]
    fn macros_are_called_like_functions_if_their_arguments_look_like_expressions() {
        assert_eq!(
            seen("vec![a; 2]; f!(); std::debug!(\"{x}\", vec![1, 2][0]);"),
            "vec (a, 2); f (); std::debug (\"{x}\", vec (1, 2)[0]);"
        );
        let like_functions =
            "log!(|a, _| match a { A(_) => 1, _ => if b { return 2 } else { 3 } }, x = 5, *b as u8)";
        assert_eq!(seen(like_functions), like_functions.replacen('!', " ", 1));
        for other in [
            "matches!(a, Some(1))",
            "m!(a b)",
            "m!(a => b)",
            "m!{a}",
            "macro_rules! m { ($a:expr) => { f!($a) } }",
            "m!(fn f() {})",
            "m!(target: 1)",
            "json!({\"a\": 1})",
            "return !(a)",
            "#![allow(b)]",
            "m!(a]",
            "m!('a)",
            "m![",
        ] {
            assert_eq!(seen(other), other);
        }
    }

    #[test]
    fn arguments_of_macros_are_expressions_with_separators() {
        let file = Parsed::new(&RUST, b"fn f() { vec![g(1), h(2)]; }\n".to_vec());
        let tree = file.tree();
        let text = |n| String::from_utf8_lossy(file.node_text(n)).into_owned();
        let arguments = tree.nodes().find(|&n| tree.kind_name(n) == "arguments").unwrap();
        let parts: Vec<String> = tree.children(arguments).map(text).collect();
        assert_eq!(parts, ["[", "g(1)", ",", "h(2)", "]"]);
        assert_eq!(file.syntax().errors, 0);
    }

    proptest! {
        #[test]
        fn single_bytes_of_the_text_change_in_order(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24),
        ) {
            let text: String = pieces.concat();
            let found = calls(text.as_bytes(), RUST.lexis);
            prop_assert!(found.iter().all(|(range, _)| range.len() == 1 && range.end <= text.len()));
            prop_assert!(found.windows(2).all(|two| two[0].0.end <= two[1].0.start), "{:?} in {}", found, text);
        }
    }

    const PIECES: &[&str] = &[
        "a", "m!", "m![", "m!(", "(", ")", "[", "]", "{", "}", ";", ",", "=>", " if ", "'a", "\"s\"", "1",
        "$", ":", "!",
    ];
}
