//! TOML.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["#"],
    strings: &[
        Quotes { lines: true, ..Quotes::of("\"\"\"") },
        Quotes { lines: true, escapes: false, ..Quotes::of("'''") },
        Quotes::of("\""),
        Quotes { escapes: false, ..Quotes::of("'") },
    ],
    letters: &['_', '-'],
    blanks: &[],
    operators: &[],
    assignments: &[],
    ..Lexis::DEFAULT
};

/// TOML, by tree-sitter-toml-ng.
pub static TOML: Grammar = Grammar {
    name: "toml",
    extensions: &["toml"],
    lexis: &LEXIS,
    // A line end ends a pair.
    layout: Layout::Lines,
    constants: &["0", "\"\"", "[]", "{}"],
    truths: &[("false", "true")],
    consumers: &[],
    refuses: &[],
    typing: Typing::None,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: true,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_toml_ng::LANGUAGE.into(),
    node_types: tree_sitter_toml_ng::NODE_TYPES,
    samples: &[("everything.toml", include_str!("samples/everything.toml"))],
    roles: include_str!("roles.scm"),
    bindings: "",
    semantics: None,
    compiled: OnceLock::new(),
};
