//! What the live view knows of a run.

use super::estimate::Estimate;
use crate::driver::PassStats;
use crate::report::as_one;
use crate::report::events::stage_name;
use crate::run::Event;
use lopper_languages::measure::Measure;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of runs from which a speed is known.
const ENOUGH: usize = 20;

/// See the module. Cheap to clone, as a picture of a moment.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) name: Arc<str>,
    pub(super) original: Measure,
    pub(super) original_text: Arc<Vec<u8>>,
    pub(super) best: Measure,
    pub(super) program: Arc<Vec<u8>>,
    pub(super) commits: usize,
    pub(super) pass: &'static str,
    pub(super) stage: &'static str,
    pub(super) floor: usize,
    pub(super) runs: usize,
    /// The runs that this process made, and those before the current sweep with the time that had been worked then.
    pub(super) made: usize,
    pub(super) before: (usize, Duration),
    pub(super) estimate: Estimate,
    pub(super) memo_hits: usize,
    pub(super) failed: usize,
    pub(super) jobs: usize,
    pub(super) start: Instant,
    /// The limits of the run: on runs of the test, and on time.
    pub(super) limits: (Option<usize>, Option<Instant>),
    /// How long the run has been paused.
    pub(super) paused: Duration,
    /// The time of all runs, one after the other.
    pub(super) time: Duration,
    /// The sizes in tokens, each with the number of runs before it.
    pub(super) points: Arc<Vec<(usize, usize)>>,
    pub(super) passes: Arc<Vec<(&'static str, PassStats)>>,
}

impl State {
    pub(super) fn new(name: &str, (text, measure): (&[u8], Measure), jobs: usize) -> Self {
        let text = Arc::new(text.to_vec());
        Self {
            name: name.into(),
            original: measure,
            original_text: Arc::clone(&text),
            best: measure,
            program: text,
            commits: 0,
            pass: "",
            stage: "",
            floor: 0,
            runs: 0,
            made: 0,
            before: (0, Duration::ZERO),
            estimate: Estimate::default(),
            memo_hits: 0,
            failed: 0,
            jobs,
            start: Instant::now(),
            limits: (None, None),
            paused: Duration::ZERO,
            time: Duration::ZERO,
            points: Arc::new(vec![(0, measure.tokens)]),
            passes: Arc::default(),
        }
    }

    /// How long the run has worked.
    pub(super) fn worked(&self) -> Duration {
        self.start.elapsed().saturating_sub(self.paused)
    }

    /// The time that the run still takes, roughly, by its speed in the current sweep; empty as long as nobody can tell.
    pub(super) fn time_left(&self) -> String {
        let Some(runs) = self.estimate.left() else { return String::new() };
        let (made, worked) = match self.made - self.before.0 {
            0..ENOUGH => (self.made, self.worked()),
            made => (made, self.worked().saturating_sub(self.before.1)),
        };
        if made < ENOUGH {
            return String::new();
        }
        format!(", about {} left", roughly(worked.as_secs_f64() / made as f64 * runs as f64))
    }

    /// What is known of the runs left: since when nothing was accepted, and when a limit ends the run.
    pub(super) fn left(&self) -> String {
        let last = self.points.last().map_or(0, |(runs, _)| *runs);
        let since = self.runs.saturating_sub(last);
        let mut left = without_commit(since);
        if let Some(most) = self.limits.0 {
            left += &format!("   {} runs left at most", most.saturating_sub(self.runs));
        }
        if let Some(end) = self.limits.1 {
            left += &format!("   {} s left at most", end.saturating_duration_since(Instant::now()).as_secs());
        }
        left
    }

    pub(super) fn hear(&mut self, event: &Event) {
        self.estimate.hear(event);
        match event {
            Event::Tested { pass, time, stats, known, .. } => {
                self.made += usize::from(!known);
                self.pass = pass.unwrap_or("second look");
                (self.runs, self.memo_hits) = (stats.runs, stats.memo_hits);
                self.failed = stats.invalid + stats.timed_out + stats.out_of_memory;
                self.time += *time;
                // A picture may still hold the old counts.
                Arc::make_mut(&mut self.passes).clone_from(&stats.passes);
            }
            Event::Accepted { contents, measure, runs, .. } => {
                (self.best, self.program) = (*measure, as_one(contents));
                self.commits += 1;
                Arc::make_mut(&mut self.points).push((*runs, measure.tokens));
            }
            Event::Sweep { stage, floor } => {
                (self.stage, self.floor) = (stage_name(*stage), *floor);
                self.before = (self.made, self.worked());
            }
            _ => {}
        }
    }
}

/// A time in seconds, as exactly as an estimate deserves.
fn roughly(seconds: f64) -> String {
    let rounded = |to: f64| ((seconds / to).round() * to).max(to);
    match seconds {
        ..60.0 => format!("{:.0} s", rounded(10.0)),
        60.0..600.0 => format!("{:.0} min", rounded(60.0) / 60.0),
        600.0..5400.0 => format!("{:.0} min", rounded(600.0) / 60.0),
        _ => format!("{:.0} h", rounded(3600.0) / 3600.0),
    }
}

/// How many runs have passed since the last commit, in words.
fn without_commit(runs: usize) -> String {
    match runs {
        0 => String::new(),
        1 => "   1 run since the last commit".to_owned(),
        _ => format!("   {runs} runs since the last commit"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_as_exact_as_an_estimate_deserves() {
        let times = [0.4, 14.0, 58.0, 61.0, 290.0, 1000.0, 8000.0].map(roughly);
        assert_eq!(times, ["10 s", "10 s", "60 s", "1 min", "5 min", "20 min", "2 h"].map(str::to_owned));
    }

    #[test]
    fn one_run_since_the_last_commit_is_no_plural() {
        let said = [0, 1, 2].map(without_commit);
        assert_eq!(said, ["", "   1 run since the last commit", "   2 runs since the last commit"]);
    }
}
