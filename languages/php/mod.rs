//! PHP.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{HereDocuments, Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["//", "#"],
    block_comments: &[("/*", "*/")],
    strings: &[Quotes { lines: true, ..Quotes::of("\"") }, Quotes { lines: true, ..Quotes::of("'") }],
    sigils: &['$'],
    letters: &['_'],
    blanks: &[],
    operators: &[
        "<?php", "<<<", "<=>", "===", "!==", "...", "?->", "->", "=>", "::", "++", "--", "**", "<<", ">>",
        "<=", ">=", "==", "!=", "<>", "&&", "||", "??", "?>", "<?",
    ],
    assignments: &["<<=", ">>=", "**=", "??=", "+=", "-=", "*=", "/=", "%=", ".=", "&=", "^=", "|="],
    accesses: &["->", "?->", "::"],
    receivers: &["$this"],
    here_documents: Some(HereDocuments { open: "<<<", marks: b"", blanks: true, inline: true }),
    ..Lexis::DEFAULT
};

/// PHP, by tree-sitter-php.
pub static PHP: Grammar = Grammar {
    name: "php",
    extensions: &["php", "phtml", "phpt"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "null", "[]", "\"\"", "1"],
    truths: &[("false", "true"), ("0", "1")],
    consumers: &[("return ", ""), ("if (", ")")],
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
    grammar: &|| tree_sitter_php::LANGUAGE_PHP.into(),
    node_types: tree_sitter_php::PHP_NODE_TYPES,
    samples: &[
        ("everything.php", include_str!("samples/everything.php")),
        ("shop.php", include_str!("samples/shop.php")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
