//! YAML.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["#"],
    separate_comments: true,
    strings: &[
        Quotes { lines: true, behind_words: false, ..Quotes::of("\"") },
        Quotes { lines: true, escapes: false, behind_words: false, ..Quotes::of("'") },
    ],
    letters: &['_', '-'],
    blanks: &[],
    operators: &["<<"],
    assignments: &[],
    ..Lexis::DEFAULT
};

/// YAML, by tree-sitter-yaml.
pub static YAML: Grammar = Grammar {
    name: "yaml",
    extensions: &["yaml", "yml"],
    lexis: &LEXIS,
    layout: Layout::Indented,
    constants: &["0", "\"\"", "{}", "[]"],
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
    grammar: &|| tree_sitter_yaml::LANGUAGE.into(),
    node_types: tree_sitter_yaml::NODE_TYPES,
    samples: &[("everything.yaml", include_str!("samples/everything.yaml"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
