//! `lopper parse`: shows the tree that passes work on.

use super::language::Choice;
use crate::error::{Exit, UserError};
use crate::report;
use lopper_languages::Parsed;
use std::path::PathBuf;

/// Shows the tree of FILE: kinds, bytes, texts, roles
///
/// A line for each node, deeper ones indented: what the grammar calls it, its bytes, the text of a leaf, and
/// what passes are told of it.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file
    file: PathBuf,
    #[command(flatten)]
    language: Choice,
    /// Write a JSON object for each node instead
    #[arg(long)]
    json: bool,
}

/// Shows the tree of a file. Errors in it are told, and are no failure of the command.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let text = super::reduce::read(&arguments.file)?;
    let parser = arguments.language.parser()?;
    let language = match parser {
        Some(parser) => parser,
        None => arguments.language.named(&arguments.file.to_string_lossy())?,
    };
    let file = Parsed::new(language, text);
    report::answer(&if arguments.json { report::tree_as_json(&file) } else { report::tree(&file) })?;
    if file.syntax.errors > 0 {
        report::remark(&format!("bytes that the grammar does not accept: {}", file.syntax.errors));
    }
    if let Some(trees) = parser.map(|parser| parser.trees(&file.text)).filter(|&trees| trees > 1) {
        report::remark(&format!("the grammar has {trees} trees for it; this is the first"));
    }
    Ok(Exit::Reduced)
}
