//! How many runs a reduction still takes, as far as its course tells.
//!
//! A coarse sweep says nothing about that: nobody knows how small the program will be after it. A fine sweep takes about
//! [`FINE`] runs for each token with which it begins, and what follows takes few runs; the escape has a budget. All
//! figures are in docs/watching.md.

use crate::run::Event;
use crate::schedule::Stage;
use lopper_engine::effort::Effort;

/// The runs of a fine sweep for each token with which it begins.
const FINE: f64 = 5.0;
/// The runs that prove that nothing more can be deleted, and those of the pumps, for each token.
const LAST: f64 = 1.5;
/// Of a stage that takes more runs than usual, this share of a run for each token is left.
const REST: f64 = 0.5;

/// See the module. Until the first fine sweep, and without an effort, nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimate {
    /// How far the run looks for more; `None` if it is a run of another kind.
    effort: Option<Effort>,
    /// The stage of the current sweep, if it is a fine one; the runs before it, and the tokens with which it began.
    stage: Option<Stage>,
    begin: usize,
    first: usize,
    runs: usize,
    tokens: usize,
    /// The runs of the escape, and those since its last success.
    spent: usize,
    in_vain: usize,
}

impl Estimate {
    /// An estimate for a run from a program of so many tokens.
    pub(super) fn new(tokens: usize, effort: Option<Effort>) -> Self {
        Self { effort, tokens, ..Self::default() }
    }

    pub(super) fn hear(&mut self, event: &Event) {
        match event {
            Event::Tested { stats, .. } => self.has_run(stats.runs),
            Event::Accepted { measure, .. } => {
                self.tokens = measure.tokens;
                if self.stage == Some(Stage::Escape) {
                    self.in_vain = 0;
                }
            }
            Event::Sweep { stage, floor } => {
                self.stage = Some(*stage).filter(|_| *floor == 0);
                (self.begin, self.first) = (self.runs, self.tokens);
            }
            _ => {}
        }
    }

    /// There have been so many runs.
    fn has_run(&mut self, runs: usize) {
        if self.stage == Some(Stage::Escape) {
            let more = runs.saturating_sub(self.runs);
            (self.spent, self.in_vain) = (self.spent + more, self.in_vain + more);
        }
        self.runs = runs;
    }

    /// The runs that are left, roughly; `None` as long as nothing is known.
    pub(super) fn left(&self) -> Option<usize> {
        let (tokens, done) = (self.tokens as f64, self.runs.saturating_sub(self.begin) as f64);
        let last = LAST * tokens;
        let left = match self.stage? {
            Stage::Reduce => (FINE * self.first as f64 - done).max(tokens) + last,
            Stage::Prove(_) | Stage::Pump => (last - done).max(REST * tokens),
            Stage::Escape | Stage::Finish => 0.0,
        };
        let left = left.round() as usize;
        let others = (self.runs + left).saturating_sub(self.spent);
        let escape = match self.stage? {
            Stage::Finish => 0,
            _ => self.effort?.budget(self.tokens, self.spent, self.in_vain, others),
        };
        self.effort.map(|_| left + escape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn sweep(stage: Stage, floor: usize) -> Event<'static> {
        Event::Sweep { stage, floor }
    }

    #[test]
    fn nothing_is_known_before_the_first_fine_sweep_and_of_a_run_of_another_kind() {
        let mut estimate = Estimate::new(1000, Some(Effort::Normal));
        assert_eq!(estimate.left(), None);
        estimate.hear(&sweep(Stage::Reduce, 62));
        estimate.has_run(100);
        assert_eq!(estimate.left(), None);
        let mut other = Estimate::new(20, None);
        other.hear(&sweep(Stage::Reduce, 0));
        assert_eq!(other.left(), None);
    }

    #[test]
    fn a_fine_sweep_takes_some_runs_for_each_token_and_the_escape_at_most_its_budget() {
        let mut estimate = Estimate::new(20, Some(Effort::Normal));
        estimate.has_run(100);
        estimate.hear(&sweep(Stage::Reduce, 0));
        assert_eq!(estimate.left(), Some(100 + 30));
        estimate.has_run(140);
        assert_eq!(estimate.left(), Some(60 + 30));
        estimate.hear(&sweep(Stage::Prove(0), 0));
        assert_eq!(estimate.left(), Some(30));

        let mut large = Estimate::new(100, Some(Effort::Normal));
        large.has_run(1000);
        large.hear(&sweep(Stage::Escape, 0));
        assert_eq!(large.left(), Some(166), "a sixth of the other runs");
        large.has_run(1100);
        assert_eq!(large.left(), Some(66));
    }
}
