//! SQL, in the forms of many databases.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["--"],
    block_comments: &[("/*", "*/")],
    strings: &[
        Quotes { lines: true, escapes: false, ..Quotes::of("'") },
        Quotes { escapes: false, ..Quotes::of("\"") },
        Quotes { escapes: false, ..Quotes::of("`") },
    ],
    blanks: &[],
    operators: &["::", "<=", ">=", "<>", "!=", "||", "->>", "->"],
    assignments: &[":="],
    accesses: &["."],
    receivers: &[],
    ..Lexis::DEFAULT
};

/// SQL, in the forms of many databases, by tree-sitter-sequel.
pub static SQL: Grammar = Grammar {
    name: "sql",
    extensions: &["sql"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "NULL", "''", "1"],
    truths: &[("FALSE", "TRUE"), ("1 = 0", "1 = 1")],
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
    grammar: &|| tree_sitter_sequel::LANGUAGE.into(),
    node_types: tree_sitter_sequel::NODE_TYPES,
    samples: &[("everything.sql", include_str!("samples/everything.sql"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
