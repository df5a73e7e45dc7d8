//! `lopper report`: tells about a run, from its journal.

use super::again::Again;
use super::patterns::{Form, Loaded};
use super::replay::folder_of;
use super::{Exit, reduce};
use crate::error::UserError;
use crate::journal::RunFolder;
use crate::output;
use crate::report::{self, page};
use lopper_passes::Pass;
use lopper_patterns::Names;
use std::path::PathBuf;

/// Writes a page about a run: result, course, and why tokens stay
///
/// The page is one HTML file that needs no network, and no scripts but for its film. The run is repeated with the verdicts
/// in its journal: no test runs, but FILE, TEST and Lopper must be the same as then. A run folder exists during a run, after
/// a run that was stopped, and after a run with --keep-run.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The run folder, the result beside it, or the input
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Write to PATH [default: standard output]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Add the pattern in this file, which lopper generalize --json has written
    ///
    /// The page shows what may vary in the result without losing the failure, and texts that fail.
    #[arg(long, value_name = "FILE.json")]
    pattern: Option<PathBuf>,
    /// A short form in Markdown, for a bug report
    #[arg(long)]
    markdown: bool,
}

/// Writes the page.
pub(super) fn run(arguments: &Arguments, passes: &'static [Pass]) -> Result<Exit, UserError> {
    let folder = folder_of(&arguments.run)?;
    let folder = folder.canonicalize().unwrap_or(folder);
    // The command line of the run belongs to another folder.
    let path =
        arguments.output.as_ref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()));
    let pattern = match &arguments.pattern {
        None => None,
        Some(path) => {
            let Loaded { pattern, parser, .. } = Loaded::read(path, &Form::default())?;
            let names = parser.map_or_else(Names::of_roles, |parser| Names::of_grammar(parser.grammar()));
            Some((pattern, names))
        }
    };
    let Some(past) = RunFolder::look(&folder)? else {
        return Err(UserError::usage(format!("the journal in '{}' is empty", folder.display())));
    };
    let again = Again::of(&past)?;
    let retold = reduce::Retold::new(&again.arguments, past, &folder, passes)?;
    let account = retold.account();
    let text = match (arguments.markdown, &pattern) {
        (true, None) => page::markdown(&account),
        (true, Some((pattern, names))) => {
            page::markdown(&account) + &page::pattern_in_markdown(pattern, names)
        }
        (false, None) => page::html(&account),
        (false, Some((pattern, names))) => page::with_pattern(&page::html(&account), pattern, names),
    };
    match path {
        Some(path) => output::write(&path, text.as_bytes())?,
        None => _ = report::answer(&text)?,
    }
    Ok(Exit::Reduced)
}
