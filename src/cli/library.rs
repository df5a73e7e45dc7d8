//! The options for a tree-sitter grammar that is loaded at run time.

use super::loading::{load, unusable};
use super::rehearsal::rehearse;
use crate::error::UserError;
use lopper_languages::Language;
use lopper_languages::sitter::Unloaded;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// The options for a tree-sitter grammar that is loaded at run time.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Library {
    /// Parse FILE with this tree-sitter grammar: a shared library, or a folder with src/parser.c
    ///
    /// SYMBOL is the library's function, by default tree_sitter_NAME for libtree-sitter-NAME.so or NAME.so. A folder is
    /// compiled with the C compiler, once. The roles of nodes are guessed from node-types.json and grammar.json beside
    /// the grammar.
    #[arg(long, hide_short_help = true, value_name = "PATH[:SYMBOL]", conflicts_with_all = ["language", "grammar"])]
    grammar_lib: Option<String>,
    /// The roles of the grammar's nodes, in place of a guess; `lopper parse --print-roles` prints the guess
    #[arg(long, hide_short_help = true, value_name = "FILE.scm", requires = "grammar_lib")]
    roles: Option<PathBuf>,
    /// Where names are defined and used, in place of a guess; `lopper parse --print-bindings` prints the guess
    #[arg(long, hide_short_help = true, value_name = "FILE.scm", requires = "grammar_lib")]
    bindings: Option<PathBuf>,
}

impl Library {
    /// Whether the user named a grammar to be loaded.
    pub(super) fn is_given(&self) -> bool {
        self.grammar_lib.is_some()
    }

    /// The language of the grammar, and the key of all that it is made of, if the user named one. It is first tried on
    /// `text` in another process.
    ///
    /// # Errors
    /// If the grammar cannot be loaded, crashes or hangs, or if there is a fault in the roles.
    pub(super) fn language(&self, text: &[u8]) -> Result<Option<(&'static dyn Language, u128)>, UserError> {
        let Some(given) = &self.grammar_lib else { return Ok(None) };
        rehearse(given, text)?;
        let (mut loaded, mut content) = load(given)?;
        for (path, query) in [(&self.roles, &mut loaded.roles), (&self.bindings, &mut loaded.bindings)] {
            let Some(path) = path else { continue };
            let text = read(path)?;
            content.extend_from_slice(text.as_bytes());
            *query = Some(text);
        }
        let language = loaded.into_language().map_err(|fault| {
            let of = |what, path: &PathBuf| format!("the {what} in '{}' cannot be used", path.display());
            match (&fault, &self.roles, &self.bindings) {
                (Unloaded::Roles(_), Some(path), _) => UserError::usage(of("roles", path)),
                (Unloaded::Bindings(_), _, Some(path)) => UserError::usage(of("bindings", path)),
                _ => unusable(given),
            }
            .fact(fault.to_string())
        })?;
        Ok(Some((language, xxh3_128(&content))))
    }
}

fn read(path: &Path) -> Result<String, UserError> {
    fs::read_to_string(path).map_err(|e| super::given::unreadable(path, &e))
}
