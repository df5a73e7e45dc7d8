//! Scheme, Racket, Common Lisp and Emacs Lisp.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &[";"],
    block_comments: &[("#|", "|#")],
    nested_comments: true,
    strings: &[
        Quotes { lines: true, ..Quotes::of("\"") },
        Quotes { lines: true, escapes: false, ..Quotes::of("|") },
    ],
    letters: &[
        '!', '$', '%', '&', '*', '+', '-', '.', '/', ':', '<', '=', '>', '?', '@', '^', '_', '~', '#', '\\',
    ],
    blanks: &[],
    operators: &[",@"],
    assignments: &[],
    accesses: &[],
    indentation: 2,
    is_of_lists: true,
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// Scheme, Racket, Common Lisp and Emacs Lisp, by tree-sitter-scheme.
pub static SCHEME: Grammar = Grammar {
    name: "scheme",
    extensions: &["scm", "ss", "sld", "sls", "sps", "rkt", "rktl", "lisp", "lsp", "asd", "el", "stk", "sch"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "()"],
    truths: &[("#f", "#t")],
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
    grammar: &|| tree_sitter_scheme::LANGUAGE.into(),
    node_types: tree_sitter_scheme::NODE_TYPES,
    samples: &[("everything.scm", include_str!("samples/everything.scm"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
