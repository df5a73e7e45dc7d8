//! Refusals: what the test is expected to refuse, since it has refused the like so far.
//!
//! A compiler, or a linter that finds undefined names, refuses a program that uses a name without a definition. A linker
//! refuses one that uses a function without a body, and Python one that imports a name that the other module does not define.
//! Some compilers refuse calls with too few arguments, a function that must return and does not, and a member that must be as a
//! library has it. A test for a crash in a parser accepts all of these. The verdicts show what a
//! test refuses; such candidates are held back until all others have failed, when few of them are left.

use super::Driver;
use crate::index::PassIndex;
use crate::schedule::{Filter, Turn};
use lopper_languages::edit::Candidate;
use lopper_passes::{Group, Lack, Names};
use std::sync::Arc;

/// What is known of the programs that the test refuses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refusals {
    /// Verdicts on programs that use a name without a definition.
    definitions: Verdicts,
    /// Verdicts on programs in which all names are defined or declared, but a function that is used has lost its body.
    bodies: Verdicts,
    /// Verdicts on programs in which a module imports a name that another one does not define any more.
    imports: Verdicts,
    /// Verdicts on programs in which names lack nothing, but a function or class lacks a part.
    parts: Verdicts,
    /// Verdicts on programs in which only a call passes another number of arguments than the function has parameters.
    arguments: Verdicts,
}

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
        let all = [self.definitions, self.bodies, self.imports, self.parts, self.arguments];
        all.into_iter().any(Verdicts::are_refusals)
    }

    /// Whether the test is expected to refuse a program that lacks this.
    fn forbid(self, lack: Lack) -> bool {
        let lacks = [
            (lack.definition, self.definitions),
            (lack.body, self.bodies),
            (lack.import, self.imports),
            (lack.part, self.parts),
            (lack.argument, self.arguments),
        ];
        lacks.into_iter().any(|(lacks, verdicts)| lacks && verdicts.are_refusals())
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
        let Some(lack) = self.guarded(pass, lack).flatten() else { return };
        if lack.import {
            self.refusals.imports.add(accepted);
        } else if lack.definition {
            self.refusals.definitions.add(accepted);
        } else if lack.body {
            self.refusals.bodies.add(accepted);
        } else if lack.part {
            self.refusals.parts.add(accepted);
        } else if lack.argument {
            self.refusals.arguments.add(accepted);
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
