//! `lopper replay`: what a run committed, from its journal.

use super::Exit;
use crate::error::UserError;
use crate::journal::{Past, RunFolder, held_by};
use crate::report;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Shows what a run committed: number, size, runs of the test so far, and the pass
///
/// A run folder is there while a run goes on, after one that was interrupted, and after one that was
/// told to --keep-run.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The run folder, or the result that it lies beside
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

/// The run folder that the user means.
pub(super) fn folder_of(run: &Path) -> Result<PathBuf, UserError> {
    let behind_links = run.canonicalize().map(|output| held_by(&output));
    let mut folders = [run.to_owned(), held_by(run)].into_iter().chain(behind_links);
    let folder = folders.find(|path| RunFolder::is_at(path));
    folder.ok_or_else(|| {
        UserError::usage(format!(
            "there is no journal in '{}' or '{}'",
            run.display(),
            held_by(run).display()
        ))
        .fact("a run that finds nothing more removes its folder")
        .help("lopper reduce --keep-run keeps it")
    })
}

/// Prints the list.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let folder = folder_of(&arguments.run)?;
    let past = RunFolder::look(&folder)?;
    report::answer(&past.map_or_else(String::new, |past| table(&past)))?;
    Ok(Exit::Reduced)
}

fn table(past: &Past) -> String {
    let mut text = format!("{:>6} {:>9} {:>9} {:>7}  pass\n", "commit", "tokens", "bytes", "runs");
    for (number, commit) in (1..).zip(&past.commits) {
        let pass = commit.pass.as_deref().unwrap_or("back to an earlier one");
        let _ =
            writeln!(text, "{number:>6} {:>9} {:>9} {:>7}  {pass}", commit.tokens, commit.bytes, commit.runs);
    }
    let state = if past.finished { "finished" } else { "not finished" };
    let _ = writeln!(text, "{} verdicts, {state}", past.verdicts.len());
    text
}
