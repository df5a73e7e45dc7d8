//! JavaScript.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

/// The lexical rules of JavaScript and TypeScript.
pub(crate) static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    strings: &[Quotes { lines: true, ..Quotes::of("`") }, Quotes::of("\""), Quotes::of("'")],
    regexes: Some(&[
        "return",
        "typeof",
        "case",
        "in",
        "of",
        "delete",
        "void",
        "throw",
        "new",
        "else",
        "do",
        "instanceof",
        "yield",
        "await",
    ]),
    sigils: &['#'],
    blanks: &['\u{a0}', '\u{feff}', '\u{2028}', '\u{2029}'],
    operators: &[
        "...", "=>", "===", "!==", ">>>", "++", "--", "<<", ">>", "**", "<=", ">=", "==", "!=", "&&", "||",
        "??", "?.",
    ],
    assignments: &[
        ">>>=", "<<=", ">>=", "**=", "&&=", "||=", "??=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=",
    ],
    accesses: &[".", "?."],
    receivers: &["this"],
    indentation: 2,
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// JavaScript with JSX, by tree-sitter-javascript.
pub static JAVASCRIPT: Grammar = Grammar {
    name: "javascript",
    extensions: &["js", "mjs", "cjs", "jsx", "es6"],
    lexis: &LEXIS,
    // A line end may end a statement.
    layout: Layout::Lines,
    constants: &["0", "\"\"", "{}", "[]", "null", "1"],
    truths: &[("0", "1"), ("false", "true")],
    consumers: &[("return ", ""), ("if (", ")")],
    refuses: &[],
    typing: Typing::None,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Specifiers,
    containers: &[],
    grammar: &|| tree_sitter_javascript::LANGUAGE.into(),
    node_types: tree_sitter_javascript::NODE_TYPES,
    samples: &[
        ("everything.js", include_str!("samples/everything.js")),
        ("shop.js", include_str!("samples/shop.js")),
    ],
    roles: concat!(include_str!("shared_roles.scm"), include_str!("roles.scm")),
    bindings: concat!(include_str!("shared_bindings.scm"), include_str!("bindings.scm")),
    semantics: None,
    compiled: OnceLock::new(),
};
