//! Java.

use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use crate::{Fault, Typing};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    strings: &[Quotes { lines: true, ..Quotes::of("\"\"\"") }, Quotes::of("\""), Quotes::of("'")],
    blanks: &[],
    operators: &["...", "->", "::", ">>>", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"],
    assignments: &[">>>=", "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="],
    accesses: &[".", "::"],
    common_types: &["Object", "String"],
    receivers: &["this"],
    has_spaced_colons: true,
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// Java, by tree-sitter-java.
pub static JAVA: Grammar = Grammar {
    name: "java",
    extensions: &["java"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "null", "\"\"", "false", "1"],
    truths: &[("false", "true")],
    consumers: &[("return ", ""), ("if (", ")")],
    refuses: &[Fault::Undefined],
    typing: Typing::Before,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_java::LANGUAGE.into(),
    node_types: tree_sitter_java::NODE_TYPES,
    samples: &[
        ("everything.java", include_str!("samples/everything.java")),
        ("shop.java", include_str!("samples/shop.java")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
