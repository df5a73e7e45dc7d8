//! `lopper replay`: lists the commits of a run from its journal.

use super::Exit;
use crate::error::UserError;
use crate::journal::{Past, RunFolder, held_by};
use crate::report;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Lists the commits of a run: number, size, runs of the test so far, and pass
///
/// A run folder exists during a run, after a run that was stopped, and after a run with --keep-run.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The run folder, or the result beside it
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
        .fact("a run that is complete removes its folder")
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
        let pass = commit.pass.as_deref().unwrap_or("return to an earlier program");
        let _ =
            writeln!(text, "{number:>6} {:>9} {:>9} {:>7}  {pass}", commit.tokens, commit.bytes, commit.runs);
    }
    let state = if past.finished { "finished" } else { "not finished" };
    let _ = writeln!(text, "{} verdicts, {state}", past.verdicts.len());
    text
}
