//! Progress in lines: a single changing line on a terminal, separate lines elsewhere.

use super::{Ui, Verbosity};
use crate::oracle::Verdict;
use crate::run::Event;
use lopper_engine::flicker::Tally;
use lopper_languages::measure::Measure;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

/// The interval between changes of the line on a terminal.
const TERMINAL_PACE: Duration = Duration::from_millis(100);
/// The shortest and the longest interval between separate lines: a twelfth of the time so far, so that the log of a long
/// run stays short.
const PLAIN_PACE: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));
const PLAIN_SHARE: u32 = 12;

/// The interval between separate lines, so long after the start.
fn plain_pace(elapsed: Duration) -> Duration {
    (elapsed / PLAIN_SHARE).clamp(PLAIN_PACE.0, PLAIN_PACE.1)
}

/// Prints the progress of a reduction to standard error.
#[derive(Debug)]
pub(crate) struct Progress {
    verbosity: Verbosity,
    ui: Ui,
    start: Instant,
    said: Option<Instant>,
    original: Measure,
    best: Measure,
    /// For each pass, the message of its first bug, and the number of its bugs.
    bugs: BTreeMap<&'static str, (String, usize)>,
    /// How often the test accepted the original, if it flickers.
    pub(crate) flicker: Option<Tally>,
}

impl Progress {
    /// Progress from a program of this measure.
    pub(crate) fn new(ui: Ui, verbosity: Verbosity, original: Measure) -> Self {
        Self {
            verbosity,
            ui,
            start: Instant::now(),
            said: None,
            original,
            best: original,
            bugs: BTreeMap::new(),
            flicker: None,
        }
    }

    /// Handles an event.
    pub(crate) fn event(&mut self, event: &Event) {
        match event {
            Event::Tested { pass, verdict, known, stats, .. } => {
                let runs = stats.runs;
                let pass = pass.unwrap_or("second look");
                if self.verbosity == Verbosity::Verbose && *verdict != Verdict::Interesting && !known {
                    super::line(&format!("{runs:>6}  {verdict:?}  {pass}"));
                }
                self.now_and_then(pass, runs);
            }
            Event::Accepted { pass, measure, runs, .. } => {
                let pass = pass.unwrap_or("return to an earlier program");
                self.best = *measure;
                if self.verbosity == Verbosity::Verbose {
                    let Measure { tokens, bytes, .. } = measure;
                    super::line(&format!("{runs:>6}  Interesting  {pass}: {tokens} tokens, {bytes} bytes"));
                }
                self.now_and_then(pass, *runs);
            }
            Event::Flickers { original, late } => {
                self.flicker = Some(*original);
                if self.verbosity != Verbosity::Quiet {
                    self.clear();
                    super::remark(&super::flicker::found(*original, *late));
                }
            }
            Event::Retreat
            | Event::Verified { .. }
            | Event::Sweep { .. }
            | Event::Probation { .. }
            | Event::Skipped { .. } => {}
            Event::Bug { pass, message } => {
                self.bugs.entry(pass).or_insert_with(|| (message.clone(), 0)).1 += 1;
            }
        }
    }

    fn now_and_then(&mut self, pass: &str, runs: usize) {
        let pace = match self.ui {
            Ui::Live => TERMINAL_PACE,
            Ui::Plain => plain_pace(self.start.elapsed()),
            Ui::Json | Ui::None => return,
        };
        if self.verbosity != Verbosity::Normal || self.said.unwrap_or(self.start).elapsed() < pace {
            return;
        }
        self.said = Some(Instant::now());
        let share = super::share(self.best.tokens, self.original.tokens);
        let line = format!(
            "{:>4.0} s  {} tokens ({share})  {} bytes  {runs} runs  {pass}",
            self.start.elapsed().as_secs_f64(),
            self.best.tokens,
            self.best.bytes,
        );
        if self.ui == Ui::Live {
            self.write(&format!("\r\x1b[K{line}"));
        } else {
            super::line(&line);
        }
    }

    /// Whether a bug in a pass was found.
    pub(crate) fn has_bugs(&self) -> bool {
        !self.bugs.is_empty()
    }

    /// Ends the changing line; reports bugs in passes.
    pub(crate) fn finish(&mut self) {
        self.clear();
        for (pass, (message, count)) in &self.bugs {
            super::line(&format!(
                "lopper: a bug in pass '{pass}' lost candidates ({count} times), but the result is safe: {message}\n  \
                 help: please report it, with the input and log.txt from the run folder; --skip-pass {pass} \
                 avoids it"
            ));
        }
    }

    /// Clears the changing line.
    fn clear(&self) {
        if self.ui == Ui::Live && self.said.is_some() {
            self.write("\r\x1b[K");
        }
    }

    fn write(&self, text: &str) {
        // Standard error may be closed; the reduction does not need it.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_of_a_long_run_has_a_line_a_minute() {
        let paces =
            [0, 10, 240, 720, 36_000].map(|seconds| plain_pace(Duration::from_secs(seconds)).as_secs());
        assert_eq!(paces, [5, 5, 20, 60, 60]);
    }
}
