//! JSON.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis =
    Lexis { strings: &[Quotes::of("\"")], blanks: &[], operators: &[], assignments: &[], ..Lexis::DEFAULT };

/// JSON, by tree-sitter-json.
pub static JSON: Grammar = Grammar {
    name: "json",
    extensions: &["json", "jsonc", "jsonl", "ndjson", "geojson", "ipynb", "sarif", "webmanifest"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "{}"],
    truths: &[("false", "true")],
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
    grammar: &|| tree_sitter_json::LANGUAGE.into(),
    node_types: tree_sitter_json::NODE_TYPES,
    samples: &[("everything.json", include_str!("samples/everything.json"))],
    roles: include_str!("roles.scm"),
    bindings: "",
    semantics: None,
    compiled: OnceLock::new(),
};
