//! `lopper parse`: shows the tree that passes work on.

use super::Exit;
use super::language::Choice;
use crate::error::UserError;
use crate::report;
use lopper_languages::Parsed;
use lopper_languages::grammar::Trees;
use std::path::PathBuf;

/// Shows the tree of FILE: kinds, bytes, texts, roles
///
/// A line for each node, deeper ones indented: what the grammar calls it, its bytes, the text of a leaf, and
/// what passes are told of it. A line end at the end of FILE is no error even if the grammar does not know it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 the grammar accepts FILE, 1 a bug in Lopper, 2 usage or files, 5 the grammar does \
                        not accept all of FILE (the tree is shown all the same)."
)]
pub(super) struct Arguments {
    /// The file
    file: PathBuf,
    #[command(flatten)]
    language: Choice,
    /// Write a JSON object for each node instead
    #[arg(long)]
    json: bool,
    /// Only say by the exit code whether the grammar accepts FILE
    #[arg(long, conflicts_with = "json")]
    check: bool,
}

/// Shows the tree of a file, or only checks it. Errors in it are told by the exit code, too.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let text = super::reduce::read(&arguments.file)?;
    let parser = arguments.language.parser()?;
    let language = match parser {
        Some(parser) => parser,
        None => arguments.language.named(&arguments.file.to_string_lossy())?,
    };
    if let Some(parser) = parser.filter(|_| arguments.check) {
        return Ok(if parser.errors(&text) == 0 { Exit::Reduced } else { Exit::Rejected });
    }
    let file = Parsed::new(language, text);
    let end = if file.syntax.errors == 0 { Exit::Reduced } else { Exit::Rejected };
    if arguments.check {
        return Ok(end);
    }
    report::answer(&if arguments.json { report::tree_as_json(&file) } else { report::tree(&file) })?;
    if file.syntax.errors > 0 {
        report::remark(&format!("bytes that the grammar does not accept: {}", file.syntax.errors));
    }
    match parser.map(|parser| parser.trees(&file.text)) {
        None | Some(Trees::Exactly(0 | 1)) => {}
        Some(trees) => report::remark(&format!("the grammar has {trees} trees for it; this is the first")),
    }
    Ok(end)
}
