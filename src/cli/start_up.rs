//! How long a run of the test takes, and how much of that is start-up: a run on an empty or a trivial file has little
//! else to do.

use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::{Contents, Fault, Test, Verdict};
use std::time::{Duration, Instant};

/// The time of a run from which it is worth a remark before a search.
const SLOW: Duration = Duration::from_millis(300);

/// The share of start-up in the time of a run that is most of it.
const MOST: f64 = 0.5;

/// The times of runs.
#[derive(Debug, Default)]
pub(super) struct Times {
    on_original: Vec<Duration>,
    /// The least one on an empty or a trivial file.
    least: Option<Duration>,
}

impl Times {
    /// Adds a run on the original.
    pub(super) fn add(&mut self, time: Duration) {
        self.on_original.push(time);
    }

    /// Adds a run on an empty or a trivial file. One that reaches a limit tells nothing.
    pub(super) fn add_trivial(&mut self, time: Duration, verdict: Verdict) {
        if !matches!(verdict, Verdict::TimedOut | Verdict::OutOfMemory) {
            self.least = Some(self.least.map_or(time, |least| least.min(time)));
        }
    }

    /// The time of a run on the original: the median.
    pub(super) fn of_run(&self) -> Duration {
        let mut times = self.on_original.clone();
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// The time of start-up in it, if there was a run on an empty or a trivial file.
    pub(super) fn of_start_up(&self) -> Option<Duration> {
        self.least.map(|least| least.min(self.of_run()))
    }

    /// The time of start-up if it is most of a run.
    pub(super) fn mostly_start_up(&self) -> Option<Duration> {
        self.of_start_up().filter(|start_up| *start_up >= self.of_run().mul_f64(MOST))
    }

    /// What the user should know before a search, if a run is slow.
    pub(super) fn remark(&self, has_server: bool) -> Option<String> {
        let time = self.of_run();
        let start_up = self.of_start_up().map_or_else(String::new, |start_up| {
            format!(", of which at least {:.2} s are start-up", start_up.as_secs_f64())
        });
        let advice = match self.mostly_start_up() {
            Some(_) if !has_server => {
                "\n  help: --server keeps the tool running, and lopper check says more: docs/servers.md"
            }
            _ => "",
        };
        (time >= SLOW)
            .then(|| format!("a run of the test takes {:.2} s{start_up}{advice}", time.as_secs_f64()))
    }
}

/// Runs the test; also returns the time of the run.
pub(super) fn timed(test: &CommandOracle, candidate: &Contents) -> Result<(Verdict, Duration), Fault> {
    let start = Instant::now();
    let verdict = test.run(0, candidate)?;
    Ok((verdict, start.elapsed()))
}
