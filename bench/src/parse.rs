//! `lopper-bench parse`: the time for parsing a file, from scratch and after an edit.

use crate::grow::thread_time;
use crate::say;
use crate::table::Table;
use lopper::error::UserError;
use lopper::languages::edit::{Candidate, Edit};
use lopper::languages::grammar::{Grammar, Parser};
use lopper::languages::{self, Language, Parsed};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Parses files many times
///
/// Prints the time for building a file's tree, and for checking a candidate that lacks one token, at five
/// places of the file. Each figure is the median of all repetitions.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Use this grammar [default: the language of the file's name]
    #[arg(long)]
    grammar: Option<PathBuf>,
    /// The number of repetitions
    #[arg(long, default_value_t = 11)]
    repeat: usize,
}

fn read(path: &Path) -> Result<Vec<u8>, UserError> {
    std::fs::read(path)
        .map_err(|e| UserError::usage(format!("'{}' cannot be read", path.display())).fact(e.to_string()))
}

fn grammar(path: &Path) -> Result<&'static dyn Language, UserError> {
    let json = String::from_utf8_lossy(&read(path)?).into_owned();
    let grammar = Grammar::read(&json).map_err(|problems| {
        let error = UserError::usage(format!("the grammar '{}' cannot be used", path.display()));
        problems.iter().fold(error, |error, problem| error.fact(problem.to_string()))
    })?;
    Ok(Parser::new(grammar).leak())
}

/// The median processor time of `work` in milliseconds, which depends less on the load of the machine than
/// the time that passes.
fn median(repeat: usize, mut work: impl FnMut(usize)) -> f64 {
    let mut times: Vec<f64> = (0..repeat.max(1))
        .map(|i| {
            let start = thread_time();
            work(i);
            thread_time().saturating_sub(start).as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, or if the grammar cannot be used.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, UserError> {
    let chosen = arguments.grammar.as_deref().map(grammar).transpose()?;
    let head = ["file", "bytes", "nodes", "errors", "tree (ms)", "candidate (ms)"];
    let note = "Tree: from bytes to a tree with roles. Candidate: whether the grammar accepts it \
                with a token less. Processor time.";
    let mut table = Table::new("Reading files", note, head);
    for path in &arguments.files {
        let text = read(path)?;
        let language = chosen.unwrap_or_else(|| languages::detect(&path.to_string_lossy()));
        let base = Parsed::new(language, text.clone());
        let tree = median(arguments.repeat, |_| {
            std::hint::black_box(language.parse(&text));
        });
        // The tree is computed when it is first asked for.
        let (tokens, _) = (base.tokens(), base.syntax());
        let candidate = median(5 * arguments.repeat, |i| {
            let Some(token) = tokens.get(tokens.len() * (i % 5) / 5) else { return };
            let edits = vec![Edit::delete(0, token.range())];
            let Ok(candidate) = Candidate::merge(edits) else { return };
            std::hint::black_box(language.reparse(&base, candidate.edits()));
        });
        table.row([
            path.display().to_string(),
            text.len().to_string(),
            base.tree().len().to_string(),
            base.syntax().errors.to_string(),
            format!("{tree:.2}"),
            format!("{candidate:.2}"),
        ]);
    }
    say::answer(&table.markdown());
    Ok(ExitCode::SUCCESS)
}
