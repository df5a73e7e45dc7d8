//! `lopper replay`: lists the commits of a run from its journal, or from its events.

use super::Exit;
use super::reduce;
use crate::error::UserError;
use crate::journal::{Commit, RunFolder, held_by};
use crate::report::{
    self,
    events::{self, Line, News},
};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Lists the commits of a run: number, size, runs so far, and pass
///
/// A run folder exists during a run, after a run that was stopped, and after a run with --keep-run. RUN may also be the
/// file of --events.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The run folder, the result beside it, the input, or a file of events
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

/// The run folder that the user means.
pub(super) fn folder_of(run: &Path) -> Result<PathBuf, UserError> {
    let behind_links = run.canonicalize().map(|output| held_by(&output));
    let of_input = || reduce::last_output(run).map(|output| held_by(&output));
    let folders = [run.to_owned(), held_by(run)].into_iter().chain(behind_links);
    let mut folders = folders.chain(std::iter::once_with(of_input).flatten());
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
    let text = fs::read_to_string(&arguments.run).unwrap_or_default();
    let table = match events::read(&text) {
        Some((_, lines)) => table_of_events(&lines),
        None => RunFolder::look(&folder_of(&arguments.run)?)?.map_or_else(String::new, |past| {
            table(past.commits.iter().zip(1..), past.verdicts.len(), past.finished)
        }),
    };
    report::answer(&table)?;
    Ok(Exit::Reduced)
}

/// The table of a run, from its events.
fn table_of_events(lines: &[Line]) -> String {
    let commits = lines.iter().filter_map(|line| match &line.news {
        News::Commit { number, commit } => Some((commit, *number)),
        _ => None,
    });
    let verdicts = lines.iter().filter(|line| matches!(line.news, News::Verdict(_))).count();
    let finished = matches!(lines.last(), Some(Line { news: News::End(end), .. }) if end.finished);
    table(commits, verdicts, finished)
}

/// The table of commits with their numbers.
fn table<'a>(commits: impl Iterator<Item = (&'a Commit, usize)>, verdicts: usize, finished: bool) -> String {
    let mut text = format!("{:>6} {:>9} {:>9} {:>7}  pass\n", "commit", "tokens", "bytes", "runs");
    for (commit, number) in commits {
        let pass = commit.pass.as_deref().unwrap_or("return to an earlier program");
        let _ =
            writeln!(text, "{number:>6} {:>9} {:>9} {:>7}  {pass}", commit.tokens, commit.bytes, commit.runs);
    }
    let state = if finished { "finished" } else { "not finished" };
    let _ = writeln!(text, "{verdicts} verdicts, {state}");
    text
}
