//! `lopper parse`: prints the tree that passes see.

use super::Exit;
use super::language::Choice;
use crate::error::UserError;
use crate::report;
use lopper_languages::Parsed;
use lopper_languages::grammar::Trees;
use std::path::PathBuf;

/// Shows the tree of FILE: kinds, byte ranges, texts, roles
///
/// Prints a line for each node, indented by its depth: its kind in the grammar, its byte range, its text if it
/// is a leaf, and its roles. A newline at the end of FILE is not an error, even if the grammar has none there.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 the grammar accepts FILE, 1 a bug in Lopper, 2 usage or files, 5 the grammar does \
                        not accept all of FILE (its tree is printed nevertheless)."
)]
pub(super) struct Arguments {
    /// The file to parse
    file: PathBuf,
    #[command(flatten)]
    language: Choice,
    /// Print each node as a JSON object
    #[arg(long)]
    json: bool,
    /// Print nothing; the exit code says whether the grammar accepts FILE
    #[arg(long, conflicts_with = "json")]
    check: bool,
    /// Print the query that gives the nodes their roles in place of the tree: what --roles takes
    #[arg(long, conflicts_with_all = ["json", "check"])]
    print_roles: bool,
    /// Print the query that says where names are defined and used in place of the tree: what --bindings takes
    #[arg(long, conflicts_with_all = ["json", "check", "print_roles"])]
    print_bindings: bool,
}

/// Prints the tree of a file, or only checks it. The exit code also reports errors in the file.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let text = super::given::read(&arguments.file)?;
    let parser = arguments.language.parser()?;
    let language = match parser {
        Some(parser) => parser,
        None => arguments.language.language(&arguments.file.to_string_lossy(), &text)?,
    };
    if arguments.print_roles {
        report::answer(language.roles())?;
        return Ok(Exit::Reduced);
    }
    if arguments.print_bindings {
        report::answer(language.bindings_query())?;
        return Ok(Exit::Reduced);
    }
    if let Some(parser) = parser.filter(|_| arguments.check) {
        return Ok(if parser.errors(&text) == 0 { Exit::Reduced } else { Exit::Rejected });
    }
    let file = Parsed::new(language, text);
    let end = if file.syntax().errors == 0 { Exit::Reduced } else { Exit::Rejected };
    if arguments.check {
        return Ok(end);
    }
    report::answer(&if arguments.json { report::tree_as_json(&file) } else { report::tree(&file) })?;
    if file.syntax().errors > 0 {
        report::remark(&format!("bytes that the grammar does not accept: {}", file.syntax().errors));
    }
    match parser.map(|parser| parser.trees(&file.text)) {
        None | Some(Trees::Exactly(0 | 1)) => {}
        Some(trees) => report::remark(&format!("the grammar has {trees} trees for it; this is the first")),
    }
    Ok(end)
}
