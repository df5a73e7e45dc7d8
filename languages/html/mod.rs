//! HTML.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    block_comments: &[("<!--", "-->")],
    strings: &[Quotes { lines: true, escapes: false, ..Quotes::of("\"") }],
    letters: &['_', '-'],
    blanks: &[],
    operators: &["</", "/>"],
    assignments: &[],
    ..Lexis::DEFAULT
};

/// HTML, by tree-sitter-html.
pub static HTML: Grammar = Grammar {
    name: "html",
    extensions: &["html", "htm", "xhtml"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &[],
    truths: &[],
    consumers: &[],
    refuses: &[],
    typing: Typing::None,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_html::LANGUAGE.into(),
    node_types: tree_sitter_html::NODE_TYPES,
    samples: &[("everything.html", include_str!("samples/everything.html"))],
    roles: include_str!("roles.scm"),
    bindings: "",
    semantics: None,
    compiled: OnceLock::new(),
};
