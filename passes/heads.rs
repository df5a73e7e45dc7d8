//! Deletes a body in braces, and ends its head with a semicolon: `int f() { return 1; }` becomes `int f();`.
//!
//! In most languages with braces, this declares a function, or makes a loop that does nothing.

use crate::brackets::pairs;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::lexer::{Token, TokenKind};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "heads",
    summary: "replaces a body in braces by a semicolon",
    languages: &["text"],
    grain: Grain::Fine,
    proves: true,
    examples: &[Example {
        language: "text",
        before: "class A { int f(int[]) { int a; return a; } }\nvoid g() { for (;;) { h(); } a = {1}; }\n",
        keep: &["class A {", "int f(int[])", "void g() {", "for (;;)", "a = {1}"],
        after: "class A { int f(int[]); }\nvoid g() { for (;;); a = {1}; }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let mut levels: BTreeMap<usize, Vec<Unit>> = BTreeMap::new();
    for file in PASS.files(base).filter(|&file| has_semicolons(file)) {
        for (depth, open, close) in pairs(file) {
            levels.entry(depth).or_default().extend(without_body(file, open, close));
        }
    }
    levels.into_values().map(Group::deletions).collect()
}

fn text<'a>(file: File<'a>, token: &Token) -> &'a [u8] {
    &file.text()[token.range()]
}

fn has_semicolons(file: File<'_>) -> bool {
    file.tokens().iter().any(|token| text(file, token) == b";")
}

/// A head without the body between these brackets, which follows a name or a list of parameters.
fn without_body(file: File<'_>, open: usize, close: usize) -> Option<Unit> {
    let tokens = file.tokens();
    let before = &tokens[open.checked_sub(1)?];
    let is_head = before.kind == TokenKind::Word || matches!(text(file, before), b")" | b"]" | b">");
    let goes_on =
        tokens.get(close + 1).is_some_and(|token| matches!(text(file, token), b";" | b"," | b")" | b"]"));
    let is_body = text(file, &tokens[open]) == b"{" && is_head && !goes_on;
    is_body.then(|| file.write(before.range().end..tokens[close].range().end, ";"))
}
