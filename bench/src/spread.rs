//! `lopper-bench spread`: how far the size of a result depends on the order of the program's parts.

use crate::config::{Config, Engine};
use crate::corpus::cases;
use crate::numbers::shown;
use crate::ours::Limits;
use crate::permute::permuted;
use crate::record::{Log, PassRecord, Record};
use crate::table::Table;
use crate::{oracle, ours, say};
use lopper::error::UserError;
use lopper::oracle::contents::contents_of;
use lopper::oracle::{Test, Verdict};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Reduces each case as it is and permuted, and prints how far the results differ
///
/// A permuted case has its top-level items, statements and names in another order, as far as its test still accepts
/// it. The ideal spread is 1: the size of the result does not depend on the order.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Cases, or folders of cases
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// The file for the JSON lines, one for each reduction
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The configuration of Lopper
    #[arg(short, long, default_value = "default")]
    config: String,
    /// The number of permuted programs
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    permutations: u64,
    /// The seed of the permutations
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write each permuted program to CASE~N in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// The number of parallel tests
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Stop each reduction after this many seconds
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<f64>,
}

/// Runs the command.
///
/// # Errors
/// If a case or the configuration is invalid, and if the user interrupts the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, UserError> {
    let config = Config::read(&arguments.config, usize::from(arguments.jobs))?;
    let Engine::Lopper(setup) = &config.engine else {
        return Err(UserError::usage(format!("'{}' is another reducer", config.name))
            .help("the spread is measured for Lopper; name a configuration of its own"));
    };
    let limits = Limits { tests: None, seconds: arguments.max_time };
    let interrupt = oracle::catch_signals()?;
    let mut log = arguments.output.as_deref().map(Log::open).transpose()?;
    let head = ["case", "programs", "least", "most", "spread", "runs", "tokens that other passes took"];
    let note = "Tokens of the smallest and of the largest result, and their ratio; the least and the most runs; \
                the passes whose share differs most between these two results.";
    let mut table = Table::new("Spread over permuted programs", note, head);
    for case in &cases(&arguments.cases)? {
        let test = oracle::of_case(case, &case.original(), setup.has_server, config.jobs, &interrupt)?;
        let mut records: Vec<Record> = Vec::new();
        for number in 0..=arguments.permutations {
            let base = if number == 0 {
                case.base()
            } else {
                permuted(&case.base(), arguments.seed.wrapping_add(number), |base| {
                    let verdict = test.run(0, &contents_of(base)).map_err(oracle::user_error)?;
                    Ok(verdict == Verdict::Interesting)
                })?
            };
            let input = ours::hash(&ours::as_text(&contents_of(&base)));
            if records.iter().any(|record| record.input == input) {
                continue;
            }
            if let Some(folder) = arguments.keep.as_ref().filter(|_| number > 0) {
                let folder = folder.join(format!("{}~{number}", case.name));
                let written = fs::create_dir_all(&folder)
                    .and_then(|()| case.write(&contents_of(&base), &folder.join(&case.file_name)));
                written.map_err(|e| UserError::usage(format!("'{}': {e}", folder.display())))?;
            }
            let mut record = ours::reduced(base, &test, setup, config.jobs, limits, &interrupt)?;
            record.case = format!("{}~{number}", case.name);
            (record.input, record.config, record.jobs) = (input, config.name.clone(), config.jobs);
            say::remark(&format!(
                "{:40} {:>6} tokens {:>6} runs",
                record.case, record.to.tokens, record.runs
            ));
            if let Some((log, _)) = &mut log {
                log.add(&record)?;
            }
            records.push(record);
        }
        table.row(row(&case.name, &records));
    }
    say::answer(&table.markdown());
    Ok(ExitCode::SUCCESS)
}

fn row(case: &str, records: &[Record]) -> Vec<String> {
    let least = records.iter().min_by_key(|record| record.to.tokens);
    let most = records.iter().max_by_key(|record| record.to.tokens);
    let (Some(least), Some(most)) = (least, most) else { return vec![case.to_owned()] };
    let runs = || records.iter().map(|record| record.runs);
    vec![
        case.to_owned(),
        records.len().to_string(),
        least.to.tokens.to_string(),
        most.to.tokens.to_string(),
        shown(most.to.tokens as f64 / least.to.tokens.max(1) as f64, 2),
        format!("{} to {}", runs().min().unwrap_or(0), runs().max().unwrap_or(0)),
        differing(least, most),
    ]
}

/// The passes whose share of the deleted tokens differs most between two reductions.
fn differing(one: &Record, other: &Record) -> String {
    let tokens = |record: &Record, name: &str| {
        let pass = record.passes.iter().find(|pass| pass.name == name);
        pass.map_or(0, |pass: &PassRecord| pass.tokens)
    };
    let mut shares: Vec<(i64, i64, &str)> = one
        .passes
        .iter()
        .map(|pass| (pass.tokens, tokens(other, &pass.name), pass.name.as_str()))
        .filter(|(one, other, _)| one != other)
        .collect();
    shares.sort_by_key(|(one, other, name)| (-(one - other).abs(), *name));
    let shown = shares.iter().take(3).map(|(one, other, name)| format!("{name} {one}/{other}"));
    shown.collect::<Vec<_>>().join(", ")
}
