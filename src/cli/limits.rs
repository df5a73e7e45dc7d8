//! The options that all searches share: limits, processors and verbosity.

use super::size::{Size, size};
use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::ground::Ground;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::memory;
use crate::platform::executable;
use crate::reducer::FIRST_LIMIT;
use crate::report::Verbosity;
use crate::run::Options;
use crate::time_limit::usual_limit;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The heading of the options for what is printed, in help texts.
pub(super) const MESSAGES: &str = "Messages";

/// See the module.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Limits {
    /// Number of processors to use [default: all]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Time limit for one run of the test, in seconds
    ///
    /// The default is 10 times the first run, and at least 1 second. It falls as the runs become faster.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Memory limit for one run of the test, such as 500M, 2G or none
    ///
    /// The default is 3/4 of the memory divided by the number of processors, and at least 1G.
    #[arg(long, hide_short_help = true, value_name = "SIZE", value_parser = size)]
    memory_limit: Option<Size>,
    /// Stop after N runs of the test
    #[arg(long, hide_short_help = true, value_name = "N")]
    max_tests: Option<usize>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Print the values of the configuration, each with its source, and end
    ///
    /// `lopper.toml` is read beside TEST, and in the user's folder for configuration: docs/configuration.md.
    #[arg(long, hide_short_help = true, help_heading = MESSAGES)]
    show_config: bool,
    /// Print only the result and errors
    #[arg(short, long, conflicts_with = "verbose", help_heading = MESSAGES)]
    pub(super) quiet: bool,
    /// Print every run of the test
    #[arg(short, long, hide_short_help = true, help_heading = MESSAGES)]
    verbose: bool,
}

/// The longest time limit, in seconds: a hundred years, which is as good as no limit, and which clocks can
/// represent.
const LONGEST: f64 = 100.0 * 365.25 * 86_400.0;

/// The number of processors of this machine.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a time, which is kept in microseconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    let seconds = if seconds.is_finite() { seconds.min(LONGEST) } else { seconds };
    let duration = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
    if duration.as_micros() == 0 { Err("must be at least 0.000001".to_owned()) } else { Ok(duration) }
}

impl Limits {
    /// The options of a run that began at `start`. Also limits the processors for Lopper's own computations,
    /// so call this once.
    ///
    /// # Errors
    /// If no threads can be started.
    pub(super) fn options(&self, start: Instant, interrupt: &Interrupt) -> Result<Options, UserError> {
        let jobs = self.jobs.map_or_else(processors, usize::from);
        // More tests may run at once than there are processors, above all on a cluster.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.min(processors())).build_global();
        pool.map_err(|e| UserError::no_threads(&e))?;
        let raised = interrupt.clone();
        Ok(Options {
            jobs,
            interrupted: Arc::new(move || raised.is_raised()),
            max_tests: self.max_tests,
            deadline: self.max_time.and_then(|time| start.checked_add(time)),
            ..Options::default()
        })
    }

    /// A test on this machine, whose arguments are these paths in a candidate, on this ground.
    ///
    /// # Errors
    /// If no working folder can be made.
    pub(super) fn test(
        &self,
        plan: TestPlan,
        arguments: &[Arc<Path>],
        ground: Ground,
        options: &Options,
        interrupt: &Interrupt,
    ) -> Result<CommandOracle, UserError> {
        super::remark_shortcoming();
        let (helper, interrupt) = (executable(), interrupt.clone());
        let (jobs, limit) = (options.jobs, self.first_run());
        let mut test = CommandOracle::with_helper(plan, arguments, jobs, limit, interrupt, helper, ground)?;
        test.memory = Some(self.memory()).filter(|&bytes| bytes > 0);
        Ok(test)
    }

    /// The time limit of the first run.
    pub(super) fn first_run(&self) -> Duration {
        self.timeout.unwrap_or(FIRST_LIMIT)
    }

    /// The time limit of further runs, from the time of the first one.
    pub(super) fn run(&self, first: Duration) -> Duration {
        self.timeout.unwrap_or_else(|| usual_limit(first))
    }

    /// The limit on memory that the user named, in bytes; 0 is none.
    pub(super) fn named_memory(&self) -> Option<u64> {
        self.memory_limit.map(|Size(bytes)| bytes)
    }

    /// The limit on memory in bytes; 0 is none.
    pub(super) fn memory(&self) -> u64 {
        self.named_memory().or_else(memory::default_limit).unwrap_or(0)
    }

    /// The verbosity.
    pub(super) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}
