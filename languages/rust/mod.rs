//! Rust.

mod macros;

use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use crate::{Fault, Typing};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    nested_comments: true,
    strings: &[
        Quotes { close: "\"##", ..raw("##\"") },
        Quotes { close: "\"#", ..raw("#\"") },
        Quotes { prefixes: &["b", "c"], lines: true, ..Quotes::of("\"") },
        raw("\""),
        Quotes { prefixes: &["b"], single: true, ..Quotes::of("'") },
    ],
    sigils: &['\''],
    letters: &['_'],
    blanks: &[],
    operators: &["...", "..=", "->", "=>", "::", "..", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"],
    assignments: &["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="],
    accesses: &[".", "::"],
    number_type: "u8",
    receivers: &["self", "&self", "&mut self"],
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// A raw string with this opening quote behind its prefix.
const fn raw(open: &'static str) -> Quotes {
    Quotes { prefixes: &["r", "br", "cr"], bare: false, escapes: false, lines: true, ..Quotes::of(open) }
}

/// Rust, by tree-sitter-rust.
pub static RUST: Grammar = Grammar {
    name: "rust",
    extensions: &["rs"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "()", "\"\"", "loop {}", "1"],
    truths: &[("false", "true")],
    consumers: &[("return ", ""), ("_ = ", ""), ("if ", " {}")],
    refuses: &[Fault::Undefined],
    typing: Typing::Behind(": "),
    implied: None,
    hidden: Some(macros::calls),
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Declarations,
    containers: &[],
    grammar: &|| tree_sitter_rust::LANGUAGE.into(),
    node_types: tree_sitter_rust::NODE_TYPES,
    samples: &[
        ("everything.rs", include_str!("samples/everything.rs")),
        ("shop.rs", include_str!("samples/shop.rs")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
