//! WebAssembly's text format.

use crate::Typing;
use crate::layout::Layout;
use crate::lexer::{TokenKind, tokens};
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::ops::Range;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &[";;"],
    block_comments: &[COMMENT],
    nested_comments: true,
    strings: &[Quotes::of("\"")],
    sigils: &['$'],
    letters: &[
        '!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '/', ':', '<', '=', '>', '?', '@', '\\', '^', '_',
        '`', '|', '~',
    ],
    blanks: &[],
    operators: &[],
    assignments: &[],
    accesses: &[],
    indentation: 2,
    is_of_lists: true,
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// The marks of a comment that may lie inside a line.
const COMMENT: (&str, &str) = ("(;", ";)");

/// The shortest comment of Scheme that may lie inside a line.
const WORD: &str = "#||#";

/// WebAssembly's text format, whose lists tree-sitter-scheme reads.
pub static WAT: Grammar = Grammar {
    name: "wat",
    extensions: &["wat", "wast"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["(unreachable)", "(i32.const 0)", "(i64.const 0)", "(f64.const 0)"],
    truths: &[("(i32.const 0)", "(i32.const 1)")],
    consumers: &[("(drop ", ")")],
    refuses: &[],
    typing: Typing::None,
    implied: None,
    hidden: Some(hidden),
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_scheme::LANGUAGE.into(),
    node_types: tree_sitter_scheme::NODE_TYPES,
    samples: &[("everything.wat", include_str!("samples/everything.wat"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};

/// What Scheme spells in another way, with words of Scheme that stand for it: `0` for a number or a string, `x` for a word with
/// characters that are special in Scheme, and a comment for a comment inside a line. O(bytes).
fn hidden(text: &[u8], lexis: &Lexis) -> Vec<(Range<usize>, &'static str)> {
    let mut hidden = Vec::new();
    let mut end = 0;
    for token in tokens(text, lexis) {
        let range = token.range();
        comments(text, end..range.start, &mut hidden);
        end = range.end;
        let word = &text[range.clone()];
        if token.kind == TokenKind::String || is_number(word) {
            hidden.push((range, "0"));
        } else if token.kind == TokenKind::Word && word.iter().any(|c| b"#'\\`|@".contains(c)) {
            hidden.push((range, "x"));
        }
    }
    comments(text, end..text.len(), &mut hidden);
    hidden
}

fn is_number(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
    digits.first().is_some_and(u8::is_ascii_digit) || digits.starts_with(b"nan") || digits == b"inf"
}

/// Adds the comments inside lines of a range between two tokens. One that nothing closes is not among them.
fn comments(text: &[u8], range: Range<usize>, out: &mut Vec<(Range<usize>, &'static str)>) {
    let (open, close) = (COMMENT.0.as_bytes(), COMMENT.1.as_bytes());
    let (mut at, mut depth, mut start) = (range.start, 0, range.start);
    while at < range.end {
        let rest = &text[at..range.end];
        if depth == 0 && rest.starts_with(b";;") {
            at += rest.iter().position(|&c| c == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(open) {
            start = if depth == 0 { at } else { start };
            depth += 1;
            at += open.len();
        } else if depth > 0 && rest.starts_with(close) {
            depth -= 1;
            at += close.len();
            if depth == 0 {
                // A line end must stay where it is.
                let word = if text[start..start + WORD.len()].contains(&b'\n') { "" } else { WORD };
                out.push((start..at, word));
            }
        } else {
            at += 1;
        }
    }
}
