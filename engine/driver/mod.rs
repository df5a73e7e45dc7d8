//! The driver: all decisions of a reduction as one cloneable state machine without side effects.
//!
//! It says which candidate is to be tested next and learns the verdict; it reads no clock, starts
//! nothing and counts no workers, so what it does depends on the input, the options and the verdicts
//! only. A clone that is told likely verdicts foresees what will be asked: that is all speculation is.

mod branch;
mod cache;
mod candidate;
mod trust;
mod words;

use self::branch::{Branch, Pumping};
use self::cache::{Cache, units_key};
use self::candidate::{Prepared, fits, prepare};
use self::trust::Trust;
use self::words::hash_words;
use crate::layered::Layered;
use crate::means::{Means, numbers_where};
use crate::memo::{self, Memo};
use crate::schedule::{BaseId, Filter, Outcome, Schedule, Stage, Turn, worth};
use crate::search::{Kind, Outline, Search};
use crate::{Contents, Verdict};
use lopper_languages::Parsed;
use lopper_languages::measure::Measure;
use lopper_passes::{Base, Group, Pass};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// What a pass did in a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassStats {
    /// Units that were planned.
    pub planned: usize,
    /// Candidates that were proposed: sets of units.
    pub proposed: usize,
    /// Units and candidates that the grammar refused.
    pub refused: usize,
    /// Runs of the test.
    pub runs: usize,
    /// Candidates that became the best.
    pub accepted: usize,
    /// Tokens that it took away.
    pub tokens: i64,
    /// Bytes that it took away; negative if it traded them for tokens.
    pub bytes: i64,
}

/// A candidate whose verdict the driver wants.
#[derive(Clone, Debug)]
pub struct Query {
    /// The candidate's files.
    pub contents: Contents,
    /// Identifies the run: two queries with the same key have the same answer.
    pub key: u128,
    /// The pass that proposed it; `None` where an accepted candidate is looked at again.
    pub pass: Option<&'static str>,
    /// How likely it is to be interesting.
    pub chance: f64,
}

/// What the driver did with a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The best candidate is the same as before.
    Same,
    /// There is a new best candidate.
    Better,
    /// The best candidate turned out not to be interesting: an earlier one is the best again.
    Retreat,
}

/// A failure inside a pass: the pass and what it said.
pub type Bug = (&'static str, String);

/// See the module.
#[derive(Clone)]
pub struct Driver {
    passes: Arc<Vec<&'static Pass>>,
    /// Which search decides what to test next.
    search_kind: &'static Kind,
    means: Arc<dyn Means>,
    /// What passes plan against; behind `best` while a group is searched.
    base: Arc<Base>,
    id: BaseId,
    /// The key of the base's contents.
    key: u128,
    best: Arc<Contents>,
    measure: Measure,
    memo: Memo,
    /// What boring candidates said, those but for white space equal to others.
    dull: Layered<u128, ()>,
    /// The base since which only white space has changed.
    worded: BaseId,
    schedule: Schedule,
    work: Option<Work>,
    /// Units that failed, by pass and signature, and the base on which they last did.
    failed: Layered<(usize, Filter, u64), BaseId>,
    trust: Trust,
    pumping: Pumping,
    branch: Option<Box<Branch>>,
    /// What was computed for bases, shared with all clones.
    cache: Arc<Mutex<Cache>>,
    runs: usize,
    stats: Vec<PassStats>,
}

/// A pass at work.
#[derive(Clone)]
struct Work {
    turn: Turn,
    groups: Arc<Vec<Group>>,
    /// The group that comes next.
    cursor: usize,
    /// The base and the state when the pass began.
    began: BaseId,
    worth: f64,
    runs: usize,
    /// Runs since something was accepted.
    fruitless: usize,
    search: Option<Searching>,
}

/// A group that is searched.
struct Searching {
    group: usize,
    /// What each unit changes and what stands beside it.
    signatures: Arc<Vec<u64>>,
    search: Box<dyn Search>,
    wanted: Vec<usize>,
    /// What candidates must be below: the base without what is taken.
    ground: (Measure, Arc<Contents>),
}

impl Clone for Searching {
    fn clone(&self) -> Self {
        let Self { group, signatures, search, wanted, ground } = self;
        let (signatures, search) = (Arc::clone(signatures), search.fork());
        Self { group: *group, signatures, search, wanted: wanted.clone(), ground: ground.clone() }
    }
}

/// After how many runs without success a pass ends its turn.
const PATIENCE: usize = 64;

impl Driver {
    /// A driver that starts from `base`, which the test accepts.
    pub fn new(
        base: Base,
        passes: &[&'static Pass],
        search_kind: &'static Kind,
        means: Arc<dyn Means>,
    ) -> Self {
        let best: Arc<Contents> = Arc::new(base.files.iter().map(|f| Arc::new(f.text.clone())).collect());
        let measure = base.measure();
        let mut memo = Memo::default();
        let key = memo::key(&best);
        memo.insert(key, Verdict::Interesting);
        Self {
            schedule: Schedule::new(passes, &measure),
            passes: Arc::new(passes.to_vec()),
            search_kind,
            means,
            base: Arc::new(base),
            id: 0,
            key,
            trust: Trust::new(&best, measure),
            best,
            measure,
            memo,
            dull: Layered::default(),
            worded: 0,
            work: None,
            failed: Layered::default(),
            pumping: Pumping::default(),
            branch: None,
            cache: Arc::default(),
            runs: 0,
            stats: vec![PassStats::default(); passes.len()],
        }
    }

    /// From now on no candidate is asked for with which the grammar finds more wrong than with its base.
    pub fn stay_in_grammar(&mut self) {
        self.schedule.keep_filter();
    }

    /// The best candidate's files and their measure.
    pub fn best(&self) -> (&Contents, Measure) {
        (&self.best, self.measure)
    }

    /// Verdicts that were asked for.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Verdicts that were known.
    pub fn memo_hits(&self) -> usize {
        self.memo.hits()
    }

    /// What each pass did.
    pub fn stats(&self) -> impl Iterator<Item = (&'static str, PassStats)> {
        self.passes.iter().map(|p| p.name).zip(self.stats.iter().copied())
    }

    /// What the present sweep is for, and its floor.
    pub fn sweep(&self) -> (Stage, usize) {
        self.schedule.sweep()
    }

    /// The passes that have given nothing for so long that they wait.
    pub fn on_probation(&self) -> impl Iterator<Item = &'static str> {
        let waits = |(pass, _): &(usize, _)| self.schedule.is_on_probation(*pass, &self.measure);
        self.passes.iter().enumerate().filter(waits).map(|(_, pass)| pass.name)
    }

    /// The bugs that came to light since this was last asked.
    pub fn take_bugs(&self) -> Vec<Bug> {
        std::mem::take(&mut self.cache().bugs)
    }

    /// The candidate whose verdict is wanted next; `None` at the end. Asking again without `learn` in
    /// between gives the same answer.
    pub fn ask(&mut self) -> Option<Query> {
        loop {
            if let Some(query) = self.look_again() {
                return Some(query);
            }
            if self.means.is_to_stop() {
                return None;
            }
            let Some(work) = &mut self.work else {
                if let Some(query) = self.ask_branch() {
                    return Some(query);
                }
                if !self.begin_work() {
                    return None;
                }
                continue;
            };
            let Some(searching) = &mut work.search else {
                self.next_group();
                continue;
            };
            // What a coarse sweep does not find soon is for finer ones.
            let gives_up = work.turn.floor > 0 && work.fruitless >= PATIENCE;
            let Some(wanted) = searching.search.next().filter(|_| !gives_up) else {
                self.finish_group();
                continue;
            };
            if let Some(query) = self.query(wanted) {
                return Some(query);
            }
        }
    }

    /// Learns the verdict on what `ask` wanted.
    pub fn learn(&mut self, verdict: Verdict) -> Reply {
        self.runs += 1;
        if self.trust.is_looking() {
            return self.looked_again(verdict == Verdict::Interesting);
        }
        if self.is_branching() {
            self.count_branch_run();
            return self.learn_branch(verdict);
        }
        let Some(prepared) = self.wanted() else { return Reply::Same };
        self.memo.insert(prepared.key, verdict);
        let loses_words = |(_, s): (_, &Searching)| prepared.measure.tokens < s.ground.0.tokens;
        if verdict != Verdict::Interesting && self.working().is_some_and(loses_words) {
            self.dull.insert(prepared.words, ());
        }
        if let Some(work) = &mut self.work {
            self.stats[work.turn.pass].runs += 1;
            work.fruitless = if verdict == Verdict::Interesting { 0 } else { work.fruitless + 1 };
        }
        self.settle(prepared, verdict == Verdict::Interesting)
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the schedule choose a pass, if it is not the pumps' turn or a look is due; `false` at the
    /// fixpoint.
    fn begin_work(&mut self) -> bool {
        let turn = loop {
            if let Some(turn) = self.schedule.next(self.id, &self.measure) {
                break turn;
            }
            if self.look_soon() {
                return true;
            }
            if !self.schedule.new_sweep(self.id, &self.measure) {
                return false;
            }
            if self.schedule.stage() == Stage::Pump {
                return true;
            }
        };
        let groups = self.plan(turn.pass);
        let (began, worth, runs) = (self.id, worth(&self.measure), self.runs);
        let cursor = self.schedule.cursor(turn);
        self.work = Some(Work { turn, groups, cursor, began, worth, runs, fruitless: 0, search: None });
        true
    }

    /// The plan of a pass against the present base; made once, for all clones.
    fn plan(&self, pass: usize) -> Arc<Vec<Group>> {
        if let Some(plan) = self.cache().of(self.key).plans.get(&pass) {
            return Arc::clone(plan);
        }
        let plan = self.passes[pass].plan;
        let groups = Arc::new(self.guarded(pass, || plan(&self.base)).unwrap_or_default());
        self.cache().of(self.key).plans.insert(pass, Arc::clone(&groups));
        groups
    }

    /// Begins the search of the pass's next group, or ends the pass's turn.
    fn next_group(&mut self) {
        let Some(work) = &self.work else { return };
        let (turn, index) = (work.turn, work.cursor);
        let groups = Arc::clone(&work.groups);
        let mut outcome = Outcome {
            left: None,
            gain: work.worth - worth(&self.measure),
            runs: self.runs - work.runs,
            size: self.measure,
        };
        // What is large goes first: while sweeps are coarse, a pass that others outdo waits for them.
        let waits = turn.floor > 0
            && self.id != work.began
            && index < groups.len()
            && self.schedule.is_outdone(turn, outcome, self.id);
        let group = groups.get(index).filter(|_| work.fruitless < PATIENCE && !waits);
        let more = group.is_some();
        let search = group.and_then(|group| self.search(turn, index, group));
        let Some(work) = &mut self.work else { return };
        if more {
            work.cursor += 1;
            work.search = search;
            return;
        }
        // A pass that gives nothing lets others have their turn. In a fine sweep it comes back, and
        // goes on where it was: what failed is not asked for again.
        let unfinished = index < groups.len() && turn.floor == 0;
        outcome.left = (self.id == work.began && !unfinished).then_some(self.id);
        self.schedule.record(turn, outcome, if waits { index } else { 0 });
        self.work = None;
        self.look_now_and_then();
    }

    fn search(&mut self, turn: Turn, index: usize, group: &Group) -> Option<Searching> {
        // What a pump takes by itself says little about what may go then.
        let floor = if self.passes[turn.pass].pump { 0 } else { turn.floor };
        let base = Arc::clone(&self.base);
        let count = group.units().len();
        let weigh = |unit: usize| self.guarded(turn.pass, || group.weight(&base, unit));
        let weights: Vec<Option<usize>> = (0..count).map(weigh).collect();
        if weights.iter().flatten().sum::<usize>() < floor {
            return None;
        }
        let numbers = |()| (0..count).map(|unit| units_key(turn.pass, index, &[unit]) as u64).collect();
        let signatures = self.guarded(turn.pass, || group.signatures(&base)).ok_or(());
        let signatures = Arc::new(signatures.unwrap_or_else(numbers));
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
        let ground = (self.measure, Arc::clone(&self.best));
        Some(Searching { group: index, signatures, search, wanted: Vec::new(), ground })
    }

    /// The units that are not known to fail and, in a group of doubtful ones, that the grammar accepts
    /// one by one (or, with the filter off, refuses).
    fn worth_asking(&mut self, turn: Turn, index: usize, group: &Group, signatures: &[u64]) -> Vec<usize> {
        if turn.filter == Filter::Off && !group.is_beyond_grammar() {
            return Vec::new();
        }
        let count = group.units().len();
        self.stats[turn.pass].planned += count;
        let look = group.is_doubtful() || turn.filter == Filter::Off;
        let fitting = if look { self.fitting(turn, index, group) } else { Arc::new((0..count).collect()) };
        if turn.filter == Filter::On {
            self.stats[turn.pass].refused += count - fitting.len();
        }
        let fresh = |unit: &usize| {
            let failed = self.failed.get(&(turn.pass, turn.filter, signatures[*unit]));
            failed.is_none_or(|&base| turn.proof && base != self.worded)
        };
        fitting.iter().copied().filter(fresh).collect()
    }

    /// The units of a group that the grammar accepts (with the filter on) or refuses (off).
    fn fitting(&self, turn: Turn, index: usize, group: &Group) -> Arc<Vec<usize>> {
        let key = (turn.pass, turn.filter, index);
        if let Some(fitting) = self.cache().of(self.key).fitting.get(&key) {
            return Arc::clone(fitting);
        }
        let (base, cache, name) = (&*self.base, &*self.cache, self.passes[turn.pass].name);
        let look = |unit: usize| fits(base, group, unit) == Some(turn.filter == Filter::On);
        let means = &*self.means;
        let fitting = |unit| !means.is_to_stop() && guarded(cache, name, || look(unit)).unwrap_or(false);
        let fitting = Arc::new(numbers_where(means, group.units().len(), &fitting));
        self.cache().of(self.key).fitting.insert(key, Arc::clone(&fitting));
        fitting
    }

    /// What has to be tested to answer the search; `None` if it is answered without.
    fn query(&mut self, wanted: Vec<usize>) -> Option<Query> {
        let work = self.work.as_mut()?;
        let searching = work.search.as_mut()?;
        let odds = searching.search.odds();
        searching.wanted = wanted;
        let turn = work.turn;
        let Some(prepared) = self.wanted().filter(|prepared| self.is_below_ground(prepared)) else {
            self.refuse();
            return None;
        };
        if let Some(verdict) = self.memo.get(prepared.key) {
            self.settle(prepared, verdict == Verdict::Interesting);
            return None;
        }
        if self.is_dull(&prepared) {
            self.refuse();
            return None;
        }
        if turn.filter == Filter::On && !prepared.grammatical {
            self.stats[turn.pass].refused += 1;
            self.refuse();
            return None;
        }
        Some(self.ask_for(&prepared, odds))
    }

    fn ask_for(&self, prepared: &Prepared, chance: f64) -> Query {
        let pass = self.work.as_ref().map(|work| self.passes[work.turn.pass].name);
        Query { contents: Contents::clone(&prepared.contents), key: prepared.key, pass, chance }
    }

    /// What will be asked after the present query, whatever the verdicts are: at most `count`, in order.
    pub fn ahead(&self, count: usize) -> Vec<Query> {
        if self.is_branching() {
            return self.branch_ahead(count);
        }
        let Some((work, searching)) = self.working().filter(|_| !self.trust.is_looking()) else {
            return Vec::new();
        };
        let is_open = |prepared: &Prepared| {
            self.is_below_ground(prepared)
                && !self.memo.knows(prepared.key)
                && !self.is_dull(prepared)
                && (prepared.grammatical || work.turn.filter == Filter::Off)
        };
        let sets = searching.search.ahead(count).into_iter();
        let prepared = sets.filter_map(|units| self.prepared(work, searching.group, &units)).filter(is_open);
        prepared.map(|prepared| self.ask_for(&prepared, 0.5)).collect()
    }

    fn working(&self) -> Option<(&Work, &Searching)> {
        let work = self.work.as_ref()?;
        Some((work, work.search.as_ref()?))
    }

    /// Whether the test found another candidate boring that says the same.
    fn is_dull(&self, prepared: &Prepared) -> bool {
        self.dull.get(&prepared.words).is_some()
    }

    fn is_below_ground(&self, prepared: &Prepared) -> bool {
        let ground = self.working().map(|(_, searching)| &searching.ground);
        ground
            .is_some_and(|(measure, contents)| (prepared.measure, &prepared.contents) < (*measure, contents))
    }

    /// The candidate that the search wants; `None` if its edits cannot be made.
    fn wanted(&self) -> Option<Prepared> {
        let (work, searching) = self.working()?;
        self.prepared(work, searching.group, &searching.wanted)
    }

    /// The candidate that takes these units; `None` if their edits cannot be made.
    fn prepared(&self, work: &Work, group: usize, units: &[usize]) -> Option<Prepared> {
        let key = units_key(work.turn.pass, group, units);
        self.prepared_once(key, work.turn.pass, &work.groups[group], units)
    }

    /// The candidate that takes these units, made once for all clones.
    fn prepared_once(&self, key: u128, pass: usize, group: &Group, units: &[usize]) -> Option<Prepared> {
        if let Some(prepared) = self.cache().of(self.key).prepared.get(&key) {
            return prepared.clone();
        }
        let prepared = self.guarded(pass, || prepare(&self.base, group, units)).flatten();
        self.cache().of(self.key).remember(key, prepared.clone());
        prepared
    }

    /// The candidate that the search wants is not taken, without a run.
    fn refuse(&mut self) {
        let Some(work) = &mut self.work else { return };
        let Some(searching) = &mut work.search else { return };
        self.stats[work.turn.pass].proposed += 1;
        if let [unit] = newly(searching.search.taken(), &searching.wanted)[..] {
            let key = (work.turn.pass, work.turn.filter, searching.signatures[unit]);
            self.failed.insert(key, self.worded);
        }
        self.answer(false);
    }

    /// The verdict on what the search wants is known.
    fn settle(&mut self, prepared: Prepared, interesting: bool) -> Reply {
        if !interesting {
            self.refuse();
            return Reply::Same;
        }
        let Some(work) = &mut self.work else { return Reply::Same };
        let stats = &mut self.stats[work.turn.pass];
        stats.proposed += 1;
        let better = (prepared.measure, &prepared.contents) < (self.measure, &self.best);
        if better {
            stats.accepted += 1;
            stats.tokens += difference(self.measure.tokens, prepared.measure.tokens);
            stats.bytes += difference(self.measure.bytes, prepared.measure.bytes);
            self.set_best(prepared.contents, prepared.measure);
            self.trust.accepted(&self.best, self.measure);
        }
        self.answer(true);
        if better { Reply::Better } else { Reply::Same }
    }

    /// Tells the search, and finds out what it stands on now.
    fn answer(&mut self, accepted: bool) {
        let Some(searching) = self.work.as_mut().and_then(|work| work.search.as_mut()) else { return };
        let taken = searching.search.taken().len();
        searching.search.learn(accepted);
        if searching.search.taken().len() == taken {
            return;
        }
        let Some((work, searching)) = self.working() else { return };
        let Some(prepared) = self.prepared(work, searching.group, searching.search.taken()) else { return };
        if let Some(searching) = self.work.as_mut().and_then(|work| work.search.as_mut()) {
            searching.ground = (prepared.measure, prepared.contents);
        }
    }

    fn set_best(&mut self, contents: Arc<Contents>, measure: Measure) {
        self.best = contents;
        self.measure = measure;
    }

    /// Commits what was taken from a group; then the pass plans again and goes on with the next one.
    fn finish_group(&mut self) {
        let Some(work) = &mut self.work else { return };
        let Some(searching) = work.search.take() else { return };
        let turn = work.turn;
        self.schedule.learn_chance(turn, searching.search.chance());
        if !searching.search.taken().is_empty() {
            self.commit();
            let groups = self.plan(turn.pass);
            if let Some(work) = &mut self.work {
                work.groups = groups;
            }
        }
    }

    /// The best candidate becomes the base: parsed anew, since the error recovery of a reparse may
    /// differ from that of a parse.
    fn commit(&mut self) {
        self.id += 1;
        let before = Arc::clone(&self.base);
        self.parse_best();
        if !says_the_same(&before, &self.base) {
            self.worded = self.id;
        }
    }

    /// Makes the best candidate the base.
    fn parse_best(&mut self) {
        self.key = memo::key(&self.best);
        let known = self.cache().of(self.key).base.clone();
        if let Some(base) = known {
            self.base = base;
            return;
        }
        let parse = |(file, text): (&Arc<Parsed>, &Arc<Vec<u8>>)| {
            if file.text == **text {
                Arc::clone(file)
            } else {
                Arc::new(Parsed::new(file.language, text.to_vec()))
            }
        };
        let files = self.base.files.iter().zip(self.best.iter()).map(parse).collect();
        self.base = Arc::new(Base { files });
        self.cache().of(self.key).base = Some(Arc::clone(&self.base));
    }

    fn guarded<T>(&self, pass: usize, work: impl FnOnce() -> T) -> Option<T> {
        guarded(&self.cache, self.passes[pass].name, work)
    }
}

/// Runs a part of a pass. A panic is noted and costs only this part.
fn guarded<T>(cache: &Mutex<Cache>, pass: &'static str, work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            let text = text.unwrap_or_else(|| "no message".to_owned());
            cache.lock().unwrap_or_else(PoisonError::into_inner).bugs.push((pass, text));
        })
        .ok()
}

fn difference(before: usize, after: usize) -> i64 {
    before as i64 - after as i64
}

/// Whether two bases differ in white space only.
fn says_the_same(one: &Base, other: &Base) -> bool {
    let words = |base: &Base| {
        let mut hash = Xxh3::new();
        base.files().for_each(|(_, file)| hash_words(file.language, &file.text, &mut hash));
        hash.digest128()
    };
    words(one) == words(other)
}

/// What of `wanted` was not yet taken; both are sorted.
fn newly(taken: &[usize], wanted: &[usize]) -> Vec<usize> {
    wanted.iter().copied().filter(|unit| taken.binary_search(unit).is_err()).collect()
}
