//! What the live view knows of a run.

use crate::driver::PassStats;
use crate::report::as_one;
use crate::report::events::stage_name;
use crate::run::Event;
use lopper_languages::measure::Measure;
use std::sync::Arc;
use std::time::{Duration, Instant};

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

    /// What is known of the time left: since when nothing was accepted, and when a limit ends the run.
    pub(super) fn left(&self) -> String {
        let last = self.points.last().map_or(0, |(runs, _)| *runs);
        let since = self.runs.saturating_sub(last);
        let mut left =
            if since > 0 { format!("   {since} runs since the last commit") } else { String::new() };
        if let Some(most) = self.limits.0 {
            left += &format!("   {} runs left at most", most.saturating_sub(self.runs));
        }
        if let Some(end) = self.limits.1 {
            left += &format!("   {} s left at most", end.saturating_duration_since(Instant::now()).as_secs());
        }
        left
    }

    pub(super) fn hear(&mut self, event: &Event) {
        match event {
            Event::Tested { pass, time, stats, .. } => {
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
            Event::Sweep { stage, floor } => (self.stage, self.floor) = (stage_name(*stage), *floor),
            _ => {}
        }
    }
}
