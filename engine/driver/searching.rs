//! Searches of groups: what of a group may be asked, what is known without a run, and what a verdict changes.

use super::candidate::Prepared;
use super::work::Work;
use super::{Asked, Attempt, Driver, Failure, Mode, Purpose, Query, Reply};
use crate::index::GroupIndex;
use crate::schedule::{Filter, Turn};
use crate::search::{Outline, Search};
use crate::{Contents, Verdict};
use lopper_languages::measure::Measure;
use lopper_passes::Group;
use std::sync::Arc;

/// A group that is searched.
pub(super) struct Searching {
    group: GroupIndex,
    /// What each unit changes and what stands beside it.
    signatures: Arc<Vec<u64>>,
    pub(super) search: Box<dyn Search>,
    /// What candidates must be below: the base without what is taken.
    ground: (Measure, Arc<Contents>),
}

impl Clone for Searching {
    fn clone(&self) -> Self {
        Self {
            group: self.group,
            signatures: Arc::clone(&self.signatures),
            search: self.search.fork(),
            ground: self.ground.clone(),
        }
    }
}

impl Searching {
    fn is_below_ground(&self, prepared: &Prepared) -> bool {
        prepared.is_below(self.ground.0, &self.ground.1)
    }

    /// What of `units` was not yet taken; both are sorted.
    fn newly(&self, units: &[usize]) -> Vec<usize> {
        let taken = self.search.taken();
        units.iter().copied().filter(|unit| taken.binary_search(unit).is_err()).collect()
    }
}

/// What a search wants tested: units, and the candidate that takes them.
#[derive(Clone)]
pub(super) struct Wanted {
    units: Vec<usize>,
    prepared: Prepared,
}

impl Driver {
    /// A search of the units of a group that are worth asking; `None` if there are none, or if all together
    /// weigh less than the turn's floor.
    pub(super) fn search(&mut self, turn: Turn, index: GroupIndex, group: &Group) -> Option<Searching> {
        // What a pump takes by itself says little about what may go then.
        let floor = if self.pass(turn.pass).pump { 0 } else { turn.floor };
        let base = Arc::clone(&self.base);
        let count = group.units().len();
        let weigh = |unit: usize| self.guarded(turn.pass, || group.weight(&base, unit));
        let weights: Vec<Option<usize>> = (0..count).map(weigh).collect();
        if weights.iter().flatten().sum::<usize>() < floor {
            return None;
        }
        let signatures = Arc::new(self.signatures(turn.pass, index, group));
        let mut units = self.worth_asking(turn, index, group, &signatures);
        units.retain(|&unit| weights[unit].is_some());
        if units.is_empty() || units.iter().filter_map(|&u| weights[u]).sum::<usize>() < floor {
            return None;
        }
        let outline = Outline {
            choices: (0..count).map(|unit| group.choice(unit)).collect(),
            weights: weights.into_iter().map(Option::unwrap_or_default).collect(),
            floor,
            chance: self.schedule.chance(turn),
        };
        let search = (self.search_kind.start)(outline, units);
        Some(Searching { group: index, signatures, search, ground: (self.measure, Arc::clone(&self.best)) })
    }

    /// The units that are not known to fail and, in a group of doubtful ones, that the grammar accepts
    /// one by one (or, with the filter off, refuses).
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
            failed.is_none_or(|&base| turn.proof && base != self.worded)
        };
        fitting.iter().copied().filter(fresh).collect()
    }

    /// Asks for what the search wants next, or answers it without a run; ends it when it wants nothing more.
    pub(super) fn step_search(&mut self, work: Work, mut searching: Searching) {
        let next = searching.search.ask().filter(|_| !work.gives_up_search());
        let Some(units) = next else { return self.finish_group(work, &searching) };
        self.asked = self.asked_or_answered(&work, &mut searching, units);
        self.mode = Mode::Searching(work, searching);
    }

    /// What has to be tested to answer the search; `None` if it is answered without.
    fn asked_or_answered(
        &mut self,
        work: &Work,
        searching: &mut Searching,
        units: Vec<usize>,
    ) -> Option<Asked> {
        let turn = work.turn;
        let prepared = self.candidate(work, searching, &units);
        let Some(prepared) = prepared.filter(|prepared| searching.is_below_ground(prepared)) else {
            self.refuse(work, searching, &units);
            return None;
        };
        if let Some(verdict) = self.memo.get(prepared.key) {
            self.settle(work, searching, Wanted { units, prepared }, verdict == Verdict::Interesting);
            return None;
        }
        if self.is_dull(&prepared) {
            self.refuse(work, searching, &units);
            return None;
        }
        if turn.filter == Filter::On && !prepared.grammatical {
            self.stats_of(turn.pass).refused += 1;
            self.refuse(work, searching, &units);
            return None;
        }
        let query = prepared.query(self.pass(turn.pass).name, searching.search.odds());
        Some(Asked { query, purpose: Purpose::Search(Wanted { units, prepared }) })
    }

    /// Learns the verdict on what the search wanted.
    pub(super) fn learn_search(&mut self, wanted: Wanted, verdict: Verdict) -> Reply {
        let Mode::Searching(mut work, mut searching) = self.take_mode() else { return Reply::Same };
        let interesting = verdict == Verdict::Interesting;
        self.memo.insert(wanted.prepared.key, verdict);
        if !interesting && wanted.prepared.measure.tokens < searching.ground.0.tokens {
            self.dull.insert(wanted.prepared.words, ());
        }
        self.stats_of(work.turn.pass).runs += 1;
        work.fruitless = if interesting { 0 } else { work.fruitless + 1 };
        let reply = self.settle(&work, &mut searching, wanted, interesting);
        self.mode = Mode::Searching(work, searching);
        reply
    }

    /// The queries that follow in the search, whatever the verdicts are.
    pub(super) fn search_ahead(&self, work: &Work, searching: &Searching, count: usize) -> Vec<Query> {
        let Turn { pass, filter, .. } = work.turn;
        let is_open = |prepared: &Prepared| {
            searching.is_below_ground(prepared)
                && !self.memo.knows(prepared.key)
                && !self.is_dull(prepared)
                && (prepared.grammatical || filter == Filter::Off)
        };
        let sets = searching.search.ahead(count).into_iter();
        let prepared = sets.filter_map(|units| self.candidate(work, searching, &units));
        prepared.filter(is_open).map(|prepared| prepared.query(self.pass(pass).name, 0.5)).collect()
    }

    /// Whether the test found another candidate boring that says the same.
    fn is_dull(&self, prepared: &Prepared) -> bool {
        self.dull.get(&prepared.words).is_some()
    }

    /// The candidate that takes these units is not taken.
    fn refuse(&mut self, work: &Work, searching: &mut Searching, units: &[usize]) {
        let turn = work.turn;
        self.stats_of(turn.pass).proposed += 1;
        if let [unit] = searching.newly(units)[..] {
            self.failed.insert(failure(turn, searching.signatures[unit]), self.worded);
        }
        self.answer(work, searching, false);
    }

    /// Tells the search, and finds out what it stands on now.
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

    /// The candidate that takes these units of the group; `None` if their edits cannot be made.
    fn candidate(&self, work: &Work, searching: &Searching, units: &[usize]) -> Option<Prepared> {
        let group = work.groups.get(searching.group.0)?;
        self.prepared(work.turn.pass, searching.group, group, units)
    }

    /// The verdict on what the search wants is known.
    fn settle(&mut self, work: &Work, searching: &mut Searching, wanted: Wanted, interesting: bool) -> Reply {
        let Wanted { units, prepared } = wanted;
        if !interesting {
            self.refuse(work, searching, &units);
            return Reply::Same;
        }
        let before = self.measure;
        let better = prepared.is_below(before, &self.best);
        let stats = self.stats_of(work.turn.pass);
        stats.proposed += 1;
        if better {
            stats.count_accepted(before, prepared.measure);
            self.set_best(Arc::clone(&prepared.contents), prepared.measure);
            self.trust.accepted(&self.best, self.measure);
        }
        self.answer(work, searching, true);
        if better { Reply::Better } else { Reply::Same }
    }
}

/// What is remembered of a unit that fails in a turn.
fn failure(turn: Turn, signature: u64) -> Failure {
    Failure { pass: turn.pass, attempt: Attempt::Turn(turn.filter), signature }
}
