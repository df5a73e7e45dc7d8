//! C.

mod code;
mod implied;
pub(crate) mod masks;
pub(crate) mod named_constants;
pub(crate) mod semantics;

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Directives, Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::{Embedded, Grammar, Implied};
use std::sync::OnceLock;

/// The prefixes of strings and characters.
pub(crate) const PREFIXES: &[&str] = &["L", "u", "U", "u8"];

/// The lexical rules of C.
pub(crate) static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    strings: &[
        Quotes { prefixes: PREFIXES, ..Quotes::of("\"") },
        Quotes { prefixes: PREFIXES, ..Quotes::of("'") },
    ],
    blanks: &[],
    operators: &["...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "##"],
    assignments: &["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="],
    directives: Some(Directives { mark: "#", opens: &["if", "ifdef", "ifndef"], closes: &["endif"] }),
    indentation: 2,
    has_spaced_colons: true,
    is_laid_out: true,
    ..Lexis::DEFAULT
};

pub(crate) const ROLES: &str = concat!(include_str!("shared_roles.scm"), include_str!("roles.scm"));

/// What a macro stands for is an expression, statements, declarations, or a type.
pub(crate) const MACROS: &[Embedded] = &[Embedded {
    kind: "preproc_arg",
    parents: &["preproc_def", "preproc_function_def"],
    around: &[("int v=", "\n;"), ("int f(){", "\n;}"), ("", "\n"), ("", "\n;"), ("", "\nv;")],
}];

/// C, by tree-sitter-c.
pub static C: Grammar = Grammar {
    name: "c",
    // OpenCL, and the shader languages, are close enough to C.
    extensions: &[
        "c", "h", "i", "cl", "glsl", "vert", "tesc", "tese", "geom", "frag", "comp", "mesh", "task", "rgen",
        "rint", "rahit", "rchit", "rmiss", "rcall", "hlsl", "hlsli",
    ],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "{0}", "1"],
    truths: &[("0", "1"), ("0", "1.0f")],
    consumers: &[("return ", ""), ("if (", ")")],
    // Old compilers take undefined functions, and sweeps that foresee undefined names ended in larger results where compilers are strict.
    refuses: &[],
    typing: Typing::Before,
    implied: Some(Implied { word: "int ", places: implied::implied }),
    hidden: Some(named_constants::of_c),
    masks: &[masks::QUALIFIERS, masks::FOREIGN, masks::CONDITIONS],
    marked: &[],
    embedded: MACROS,
    indivisible: false,
    naming: Naming::Includes,
    containers: &[],
    grammar: &|| tree_sitter_c::LANGUAGE.into(),
    node_types: tree_sitter_c::NODE_TYPES,
    samples: &[
        ("everything.c", include_str!("samples/everything.c")),
        ("preprocessed.i", include_str!("samples/preprocessed.i")),
    ],
    roles: ROLES,
    bindings: concat!(include_str!("shared_bindings.scm"), include_str!("bindings.scm")),
    semantics: Some(semantics::errors),
    compiled: OnceLock::new(),
};
