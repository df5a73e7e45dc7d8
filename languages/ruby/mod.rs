//! Ruby.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{HereDocuments, Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["#"],
    strings: &[
        Quotes { lines: true, ..Quotes::of("\"") },
        Quotes { lines: true, ..Quotes::of("'") },
        Quotes { lines: true, ..Quotes::of("`") },
    ],
    regexes: Some(&[
        "if", "unless", "while", "until", "and", "or", "not", "when", "in", "return", "then", "do", "else",
    ]),
    sigils: &['@', '$', ':'],
    letters: &['_'],
    blanks: &[],
    operators: &[
        "<=>", "===", "...", "..", "=>", "->", "::", "&.", "**", "<<", ">>", "<=", ">=", "==", "!=", "=~",
        "!~", "&&", "||",
    ],
    assignments: &["<<=", ">>=", "**=", "&&=", "||=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="],
    accesses: &[".", "&.", "::"],
    receivers: &[],
    here_documents: Some(HereDocuments { open: "<<", marks: b"-~", blanks: false, inline: false }),
    ..Lexis::DEFAULT
};

/// Ruby, by tree-sitter-ruby.
pub static RUBY: Grammar = Grammar {
    name: "ruby",
    extensions: &["rb", "rake", "gemspec", "podspec", "ru"],
    lexis: &LEXIS,
    // A line end may end a statement.
    layout: Layout::Lines,
    constants: &["0", "nil", "[]", "\"\"", "1"],
    truths: &[("false", "true")],
    consumers: &[("return ", ""), ("if ", "; end")],
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
    grammar: &|| tree_sitter_ruby::LANGUAGE.into(),
    node_types: tree_sitter_ruby::NODE_TYPES,
    samples: &[
        ("everything.rb", include_str!("samples/everything.rb")),
        ("shop.rb", include_str!("samples/shop.rb")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
