//! CSS.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    block_comments: &[("/*", "*/")],
    strings: &[Quotes::of("\""), Quotes::of("'")],
    sigils: &['@'],
    letters: &['_', '-'],
    blanks: &[],
    operators: &["::"],
    assignments: &[],
    ..Lexis::DEFAULT
};

/// CSS, by tree-sitter-css.
pub static CSS: Grammar = Grammar {
    name: "css",
    extensions: &["css"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0"],
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
    grammar: &|| tree_sitter_css::LANGUAGE.into(),
    node_types: tree_sitter_css::NODE_TYPES,
    samples: &[("everything.css", include_str!("samples/everything.css"))],
    roles: include_str!("roles.scm"),
    bindings: "",
    semantics: None,
    compiled: OnceLock::new(),
};
