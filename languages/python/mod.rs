//! Python.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

/// The prefixes of strings.
const PREFIXES: &[&str] = &["r", "u", "b", "f", "t", "rb", "br", "rf", "fr", "rt", "tr"];

const fn quotes(quote: &'static str, lines: bool) -> Quotes {
    Quotes { prefixes: PREFIXES, any_case: true, lines, ..Quotes::of(quote) }
}

static LEXIS: Lexis = Lexis {
    line_comments: &["#"],
    strings: &[quotes("\"\"\"", true), quotes("'''", true), quotes("\"", false), quotes("'", false)],
    letters: &['_'],
    blanks: &[],
    operators: &["...", "->", ":=", "<<", ">>", "**", "//", "<=", ">=", "==", "!="],
    assignments: &["<<=", ">>=", "**=", "//=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "@="],
    accesses: &["."],
    receivers: &["self", "cls"],
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// Python, by tree-sitter-python.
pub static PYTHON: Grammar = Grammar {
    name: "python",
    extensions: &["py", "pyi", "pyw", "bzl", "bazel", "star"],
    lexis: &LEXIS,
    layout: Layout::Indented,
    constants: &["0", "\"\"", "[]", "None", "1"],
    truths: &[("False", "True"), ("0", "1")],
    consumers: &[("return ", ""), ("if ", ": pass")],
    refuses: &[],
    typing: Typing::None,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Modules,
    containers: &[],
    grammar: &|| tree_sitter_python::LANGUAGE.into(),
    node_types: tree_sitter_python::NODE_TYPES,
    samples: &[("everything.py", include_str!("samples/everything.py"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
