//! Go.

use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use crate::{Fault, Typing};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    strings: &[Quotes { lines: true, escapes: false, ..Quotes::of("`") }, Quotes::of("\""), Quotes::of("'")],
    letters: &['_'],
    blanks: &[],
    operators: &["...", "<-", ":=", "++", "--", "<<", ">>", "&^", "<=", ">=", "==", "!=", "&&", "||"],
    assignments: &["<<=", ">>=", "&^=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="],
    accesses: &["."],
    number_type: "int",
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// Go, by tree-sitter-go.
pub static GO: Grammar = Grammar {
    name: "go",
    extensions: &["go"],
    lexis: &LEXIS,
    // A line end may end a statement.
    layout: Layout::Lines,
    constants: &["0", "\"\"", "nil", "1"],
    truths: &[("false", "true")],
    consumers: &[("return ", ""), ("_ = ", ""), ("if ", " {}")],
    refuses: &[Fault::Unused, Fault::Undefined],
    typing: Typing::Behind(" "),
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_go::LANGUAGE.into(),
    node_types: tree_sitter_go::NODE_TYPES,
    samples: &[
        ("everything.go", include_str!("samples/everything.go")),
        ("shop.go", include_str!("samples/shop.go")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
