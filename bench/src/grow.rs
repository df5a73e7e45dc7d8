//! `lopper-bench grow`: the growth of the number of runs, and of Lopper's own time, with the size of the
//! input.
//!
//! The inputs are made of copies of a file, with the same failure planted in the middle of each input. The
//! test is a predicate in this process, so only Lopper itself is measured.

use crate::numbers::shown;
use crate::table::Table;
use crate::{ours, say};
use lopper::error::UserError;
use lopper::languages::{self, Language, Parsed};
use lopper::oracle::{Contents, Verdict};
use lopper::passes::Base;
use lopper::run::Options;
use rustix::time::{ClockId, clock_gettime};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Reduces inputs of growing size that contain the same failure
///
/// Prints the number of runs of the test, the time of the first candidate, the processor time of Lopper per
/// run, and the peak memory of the process (over this size and those before).
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The file that the inputs are made of, in C or Python
    file: PathBuf,
    /// The sizes, in thousands of bytes
    #[arg(long, value_delimiter = ',', default_value = "10,30,100,300,1000")]
    sizes: Vec<usize>,
    /// Stop after this many runs
    #[arg(long)]
    max_tests: Option<usize>,
}

/// For each language, the planted lines, and the words that the failure needs, in order.
const PLANTED: [(&str, &str); 2] = [
    ("c", "int planted_at(int first, int second) { int sum = first + second; return failure(sum, 42); }\n"),
    ("python", "def planted_at(first, second):\n    total = first + second\n    return failure(total, 42)\n"),
];
const NEEDED: [&[u8]; 3] = [b"planted_at", b"failure(", b"42"];

/// Copies of a file up to a size, with `planted` in the middle.
fn input(copy: &str, planted: &str, size: usize) -> Vec<u8> {
    let copies = size.div_ceil(copy.len().max(1));
    let half = copy.repeat(copies / 2);
    [half.as_str(), planted, &copy.repeat(copies - copies / 2)].concat().into_bytes()
}

fn fails(text: &[u8]) -> bool {
    let mut rest = text;
    NEEDED.iter().all(|word| {
        let at = rest.windows(word.len()).position(|part| part == *word);
        rest = at.map_or(&[], |at| &rest[at + word.len()..]);
        at.is_some()
    })
}

/// The processor time of this thread.
pub(crate) fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// The peak memory of this process, in bytes.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? * 1024)
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read, or if no failure can be planted in its language.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, UserError> {
    let shown_path = arguments.file.display();
    let copy = std::fs::read_to_string(&arguments.file)
        .map_err(|e| UserError::usage(format!("'{shown_path}' cannot be read")).fact(e.to_string()))?;
    let language = languages::detect(&arguments.file.to_string_lossy());
    let planted = PLANTED.iter().find(|(name, _)| *name == language.name()).map(|(_, text)| *text);
    let planted = planted.ok_or_else(|| UserError::usage(format!("'{shown_path}' is not C or Python")))?;
    let head = ["bytes", "runs", "runs in vain", "to bytes", "first test", "own ms a run", "memory"];
    let note = "First test: seconds from the start until the first candidate is tested. Own: processor time \
                without the test's. Memory: the process' peak, in sizes of the input.";
    let mut table = Table::new(&format!("Copies of {shown_path}, the same failure planted"), note, head);
    for size in &arguments.sizes {
        table.row(row(language, input(&copy, planted, size * 1000), arguments.max_tests)?);
    }
    say::answer(&table.markdown());
    Ok(ExitCode::SUCCESS)
}

fn row(
    language: &'static dyn Language,
    text: Vec<u8>,
    max_tests: Option<usize>,
) -> Result<Vec<String>, UserError> {
    let (start, size) = (Instant::now(), text.len());
    let first = OnceLock::new();
    let tested = AtomicU64::new(0);
    let test = |contents: &Contents| {
        first.get_or_init(|| start.elapsed());
        let before = thread_time();
        let fails = fails(&contents[0]);
        let took = thread_time().saturating_sub(before).as_nanos();
        tested.fetch_add(u64::try_from(took).unwrap_or(u64::MAX), Ordering::Relaxed);
        if fails { Verdict::Interesting } else { Verdict::Boring }
    };
    let base = Base { files: vec![Arc::new(Parsed::new(language, text))] };
    let options = Options { max_tests, ..Options::default() };
    let record = ours::measured(base, &test, &options)?;
    let own = record.cpu.unwrap_or_default() - tested.load(Ordering::Relaxed) as f64 / 1e9;
    let runs = record.runs.max(1) as f64;
    let vain = record.runs - record.verdicts.interesting;
    Ok(vec![
        size.to_string(),
        record.runs.to_string(),
        vain.to_string(),
        record.to.bytes.to_string(),
        shown(first.get().map_or(0.0, Duration::as_secs_f64), 2),
        shown(own.max(0.0) * 1000.0 / runs, 2),
        peak_memory().map_or("-".to_owned(), |peak| shown(peak as f64 / size.max(1) as f64, 0)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_planted_failure_is_in_the_middle_of_the_copies() {
        for (language, planted) in PLANTED {
            let text = input("x = 1\n", planted, 300);
            assert!(fails(&text) && !fails(b"x = 1\n"), "{language}");
            assert!((300..500).contains(&text.len()));
        }
    }
}
