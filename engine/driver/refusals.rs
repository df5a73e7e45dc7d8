//! Refusals: what the test is expected to refuse, since it has refused the like so far.
//!
//! A compiler, or a linter that finds undefined names, refuses a program that uses a name without a definition. A linker
//! refuses one that uses a function without a body, and Python one that imports a name that the other module does not define.
//! Some compilers refuse calls with too few arguments, a function that must return and does not, and a member that must be as a
//! library has it. A test for a crash in a parser accepts all of these. The verdicts show what a test refuses; such candidates are
//! held back until all others have failed, when few of them are left.

use super::Driver;
use crate::index::PassIndex;
use crate::schedule::{Filter, Turn};
use lopper_languages::edit::Candidate;
use lopper_passes::{Group, Lack, Names};
use std::sync::Arc;

/// What is known of the programs that the test refuses: the verdicts for each kind of [`Lack`]. A verdict counts for the first kind
/// that the program lacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refusals([Verdicts; Lack::KINDS]);

/// The verdicts on single units after which a program lacks something.
#[derive(Clone, Copy, Debug, Default)]
struct Verdicts {
    decided: usize,
    accepted: usize,
}

/// After this many verdicts of which at most one in `RARELY` was to accept, further ones are expected to refuse.
const ENOUGH: usize = 8;
const RARELY: usize = 16;

impl Verdicts {
    fn add(&mut self, accepted: bool) {
        self.decided += 1;
        self.accepted += usize::from(accepted);
    }

    fn are_refusals(self) -> bool {
        self.decided >= ENOUGH && self.accepted * RARELY <= self.decided
    }
}

impl Refusals {
    fn are_expected(self) -> bool {
        self.0.into_iter().any(Verdicts::are_refusals)
    }

    /// Whether the test is expected to refuse a program that lacks this.
    fn forbid(self, lack: Lack) -> bool {
        lack.kinds().into_iter().zip(self.0).any(|(lacks, verdicts)| lacks && verdicts.are_refusals())
    }

    /// Learns from the verdict on a program that lacks this.
    fn add(&mut self, lack: Lack, accepted: bool) {
        if let Some(kind) = lack.kinds().iter().position(|&lacks| lacks) {
            self.0[kind].add(accepted);
        }
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
        let refusals = self.refusals;
        let is_refused = |unit: usize| {
            let candidate = group.render_alone(&self.base, unit);
            candidate.is_ok_and(|candidate| refusals.forbid(self.lack_after(&candidate)))
        };
        units.retain(|&unit| self.guarded(turn.pass, || is_refused(unit)) == Some(is_wanted));
        if turn.floor == 0 && !is_wanted && units.len() < all {
            self.schedule.hold_back(turn.pass, self.id);
        }
        units
    }

    /// Learns from the verdict on these units of a group, of which a single one was in question.
    pub(super) fn learn_refusal(&mut self, pass: PassIndex, group: &Group, units: &[usize], accepted: bool) {
        let lack = || group.render(&self.base, units).ok().map(|candidate| self.lack_after(&candidate));
        if let Some(lack) = self.guarded(pass, lack).flatten() {
            self.refusals.add(lack, accepted);
        }
    }

    fn lack_after(&self, candidate: &Candidate) -> Lack {
        self.names().lacking(&self.base, candidate)
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
