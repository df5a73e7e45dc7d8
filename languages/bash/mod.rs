//! Bash and other shells.

use crate::Typing;
use crate::layout::Layout;
use crate::lexis::{HereDocuments, Lexis, Quotes};
use crate::references::Naming;
use crate::sitter::Grammar;
use std::sync::OnceLock;

static LEXIS: Lexis = Lexis {
    line_comments: &["#"],
    separate_comments: true,
    strings: &[
        Quotes { lines: true, ..Quotes::of("\"") },
        Quotes { lines: true, escapes: false, ..Quotes::of("'") },
    ],
    sigils: &['$'],
    letters: &['_'],
    blanks: &[],
    operators: &[
        "<<<", "<<-", ";;&", "&>>", "$((", "))", "$(", "${", "[[", "]]", ";;", "&&", "||", ">>", "<<", "&>",
        ">&", "<&", "==", "!=", "=~",
    ],
    assignments: &["+=", "-=", "*=", "/="],
    accesses: &[],
    receivers: &[],
    here_documents: Some(HereDocuments { open: "<<", marks: b"-", blanks: true, inline: false }),
    ..Lexis::DEFAULT
};

/// Bash and other shells, by tree-sitter-bash.
pub static BASH: Grammar = Grammar {
    name: "bash",
    extensions: &["sh", "bash", "ksh", "bats"],
    lexis: &LEXIS,
    // A line end ends a command.
    layout: Layout::Lines,
    constants: &["0", "\"\"", "1"],
    truths: &[("false", "true")],
    consumers: &[],
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
    grammar: &|| tree_sitter_bash::LANGUAGE.into(),
    node_types: tree_sitter_bash::NODE_TYPES,
    samples: &[("everything.sh", include_str!("samples/everything.sh"))],
    roles: include_str!("roles.scm"),
    bindings: include_str!("bindings.scm"),
    semantics: None,
    compiled: OnceLock::new(),
};
