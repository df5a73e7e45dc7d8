//! `lopper-bench run`: an interruptible campaign of cases, configurations and repeats.

use crate::config::{Config, Engine, each_algorithm, each_alone, each_without, help};
use crate::corpus::{Case, cases};
use crate::ours::Limits;
use crate::record::{Log, Record};
use crate::{oracle, others, ours, say};
use lopper::error::UserError;
use lopper::oracle::interrupt::Interrupt;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs configurations on cases and writes a JSON line for each run
///
/// Runs that the output already contains are skipped, so an interrupted campaign continues. Configurations
/// take turns (A B A B), so that all of them see the same load.
#[derive(Debug, clap::Args)]
#[command(after_help = help())]
pub(crate) struct Arguments {
    /// Cases, or folders of cases
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// The file for the JSON lines
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// A configuration; may be repeated [default: default]
    #[arg(short, long = "config", value_name = "CONFIG")]
    pub(crate) configs: Vec<String>,
    /// Add each published algorithm, and the default
    #[arg(long)]
    algorithms: bool,
    /// Add all passes except one, for each pass
    #[arg(long)]
    each_without: bool,
    /// Add one pass alone, for each pass
    #[arg(long)]
    each_alone: bool,
    /// The number of repeats of each configuration on each case
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    repeats: u32,
    /// The number of parallel tests if the configuration does not give one
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Stop each run after this many runs of the test (Lopper only)
    #[arg(long, value_name = "N")]
    max_tests: Option<usize>,
    /// Stop each run after this many seconds
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<f64>,
    /// Continue even if the file was begun with another build of Lopper
    #[arg(long)]
    mix: bool,
}

/// Runs the command.
///
/// # Errors
/// If a case or configuration is invalid, and if the user interrupts the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, UserError> {
    let cases = cases(&arguments.cases)?;
    let mut names = arguments.configs.clone();
    if arguments.algorithms {
        names.extend(each_algorithm());
    } else if names.is_empty() {
        names.push("default".to_owned());
    }
    names.extend(if arguments.each_without { each_without() } else { Vec::new() });
    names.extend(if arguments.each_alone { each_alone() } else { Vec::new() });
    let jobs = usize::from(arguments.jobs);
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let configs = names.iter().map(|name| Config::read(name, jobs)).collect::<Result<Vec<_>, _>>()?;
    let (mut log, records) = Log::open(&arguments.output)?;
    let campaign = Campaign {
        build: build()?,
        limits: Limits { tests: arguments.max_tests, seconds: arguments.max_time },
        interrupt: oracle::catch_signals()?,
    };
    if let Some(other) = records.iter().find(|r| !r.build.is_empty() && r.build != campaign.build)
        && !arguments.mix
    {
        return Err(UserError::usage(format!(
            "'{}' was begun with another build",
            arguments.output.display()
        ))
        .fact(format!("this is {}, that was {}", campaign.build, other.build))
        .help("name another --output, or go on with --mix"));
    }
    let mut done: HashSet<_> = records.iter().map(Record::key).collect();
    for case in &cases {
        for repeat in 0..arguments.repeats {
            for config in &configs {
                let Some(record) = campaign.run(case, config, repeat, &done)? else { continue };
                say::remark(&line(&record));
                log.add(&record)?;
                done.insert(record.key());
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Campaign {
    build: String,
    limits: Limits,
    interrupt: Interrupt,
}

impl Campaign {
    /// Runs a configuration on a case; `None` if the output has that run already, or if it is impossible.
    fn run(
        &self,
        case: &Case,
        config: &Config,
        repeat: u32,
        done: &HashSet<crate::record::Key>,
    ) -> Result<Option<Record>, UserError> {
        let name = Record {
            case: case.name.clone(),
            input: case.hash.clone(),
            config: config.name.clone(),
            repeat,
            jobs: config.jobs,
            limits: (self.limits.tests, self.limits.seconds),
            ..Record::default()
        };
        if done.contains(&name.key()) {
            return Ok(None);
        }
        let record = match &config.engine {
            Engine::Lopper(setup) => {
                let record = ours::run(case, setup, config.jobs, self.limits, &self.interrupt);
                record.map(|record| Record { build: self.build.clone(), ..record })
            }
            Engine::Other(other) => {
                let Some(program) = other.program(case.ending()) else {
                    say::remark(&format!("{:38} {:28} is not installed", case.name, config.name));
                    return Ok(None);
                };
                others::run(case, (*other, &program), config.jobs, self.limits, &self.interrupt)
            }
        };
        match record {
            Ok(record) => {
                let Record { config, repeat, jobs, limits, .. } = name;
                Ok(Some(Record { config, repeat, jobs, limits, ..record }))
            }
            Err(error) if self.interrupt.is_raised() => Err(error),
            Err(error) => {
                say::remark(&format!("{:38} {:28} is left out: {error}", case.name, config.name));
                Ok(None)
            }
        }
    }
}

/// A fingerprint of this program.
fn build() -> Result<String, UserError> {
    let program = std::env::current_exe().and_then(std::fs::read);
    let failed = |e: std::io::Error| UserError::usage("this program cannot be read").fact(e.to_string());
    program.map(|bytes| ours::hash(&bytes)).map_err(failed)
}

fn line(record: &Record) -> String {
    let Record { case, config, repeat, ok, end, to, runs, wall, .. } = record;
    let mark = if *ok { "" } else { "  NOT ACCEPTED" };
    format!(
        "{case:38} {config:28} #{repeat}  {:>6} tokens {:>7} bytes {runs:>6} runs {wall:>7.1} s  {end}{mark}",
        to.tokens, to.bytes
    )
}
