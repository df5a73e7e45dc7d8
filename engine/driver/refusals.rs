//! Refusals: what the test is expected to refuse, since it has refused the like so far.
//!
//! A compiler, or a linter that finds undefined names, refuses a program that uses a name without a definition. A linker
//! refuses one that uses a function without a body, and Python one that imports a name that the other module does not define.
//! Some compilers refuse calls with too few arguments, a function that must return and does not, and a member that must be as a
//! library has it. Compilers of C refuse what has semantic errors, such as operands of wrong types. A test for a crash in a parser
//! accepts all of these. The verdicts show what a test refuses; such candidates are held back until all others have failed, when
//! few of them are left. Those with semantic errors are not tested at all once it is certain that the test refuses them.

use super::Driver;
use super::candidate::Prepared;
use crate::contents::base_of;
use crate::index::{GroupIndex, PassIndex};
use crate::schedule::{Filter, Turn};
use lopper_languages::edit::Candidate;
use lopper_passes::{Base, Group, Lack, Names};
use std::sync::Arc;

/// What is known of the programs that the test refuses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refusals {
    /// The verdicts for each kind of [`Lack`]. A verdict counts for the first kind that the program lacks.
    lacking: [Verdicts; Lack::KINDS],
    /// Those on programs with semantic errors that the base does not have.
    semantic: Verdicts,
    /// Those on programs that the grammar refuses.
    ungrammatical: Verdicts,
    /// Those on all other programs.
    others: Verdicts,
}

/// The verdicts on single units.
#[derive(Clone, Copy, Debug, Default)]
struct Verdicts {
    decided: usize,
    accepted: usize,
}

/// After this many verdicts of which at most one in `RARELY` was to accept, further ones are expected to refuse.
const ENOUGH: usize = 8;
const RARELY: usize = 16;
/// If none of some verdicts was to accept, although so many should have been by the share of others, all are certain to refuse.
const EXPECTED: usize = 4;
/// The number of bytes up to which programs are searched for semantic errors, which takes a parse of the whole.
const SEARCHED: usize = 32 << 10;

impl Verdicts {
    fn add(&mut self, accepted: bool) {
        self.decided += 1;
        self.accepted += usize::from(accepted);
    }

    fn are_refusals(self) -> bool {
        self.decided >= ENOUGH && self.accepted * RARELY <= self.decided
    }

    /// Whether there are enough of them, and none was to accept.
    fn all_refuse(self) -> bool {
        self.decided >= ENOUGH && self.accepted == 0
    }

    /// Whether none was to accept although, by the share of these others, several should have been. If the test accepted both equally
    /// often, that would have a probability of about e^-[`EXPECTED`].
    fn refuse_unlike(self, others: Self) -> bool {
        self.accepted == 0 && self.decided * others.accepted >= EXPECTED * others.decided.max(1)
    }
}

impl Refusals {
    /// Whether the test is expected to refuse a program that lacks something.
    fn are_expected(self) -> bool {
        self.lacking.into_iter().any(Verdicts::are_refusals)
    }

    /// Whether the test is expected to refuse a program that lacks this.
    fn forbid(self, lack: Lack) -> bool {
        lack.kinds().into_iter().zip(self.lacking).any(|(lacks, verdicts)| lacks && verdicts.are_refusals())
    }

    /// Learns from the verdict on a program that lacks this.
    fn add(&mut self, lack: Lack, accepted: bool) {
        if let Some(kind) = lack.kinds().iter().position(|&lacks| lacks) {
            self.lacking[kind].add(accepted);
        }
    }
}

impl Driver {
    /// Those of these units that are not held back in this turn. In the turn for what is held back, those that are.
    pub(super) fn not_held_back(
        &mut self,
        turn: Turn,
        index: GroupIndex,
        group: &Group,
        mut units: Vec<usize>,
    ) -> Vec<usize> {
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
        // In the turns of others, what has semantic errors is found when it would be tested.
        let has_errors = |unit: usize| {
            let prepared = is_wanted.then(|| self.prepared(turn.pass, index, group, &[unit])).flatten();
            prepared.is_some_and(|prepared| {
                self.is_held_back(Filter::On, &prepared) && !self.is_certain_to_fail()
            })
        };
        let is_out = |unit: usize| is_refused(unit) || has_errors(unit);
        units.retain(|&unit| self.guarded(turn.pass, || is_out(unit)) == Some(is_wanted));
        if turn.floor == 0 && !is_wanted && units.len() < all {
            self.schedule.hold_back(turn.pass, self.id);
        }
        units
    }

    /// Whether a candidate has errors for which the test is expected to refuse it.
    pub(super) fn is_held_back(&self, filter: Filter, prepared: &Prepared) -> bool {
        match filter {
            Filter::On => {
                prepared.grammatical && self.refusals.semantic.are_refusals() && self.has_new_errors(prepared)
            }
            Filter::Unlikely => false,
            // A compiler that refuses what has no meaning refuses what it cannot even read.
            Filter::Off => {
                !prepared.grammatical && self.refusals.ungrammatical.all_refuse() && self.is_certain_to_fail()
            }
        }
    }

    /// Whether a candidate has semantic errors for which the test is certain to refuse it.
    pub(super) fn is_hopeless(&self, prepared: &Prepared) -> bool {
        self.is_held_back(Filter::On, prepared) && self.is_certain_to_fail()
    }

    /// Holds a candidate of this turn back, until the turn for such candidates if it may succeed there.
    pub(super) fn hold_back(&mut self, turn: Turn) {
        if turn.filter == Filter::On && turn.floor == 0 && !self.is_certain_to_fail() {
            self.schedule.hold_back(turn.pass, self.id);
        }
    }

    /// Whether programs with semantic errors have always been refused. Errors in the base itself would show that not all of the
    /// compiler's language is known.
    fn is_certain_to_fail(&self) -> bool {
        let is_read = || self.base.files.iter().all(|file| file.syntax().errors == 0);
        self.refusals.semantic.refuse_unlike(self.refusals.others) && errors(&self.base) == 0 && is_read()
    }

    /// Whether a candidate has more semantic errors than the base; `false` if it is too long. O(nodes log names), besides the parser.
    fn has_new_errors(&self, prepared: &Prepared) -> bool {
        if prepared.measure.bytes > SEARCHED {
            return false;
        }
        let known = self.cache().of(self.key).errors.get(&prepared.key).copied();
        known.unwrap_or_else(|| {
            let has_new = errors(&base_of(&prepared.contents, &self.base)) > errors(&self.base);
            self.cache().of(self.key).errors.insert(prepared.key, has_new);
            has_new
        })
    }

    /// Learns from the verdict on these units of a group, of which a single one was in question.
    pub(super) fn learn_refusal(
        &mut self,
        pass: PassIndex,
        group: &Group,
        units: &[usize],
        prepared: &Prepared,
        accepted: bool,
    ) {
        let lack = || group.render(&self.base, units).ok().map(|candidate| self.lack_after(&candidate));
        if let Some(lack) = self.guarded(pass, lack).flatten() {
            self.refusals.add(lack, accepted);
        }
        let Some(has_errors) = self.guarded(pass, || self.has_new_errors(prepared)) else { return };
        let verdicts = match has_errors {
            _ if !prepared.grammatical => &mut self.refusals.ungrammatical,
            true => &mut self.refusals.semantic,
            false => &mut self.refusals.others,
        };
        verdicts.add(accepted);
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

/// The number of semantic errors in a program.
fn errors(base: &Base) -> usize {
    base.files.iter().map(|file| file.semantic_errors()).sum()
}
