//! C.

mod implied;

use crate::layout::Layout;
use crate::lexer::Lexis;
use crate::sitter::{Grammar, Implied};
use std::sync::OnceLock;

/// C, by tree-sitter-c.
pub static C: Grammar = Grammar {
    name: "c",
    extensions: &["c", "h", "i"],
    lexis: &Lexis { line_comments: &["//"], block_comments: &[("/*", "*/")] },
    layout: Layout::Free,
    constants: &["0", "{0}", "1"],
    truths: &[("0", "1"), ("0", "1.0f")],
    implied: Some(Implied { word: "int ", places: implied::implied }),
    grammar: || tree_sitter_c::LANGUAGE.into(),
    node_types: tree_sitter_c::NODE_TYPES,
    samples: &[
        ("everything.c", include_str!("samples/everything.c")),
        ("preprocessed.i", include_str!("samples/preprocessed.i")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    hoisted: false,
    compiled: OnceLock::new(),
};
