//! Kotlin.

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
        Quotes { escapes: false, lines: true, ..Quotes::of("\"\"\"") },
        Quotes::of("\""),
        Quotes::of("'"),
    ],
    letters: &['_'],
    blanks: &[],
    operators: &[
        "===", "!==", "..<", "..", "->", "::", "?.", "?:", "!!", "++", "--", "<=", ">=", "==", "!=", "&&",
        "||",
    ],
    assignments: &["+=", "-=", "*=", "/=", "%="],
    accesses: &[".", "?.", "::"],
    common_types: &["Any", "String"],
    receivers: &["this"],
    ..Lexis::DEFAULT
};

/// Kotlin, by tree-sitter-kotlin-ng.
pub static KOTLIN: Grammar = Grammar {
    name: "kotlin",
    extensions: &["kt", "kts"],
    lexis: &LEXIS,
    // A line end may end a statement.
    layout: Layout::Lines,
    constants: &["0", "null", "Unit", "\"\"", "1"],
    truths: &[("false", "true")],
    consumers: &[("return ", ""), ("if (", ")")],
    refuses: &[Fault::Undefined],
    typing: Typing::Behind(": "),
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: true,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_kotlin_ng::LANGUAGE.into(),
    node_types: tree_sitter_kotlin_ng::NODE_TYPES,
    samples: &[
        ("everything.kt", include_str!("samples/everything.kt")),
        ("shop.kt", include_str!("samples/shop.kt")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
