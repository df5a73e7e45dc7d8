//! Lua.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["--"],
    block_comments: &[("--[[", "]]")],
    strings: &[
        Quotes { close: "]]", escapes: false, lines: true, ..Quotes::of("[[") },
        Quotes::of("\""),
        Quotes::of("'"),
    ],
    letters: &['_'],
    blanks: &[],
    operators: &["...", "..", "<<", ">>", "//", "::", "<=", ">=", "==", "~="],
    assignments: &[],
    accesses: &[".", ":"],
    receivers: &["self"],
    ..Lexis::DEFAULT
};

/// Lua, by tree-sitter-lua.
pub static LUA: Grammar = Grammar {
    name: "lua",
    extensions: &["lua", "rockspec"],
    lexis: &LEXIS,
    layout: Layout::Free,
    constants: &["0", "nil", "{}", "\"\""],
    truths: &[("false", "true")],
    consumers: &[("return ", ""), ("if ", " then end")],
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
    grammar: &|| tree_sitter_lua::LANGUAGE.into(),
    node_types: tree_sitter_lua::NODE_TYPES,
    samples: &[
        ("everything.lua", include_str!("samples/everything.lua")),
        ("shop.lua", include_str!("samples/shop.lua")),
    ],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
