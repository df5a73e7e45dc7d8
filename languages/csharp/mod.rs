//! C#.

use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use crate::{Fault, Typing};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    strings: &[
        Quotes { lines: true, ..Quotes::of("\"\"\"") },
        Quotes { close: "\"", escapes: false, lines: true, ..Quotes::of("@\"") },
        Quotes::of("\""),
        Quotes::of("'"),
    ],
    sigils: &['@'],
    letters: &['_'],
    blanks: &[],
    operators: &["=>", "->", "::", "..", "??", "?.", "++", "--", "<<", "<=", ">=", "==", "!=", "&&", "||"],
    assignments: &["<<=", ">>=", "??=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="],
    accesses: &[".", "?.", "::", "->"],
    common_types: &["object", "string"],
    receivers: &["this"],
    is_laid_out: true,
    ..Lexis::DEFAULT
};

/// C#, by tree-sitter-c-sharp.
pub static CSHARP: Grammar = Grammar {
    name: "csharp",
    extensions: &["cs", "csx"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "null", "default", "\"\"", "1"],
    truths: &[("false", "true")],
    consumers: &[("return ", ""), ("if (", ")")],
    refuses: &[Fault::Undefined],
    typing: Typing::Before,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: true,
    naming: Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_c_sharp::LANGUAGE.into(),
    node_types: tree_sitter_c_sharp::NODE_TYPES,
    samples: &[
        ("everything.cs", include_str!("samples/everything.cs")),
        ("shop.cs", include_str!("samples/shop.cs")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
