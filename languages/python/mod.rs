//! Python.

use crate::layout::Layout;
use crate::lexer::Lexis;
use crate::sitter::Grammar;
use std::sync::OnceLock;

/// Python, by tree-sitter-python.
pub static PYTHON: Grammar = Grammar {
    name: "python",
    extensions: &["py", "pyi", "pyw"],
    lexis: &Lexis { line_comments: &["#"], block_comments: &[] },
    layout: Layout::Indented,
    constants: &["0", "\"\"", "[]", "1"],
    truths: &[("False", "True"), ("0", "1")],
    implied: None,
    grammar: || tree_sitter_python::LANGUAGE.into(),
    node_types: tree_sitter_python::NODE_TYPES,
    samples: &[("everything.py", include_str!("samples/everything.py"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    hoisted: true,
    compiled: OnceLock::new(),
};
