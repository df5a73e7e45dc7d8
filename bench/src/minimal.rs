//! `lopper-bench minimal`: finds the single tokens and nodes that can still be deleted from a result.

use crate::corpus::{base_of, contents};
use crate::{oracle, say};
use lopper::cli::Exit;
use lopper::error::UserError;
use lopper::languages::edit::{Candidate, Edit};
use lopper::languages::measure::Measure;
use lopper::languages::tree::NodeId;
use lopper::oracle::command::TestCommand;
use lopper::oracle::contents::contents_of;
use lopper::oracle::{Contents, Test, Verdict};
use lopper::passes::{Base, Group, Unit};
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Lists the single tokens and single tree nodes that can still be deleted from FILE
///
/// Works on the result of any reducer, a file or a folder. The exit code is 0 if nothing can be deleted (FILE is
/// 1-minimal), otherwise 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The file, or the folder
    file: PathBuf,
    /// Its test, as for `lopper reduce`
    test: PathBuf,
    /// The language of all files [default: by their names]
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// The number of parallel tests
    #[arg(short, long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// The time limit of one run of the test, in seconds [default: 10 times the first run, at least 5]
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
}

/// A possible deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deletion {
    /// The file.
    pub(crate) path: Arc<Path>,
    /// The line number, from 1.
    pub(crate) line: usize,
    /// `token`, or the kind of the node.
    pub(crate) what: String,
    /// The deleted text, shortened.
    pub(crate) text: String,
    /// The files after the deletion.
    pub(crate) rest: Contents,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read, or if the test does not accept it.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, UserError> {
    let Arguments { file, test, .. } = arguments;
    let original = contents(file)?;
    let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let base = base_of(&original, arguments.language.as_deref())?;
    let timeout = arguments.timeout.map(Duration::try_from_secs_f64).transpose();
    let timeout = timeout.map_err(|e| UserError::usage("--timeout makes no sense").fact(e.to_string()))?;
    let interrupt = oracle::catch_signals()?;
    let jobs = usize::from(arguments.jobs);
    let command = TestCommand::program(test)?;
    let test = oracle::checked(command, &name, &original, jobs, timeout, &interrupt)?;

    let all = deletions(&base);
    let found = accepted(&all, &test, jobs)?;
    for Deletion { path, line, what, text, .. } in &found {
        let within = if file.is_dir() { format!("{}: ", path.display()) } else { String::new() };
        say::answer(&format!("{within}line {line}: {what} {text}\n"));
    }
    let runs = all.len();
    let minimal = found.is_empty();
    say::remark(&if minimal {
        format!("1-minimal: none of {runs} single deletions is accepted")
    } else {
        format!("not 1-minimal: {} of {runs} single deletions are accepted", found.len())
    });
    Ok(if minimal { ExitCode::SUCCESS } else { Exit::Internal.into() })
}

/// All candidates that lack a single token or a single node and are below the original; each text once. A
/// node is deleted as passes delete it, with its separator and its line, and also by itself.
pub(crate) fn deletions(base: &Base) -> Vec<Deletion> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for (id, file) in base.files() {
        let before = file.measure();
        let mut add = |what: &str, range: Range<usize>, candidate: Option<Candidate>| {
            let Some(candidate) = candidate else { return };
            let rest = candidate.apply(id, &file.text);
            let measure = Measure::of(&rest, file.language.lexis());
            if measure.is_below(&rest, &before, &file.text) && seen.insert((id, rest.clone())) {
                let line = 1 + file.text[..range.start].iter().filter(|&&c| c == b'\n').count();
                let text = shortened(&file.text[range]);
                let mut contents = contents_of(base);
                contents[id as usize] = contents[id as usize].with(rest);
                let path = Arc::clone(&file.path);
                found.push(Deletion { path, line, what: what.to_owned(), text, rest: contents });
            }
        };
        let cut = |range: Range<usize>| {
            let candidate = Candidate::merge(vec![Edit::delete(id, range)]).ok();
            candidate.map(|c| file.spaced(id, c))
        };
        for token in file.tokens() {
            add("token", token.range(), cut(token.range()));
        }
        let tree = file.tree();
        for node in tree.nodes().filter(|&n| n != NodeId::ROOT && !tree.range(n).is_empty()) {
            let group = Group::deletions(vec![Unit::Drop { file: id, node }]);
            add(tree.kind_name(node), tree.range(node), group.render(base, &[0]).ok());
            add(tree.kind_name(node), tree.range(node), cut(tree.range(node)));
        }
    }
    found
}

/// The deletions that the test accepts, in order; `jobs` tests run in parallel.
///
/// # Errors
///
/// If the test cannot be run.
pub(crate) fn accepted(all: &[Deletion], test: &dyn Test, jobs: usize) -> Result<Vec<Deletion>, UserError> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Result<Vec<usize>, UserError>> = Mutex::new(Ok(Vec::new()));
    std::thread::scope(|scope| {
        for worker in 0..jobs {
            let (next, found) = (&next, &found);
            scope.spawn(move || {
                while let Some((index, deletion)) = pick(all, next) {
                    let verdict = test.run(worker, &deletion.rest);
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    match (verdict, found.as_mut()) {
                        (_, Err(_)) => return,
                        (Ok(Verdict::Interesting), Ok(found)) => found.push(index),
                        (Ok(_), Ok(_)) => {}
                        (Err(fault), Ok(_)) => *found = Err(oracle::user_error(fault)),
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    found.sort_unstable();
    Ok(found.into_iter().map(|index| all[index].clone()).collect())
}

fn pick<'a>(all: &'a [Deletion], next: &AtomicUsize) -> Option<(usize, &'a Deletion)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    all.get(index).map(|deletion| (index, deletion))
}

fn shortened(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 60 { line } else { line.chars().take(57).chain("...".chars()).collect() }
}
