//! SMT-LIB: the scripts that solvers of satisfiability modulo theories read.

use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use crate::{Fault, Typing};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &[";"],
    strings: &[
        Quotes { lines: true, escapes: false, ..Quotes::of("\"") },
        Quotes { lines: true, escapes: false, ..Quotes::of("|") },
    ],
    // The `#` of `#b01` and the `:` of `:named` begin words.
    letters: &['~', '!', '@', '$', '%', '^', '&', '*', '_', '-', '+', '=', '<', '>', '.', '?', '/', '#', ':'],
    blanks: &[],
    operators: &[],
    assignments: &[],
    accesses: &[],
    indentation: 2,
    is_of_lists: true,
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// SMT-LIB, whose symbolic expressions tree-sitter-scheme reads.
pub static SMTLIB: Grammar = Grammar {
    name: "smtlib",
    extensions: &["smt2", "smt", "smtlib", "sy", "sygus"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["true", "0"],
    truths: &[("false", "true")],
    consumers: &[],
    refuses: &[Fault::Undefined],
    typing: Typing::None,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_scheme::LANGUAGE.into(),
    node_types: tree_sitter_scheme::NODE_TYPES,
    samples: &[("everything.smt2", include_str!("samples/everything.smt2"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
