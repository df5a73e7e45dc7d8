//! The intermediate representation of LLVM.

use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use crate::{Fault, Typing};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &[";"],
    strings: &[Quotes { prefixes: &["c"], escapes: false, lines: true, ..Quotes::of("\"") }],
    // A name is one token. A value without a name, such as `%7`, is two: its number is worth losing, since it changes with
    // every deletion before it.
    sigils: &['%', '@', '!', '#', '$', '^'],
    letters: &['_', '.', '$'],
    operators: &["..."],
    assignments: &[],
    accesses: &[],
    ..Lexis::DEFAULT
};

/// The intermediate representation of LLVM, by tree-sitter-llvm.
pub static LLVM: Grammar = Grammar {
    name: "llvm",
    extensions: &["ll"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "undef", "null", "1"],
    truths: &[("false", "true")],
    consumers: &[],
    refuses: &[Fault::Undefined],
    typing: Typing::None,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[
        ("local_var", "%", ""),
        ("label", "", ":"),
        ("global_var", "@", ""),
        ("metadata_ref", "!", ""),
        ("metadata_name", "!", ""),
        ("attr_ref", "#", ""),
        ("comdat_ref", "$", ""),
    ],
    embedded: &[],
    indivisible: false,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_llvm::LANGUAGE.into(),
    node_types: tree_sitter_llvm::NODE_TYPES,
    samples: &[("everything.ll", include_str!("samples/everything.ll"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
