//! C++.

mod hidden;

use crate::c;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::{Container, Grammar};
use crate::{Fault, Typing};
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    strings: &[
        Quotes { close: ")\"", prefixes: RAW, bare: false, escapes: false, lines: true, ..Quotes::of("\"(") },
        Quotes { prefixes: c::PREFIXES, ..Quotes::of("\"") },
        Quotes { prefixes: c::PREFIXES, ..Quotes::of("'") },
    ],
    separators: b"'",
    accesses: &[".", "->", "::"],
    operators: &[
        "...", "->*", "<=>", "->", ".*", "::", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
        "##",
    ],
    ..c::LEXIS
};

/// The prefixes of raw strings.
const RAW: &[&str] = &["R", "LR", "uR", "UR", "u8R"];

/// C++, by tree-sitter-cpp.
pub static CPP: Grammar = Grammar {
    name: "cpp",
    // CUDA, the shaders of Metal, and the sketches of Arduino are C++ with few words more.
    extensions: &[
        "cpp", "cc", "cxx", "c++", "ii", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "tcc", "txx", "inl",
        "cppm", "ixx", "cu", "cuh", "metal", "ino",
    ],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "{}", "1"],
    truths: &[("false", "true"), ("0", "1")],
    consumers: &[("return ", ""), ("if (", ")")],
    refuses: &[Fault::Undefined],
    typing: Typing::Before,
    implied: None,
    hidden: Some(hidden::hidden),
    masks: &[c::masks::QUALIFIERS, c::masks::CONDITIONS],
    marked: &[],
    embedded: c::MACROS,
    indivisible: false,
    naming: Naming::Includes,
    containers: &[
        Container { kind: "declaration_list", around: ("", "") },
        Container { kind: "field_declaration_list", around: ("struct s { ", " };") },
        Container { kind: "compound_statement", around: ("void f() { ", " }") },
    ],
    grammar: &|| tree_sitter_cpp::LANGUAGE.into(),
    node_types: tree_sitter_cpp::NODE_TYPES,
    samples: &[
        ("everything.cpp", include_str!("samples/everything.cpp")),
        ("templates.ii", include_str!("samples/templates.ii")),
    ],
    roles: concat!(include_str!("../c/shared_roles.scm"), include_str!("roles.scm")),
    bindings: concat!(include_str!("../c/shared_bindings.scm"), include_str!("bindings.scm")),
    semantics: None,
    compiled: OnceLock::new(),
};
