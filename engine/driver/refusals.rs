//! Refusals: what the test is expected to refuse, since it has refused the like so far.
//!
//! A compiler, or a linter that finds undefined names, refuses a program that uses a name without a definition; a test
//! for a crash in a parser does not care. Which of both a test is shows in its verdicts. Candidates that it is
//! expected to refuse are held back until all others have failed, when few of them are left.

use super::Driver;
use crate::index::PassIndex;
use crate::schedule::{Filter, Turn};
use lopper_languages::edit::Candidate;
use lopper_passes::{Group, Names};
use std::sync::Arc;

/// The verdicts on single units after which names lack definitions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refusals {
    decided: usize,
    accepted: usize,
}

/// After this many verdicts of which at most one in `RARELY` was to accept, further ones are expected to refuse.
const ENOUGH: usize = 8;
const RARELY: usize = 16;

impl Refusals {
    fn are_expected(self) -> bool {
        self.decided >= ENOUGH && self.accepted * RARELY <= self.decided
    }
}

impl Driver {
    /// Those of these units that are not held back in this turn. In the turn for what is held back, those that are.
    pub(super) fn not_held_back(&mut self, turn: Turn, group: &Group, mut units: Vec<usize>) -> Vec<usize> {
        let is_wanted = match turn.filter {
            Filter::On if self.refusals.are_expected() => false,
            Filter::Unlikely => true,
            Filter::On | Filter::Off => return units,
        };
        let all = units.len();
        let lacks = |unit: usize| {
            let candidate = group.render_alone(&self.base, unit);
            candidate.is_ok_and(|candidate| self.leaves_names_lacking(&candidate))
        };
        units.retain(|&unit| self.guarded(turn.pass, || lacks(unit)) == Some(is_wanted));
        if turn.floor == 0 && !is_wanted && units.len() < all {
            self.schedule.hold_back(turn.pass, self.id);
        }
        units
    }

    /// Learns from the verdict on these units of a group, of which a single one was in question.
    pub(super) fn learn_refusal(&mut self, pass: PassIndex, group: &Group, units: &[usize], accepted: bool) {
        let lacks = || {
            let candidate = group.render(&self.base, units);
            candidate.is_ok_and(|candidate| self.leaves_names_lacking(&candidate))
        };
        if self.guarded(pass, lacks) == Some(true) {
            self.refusals.decided += 1;
            self.refusals.accepted += usize::from(accepted);
        }
    }

    fn leaves_names_lacking(&self, candidate: &Candidate) -> bool {
        self.names().are_lacking(&self.base, candidate)
    }

    /// The names of the current base; found once for all clones.
    fn names(&self) -> Arc<Names> {
        let known = self.cache().of(self.key).names.clone();
        known.unwrap_or_else(|| {
            let names = Arc::new(Names::new(&self.base));
            self.cache().of(self.key).names = Some(Arc::clone(&names));
            names
        })
    }
}
