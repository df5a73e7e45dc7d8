//! TypeScript, without and with JSX.

use crate::layout::Layout;
use crate::references::Naming;
use crate::sitter::Grammar;
use crate::{Fault, Typing};
use std::sync::OnceLock;

/// TypeScript, by tree-sitter-typescript.
pub static TYPESCRIPT: Grammar = Grammar {
    name: "typescript",
    extensions: &["ts", "mts", "cts"],
    lexis: &crate::javascript::LEXIS,
    // A line end may end a statement.
    layout: Layout::Lines,
    constants: &["0", "\"\"", "{}", "[]", "null", "1"],
    truths: &[("0", "1"), ("false", "true")],
    consumers: &[("return ", ""), ("if (", ")")],
    refuses: &[Fault::Undefined],
    typing: Typing::Behind(": "),
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Specifiers,
    containers: &[],
    grammar: &|| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    node_types: tree_sitter_typescript::TYPESCRIPT_NODE_TYPES,
    samples: &[
        ("everything.ts", include_str!("samples/everything.ts")),
        ("shop.ts", include_str!("samples/shop.ts")),
    ],
    roles: concat!(include_str!("../javascript/shared_roles.scm"), include_str!("roles.scm")),
    bindings: concat!(include_str!("../javascript/shared_bindings.scm"), include_str!("bindings.scm")),
    semantics: None,
    compiled: OnceLock::new(),
};

/// TypeScript with JSX, whose grammar is another one.
pub static TSX: Grammar = Grammar {
    name: "tsx",
    extensions: &["tsx"],
    lexis: &crate::javascript::LEXIS,
    // A line end may end a statement.
    layout: Layout::Lines,
    constants: &["0", "\"\"", "{}", "[]", "null", "1"],
    truths: &[("0", "1"), ("false", "true")],
    consumers: &[("return ", ""), ("if (", ")")],
    refuses: &[Fault::Undefined],
    typing: Typing::Behind(": "),
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Specifiers,
    containers: &[],
    grammar: &|| tree_sitter_typescript::LANGUAGE_TSX.into(),
    node_types: tree_sitter_typescript::TSX_NODE_TYPES,
    samples: &[("everything.tsx", include_str!("samples/everything.tsx"))],
    roles: concat!(
        include_str!("../javascript/shared_roles.scm"),
        include_str!("roles.scm"),
        "(jsx_text) @verbatim"
    ),
    bindings: concat!(include_str!("../javascript/shared_bindings.scm"), include_str!("bindings.scm")),
    semantics: None,
    compiled: OnceLock::new(),
};
