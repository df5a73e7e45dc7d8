//! Searches of groups: which units a search gets, which of its queries need no run, and the consequences of a
//! verdict.

use super::candidate::Prepared;
use super::work::Work;
use super::{Asked, Attempt, Driver, Failure, Mode, Purpose, Query, Reply};
use crate::index::GroupIndex;
use crate::schedule::{Filter, Turn};
use crate::search::{Outline, Search, reversed};
use crate::{Contents, Verdict};
use lopper_languages::measure::Measure;
use lopper_passes::Group;
use std::sync::Arc;

/// A group under search.
pub(super) struct Searching {
    group: GroupIndex,
    /// For each unit, a hash of the tokens that it changes and of their neighbours.
    signatures: Arc<Vec<u64>>,
    /// For each unit, what it is about; empty in a fine sweep.
    subjects: Arc<Vec<Option<u64>>>,
    weights: Arc<Vec<usize>>,
    pub(super) search: Box<dyn Search>,
    /// The program that candidates must be below: the base with the taken units applied.
    ground: (Measure, Arc<Contents>),
}

impl Clone for Searching {
    fn clone(&self) -> Self {
        Self {
            group: self.group,
            signatures: Arc::clone(&self.signatures),
            subjects: Arc::clone(&self.subjects),
            weights: Arc::clone(&self.weights),
            search: self.search.fork(),
            ground: self.ground.clone(),
        }
    }
}

impl Searching {
    /// Those of `units` that are not taken yet. `units` is sorted.
    fn newly(&self, units: &[usize]) -> Vec<usize> {
        let taken = self.search.taken();
        units.iter().copied().filter(|unit| taken.binary_search(unit).is_err()).collect()
    }
}

/// A search's query: units, and the candidate that they make.
#[derive(Clone)]
pub(super) struct Wanted {
    units: Vec<usize>,
    pub(super) prepared: Prepared,
}

impl Driver {
    /// Starts a search over those units of a group that are worth asking for; `None` if there are none, or if
    /// they weigh less than the turn's floor.
    pub(super) fn search(&mut self, turn: Turn, index: GroupIndex, group: &Group) -> Option<Searching> {
        // The weight of a pump's unit says little about how much can be deleted after it.
        let floor = if self.pass(turn.pass).pump { 0 } else { turn.floor };
        let base = Arc::clone(&self.base);
        let count = group.units().len();
        let weigh = |unit: usize| self.guarded(turn.pass, || group.weight(&base, unit));
        let weights: Vec<Option<usize>> = (0..count).map(weigh).collect();
        if weights.iter().flatten().sum::<usize>() < floor {
            return None;
        }
        let subject = |unit: usize| self.guarded(turn.pass, || group.subject(&base, unit)).flatten();
        let subjects: Vec<Option<u64>> = (0..count).filter(|_| turn.floor > 0).map(subject).collect();
        let is_new = |subject| self.failed.get(&coarse_failure(turn, subject)).is_none();
        let fresh: Vec<bool> =
            (0..count).map(|unit| subjects.get(unit).copied().flatten().is_none_or(is_new)).collect();
        if !fresh.contains(&true) {
            // Signatures take all tokens of the units: too many for each of a hundred thousand nested brackets.
            return None;
        }
        let signatures = Arc::new(self.signatures(turn.pass, index, group));
        let mut units = self.worth_asking(turn, index, group, &signatures);
        units.retain(|&unit| weights[unit].is_some() && fresh[unit]);
        if floor > 0 {
            // A sweep as coarse as this one has asked for these units, in sets that it does not split.
            let is_open = |unit: usize| self.failed.get(&unsplit_failure(turn, signatures[unit])).is_none();
            units.retain(|&unit| is_open(unit));
        }
        if units.is_empty() || units.iter().filter_map(|&u| weights[u]).sum::<usize>() < floor {
            return None;
        }
        let weights: Vec<usize> = weights.into_iter().map(Option::unwrap_or_default).collect();
        let outline = Outline {
            choices: (0..count).map(|unit| group.choice(unit)).collect(),
            weights: weights.clone(),
            floor,
            chance: self.schedule.chance(turn),
        };
        let search = match self.is_reversed {
            false => (self.search_kind.start)(outline, units),
            true => reversed::start(self.search_kind, outline, &units),
        };
        let (subjects, weights) = (Arc::new(subjects), Arc::new(weights));
        let ground = (self.measure, Arc::clone(&self.best));
        Some(Searching { group: index, signatures, subjects, weights, search, ground })
    }

    /// The units that are not known or expected to fail. In a group of doubtful units, the grammar must also accept each
    /// of them by itself (or refuse it, with the filter off).
    fn worth_asking(
        &mut self,
        turn: Turn,
        index: GroupIndex,
        group: &Group,
        signatures: &[u64],
    ) -> Vec<usize> {
        if turn.filter == Filter::Off && !group.is_beyond_grammar() {
            return Vec::new();
        }
        let count = group.units().len();
        self.stats_of(turn.pass).planned += count;
        let look = group.is_doubtful() || turn.filter == Filter::Off;
        let fitting = if look { self.fitting(turn, index, group) } else { Arc::new((0..count).collect()) };
        if turn.filter == Filter::On {
            self.stats_of(turn.pass).refused += count - fitting.len();
        }
        let fresh = |unit: &usize| {
            let failed = self.failed.get(&failure(turn, signatures[*unit]));
            failed.is_none_or(|&base| turn.proof && base != self.last_reworded)
        };
        // In a coarse sweep, a unit that a compiler refuses costs all those that it is tested with.
        let likely = |unit: &usize| turn.floor == 0 || !group.lacks(*unit);
        let units = fitting.iter().copied().filter(|unit| likely(unit) && fresh(unit)).collect();
        self.not_held_back(turn, index, group, units)
    }

    /// Asks for the search's next candidate, or answers without a run; finishes the group when the search
    /// ends.
    pub(super) fn step_search(&mut self, work: Work, mut searching: Searching) {
        let next = searching.search.ask().filter(|_| !work.gives_up_search());
        let Some(units) = next else { return self.finish_group(work, &searching) };
        self.asked = self.asked_or_answered(&work, &mut searching, units);
        self.mode = Mode::Searching(work, searching);
    }

    /// The query that answers the search; `None` if it was answered without a run.
    fn asked_or_answered(
        &mut self,
        work: &Work,
        searching: &mut Searching,
        units: Vec<usize>,
    ) -> Option<Asked> {
        let turn = work.turn;
        let prepared = self.candidate(work, searching, &units);
        let Some(prepared) = prepared.filter(|prepared| self.may_replace_ground(searching, prepared)) else {
            self.refuse(work, searching, &units);
            return None;
        };
        if self.guarded(turn.pass, || self.is_held_back(turn.filter, &prepared)) == Some(true) {
            self.hold_back(turn);
            let stats = self.stats_of(turn.pass);
            (stats.refused, stats.proposed) = (stats.refused + 1, stats.proposed + 1);
            self.answer(work, searching, false);
            return None;
        }
        if let Some(verdict) = self.remembered(prepared.key) {
            self.settle(work, searching, Wanted { units, prepared }, verdict == Verdict::Interesting);
            return None;
        }
        if self.has_boring_words(&prepared) {
            self.refuse(work, searching, &units);
            return None;
        }
        if turn.filter != Filter::Off && !prepared.grammatical {
            self.stats_of(turn.pass).refused += 1;
            self.refuse(work, searching, &units);
            return None;
        }
        let query = self.repeated(prepared.query(self.pass(turn.pass).name, searching.search.odds()));
        Some(Asked { query, purpose: Purpose::Search(Wanted { units, prepared }) })
    }

    /// Counts a run for the pass whose group is searched.
    pub(super) fn count_search_run(&mut self) {
        if let Mode::Searching(work, _) = &self.mode {
            let pass = work.turn.pass;
            self.stats_of(pass).runs += 1;
        }
    }

    /// Learns the verdict on the search's candidate.
    pub(super) fn learn_search(&mut self, wanted: Wanted, verdict: Verdict) -> Reply {
        let Mode::Searching(mut work, mut searching) = self.take_mode() else { return Reply::Same };
        let interesting = verdict == Verdict::Interesting;
        if !interesting && wanted.prepared.measure.tokens < searching.ground.0.tokens {
            self.boring_words.insert(wanted.prepared.words, ());
        }
        work.fruitless = if interesting { 0 } else { work.fruitless + 1 };
        if let (&[_], Some(group)) = (&searching.newly(&wanted.units)[..], work.groups.get(searching.group.0))
        {
            self.learn_refusal(work.turn.pass, group, &wanted.units, &wanted.prepared, interesting);
        }
        let reply = self.settle(&work, &mut searching, wanted, interesting);
        self.mode = Mode::Searching(work, searching);
        reply
    }

    /// The queries that follow in the search, whatever the verdicts.
    pub(super) fn search_ahead(&self, work: &Work, searching: &Searching, count: usize) -> Vec<Query> {
        let Turn { pass, filter, .. } = work.turn;
        let is_open = |prepared: &Prepared| {
            self.may_replace_ground(searching, prepared)
                && !self.memo.knows(prepared.key)
                && !self.has_boring_words(prepared)
                && (prepared.grammatical || filter == Filter::Off)
                && self.guarded(pass, || self.is_held_back(filter, prepared)) == Some(false)
        };
        let sets = searching.search.ahead(count).into_iter();
        let prepared = sets.filter_map(|units| self.candidate(work, searching, &units));
        prepared.filter(is_open).map(|prepared| prepared.query(self.pass(pass).name, 0.5)).collect()
    }

    /// Whether a candidate is below the search's ground and keeps what is protected.
    fn may_replace_ground(&self, searching: &Searching, prepared: &Prepared) -> bool {
        let (measure, contents) = &searching.ground;
        prepared.is_below(*measure, contents, self.goal) && self.protected.is_kept(&prepared.contents)
    }

    /// Whether a boring candidate has the same words.
    pub(super) fn has_boring_words(&self, prepared: &Prepared) -> bool {
        self.boring_words.get(&prepared.words).is_some()
    }

    /// Answers the search that the candidate of these units is not accepted, and remembers a single failed
    /// unit.
    fn refuse(&mut self, work: &Work, searching: &mut Searching, units: &[usize]) {
        let turn = work.turn;
        self.stats_of(turn.pass).proposed += 1;
        let newly = searching.newly(units);
        let weight: usize = newly.iter().map(|&unit| searching.weights[unit]).sum();
        if turn.floor > 0 && !self.pass(turn.pass).pump && weight <= turn.floor {
            for &unit in &newly {
                self.failed.insert(unsplit_failure(turn, searching.signatures[unit]), self.last_reworded);
            }
        }
        if let [unit] = newly[..] {
            self.failed.insert(failure(turn, searching.signatures[unit]), self.last_reworded);
            if let Some(subject) = searching.subjects.get(unit).copied().flatten() {
                self.failed.insert(coarse_failure(turn, subject), self.last_reworded);
            }
        }
        self.answer(work, searching, false);
    }

    /// Answers the search, and updates its ground if it has taken units.
    fn answer(&self, work: &Work, searching: &mut Searching, accepted: bool) {
        let taken = searching.search.taken().len();
        searching.search.learn(accepted);
        if searching.search.taken().len() == taken {
            return;
        }
        if let Some(prepared) = self.candidate(work, searching, searching.search.taken()) {
            searching.ground = (prepared.measure, prepared.contents);
        }
    }

    /// The candidate that these units of the group make; `None` if their edits cannot be rendered.
    fn candidate(&self, work: &Work, searching: &Searching, units: &[usize]) -> Option<Prepared> {
        let group = work.groups.get(searching.group.0)?;
        self.prepared(work.turn.pass, searching.group, group, units)
    }

    /// Applies a verdict, from the memo or from a run, to the search and to the best candidate.
    fn settle(&mut self, work: &Work, searching: &mut Searching, wanted: Wanted, interesting: bool) -> Reply {
        let Wanted { units, prepared } = wanted;
        if !interesting {
            self.refuse(work, searching, &units);
            return Reply::Same;
        }
        let before = self.measure;
        let better = prepared.is_below(before, &self.best, self.goal);
        let stats = self.stats_of(work.turn.pass);
        stats.proposed += 1;
        if better {
            stats.count_accepted(before, prepared.measure);
            self.accept(self.pass(work.turn.pass).name, Arc::clone(&prepared.contents), prepared.measure);
        }
        self.answer(work, searching, true);
        if better { self.better() } else { Reply::Same }
    }
}

/// The key under which the failure of a set that a coarse sweep does not split is remembered, for each of its units.
fn unsplit_failure(turn: Turn, signature: u64) -> Failure {
    let magnitude = turn.floor.checked_ilog2().unwrap_or_default();
    Failure { pass: turn.pass, attempt: Attempt::Unsplit(turn.filter, magnitude), signature }
}

/// The key under which the failure of a unit in a coarse sweep is remembered, by what the unit is about.
fn coarse_failure(turn: Turn, subject: u64) -> Failure {
    Failure { pass: turn.pass, attempt: Attempt::Coarse(turn.filter), signature: subject }
}

/// The key under which a unit's failure in a turn is remembered.
fn failure(turn: Turn, signature: u64) -> Failure {
    Failure { pass: turn.pass, attempt: Attempt::Turn(turn.filter.of_grammar()), signature }
}
