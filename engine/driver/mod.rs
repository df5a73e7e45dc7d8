//! The driver: all decisions of a reduction as one cloneable state machine without side effects.
//!
//! The driver names the next candidate to test and learns its verdict. It reads no clock, starts no process
//! or thread, and does not know the number of workers, so its decisions depend only on the input, the options
//! and the verdicts. A clone that is told likely verdicts foresees the driver's queries: that is all there is
//! to speculation.
//!
//! [`Driver::ask`] steps from `Mode` to `Mode` until a step leaves a query in `Asked`. The query stays there
//! until [`Driver::learn`] takes it out together with the verdict.

mod branch;
mod cache;
mod candidate;
mod commit;
mod escape;
mod looks;
mod refusals;
mod searching;
mod trust;
mod turn;
mod work;

#[cfg(test)]
mod tests;

use self::branch::{Branch, Pump, Pumping};
use self::cache::Cache;
use self::candidate::Prepared;
use self::escape::Escape;
use self::refusals::Refusals;
use self::searching::{Searching, Wanted};
use self::trust::{Entry, Trust};
use self::work::Work;
use crate::Verdict;
use crate::contents::{Contents, contents_of, key};
use crate::effort::Effort;
use crate::flicker::Tally;
use crate::index::PassIndex;
use crate::layered::Layered;
use crate::means::Means;
use crate::memo::Memo;
use crate::protected::Protected;
use crate::schedule::{BaseId, Filter, Schedule, Stage};
use crate::search::Kind;
use lopper_languages::measure::{Goal, Measure};
use lopper_passes::{Base, Pass};
use std::sync::{Arc, Mutex};

/// The name of the escape among the passes.
const ESCAPE: &str = "escape";

/// The work of a pass in a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PassStats {
    /// Planned units.
    pub planned: usize,
    /// Proposed candidates: sets of units.
    pub proposed: usize,
    /// Units and candidates that the grammar refused.
    pub refused: usize,
    /// Runs of the test.
    pub runs: usize,
    /// Candidates that became the best.
    pub accepted: usize,
    /// Tokens that the pass deleted.
    pub tokens: i64,
    /// Bytes that the pass deleted; negative if it traded bytes for tokens.
    pub bytes: i64,
}

impl PassStats {
    /// Counts a new best candidate from this pass, by the measures before and after it.
    pub fn count_accepted(&mut self, before: Measure, after: Measure) {
        self.accepted += 1;
        self.tokens += before.tokens as i64 - after.tokens as i64;
        self.bytes += before.bytes as i64 - after.bytes as i64;
    }
}

/// The request for the verdict on a candidate.
#[derive(Clone, Debug)]
pub struct Query {
    /// The candidate's files.
    pub contents: Contents,
    /// Identifies the run: two queries with the same key have the same answer.
    pub key: u128,
    /// The pass that proposed it; `None` for a second look at an accepted candidate.
    pub pass: Option<&'static str>,
    /// The probability that the test accepts the candidate.
    pub chance: f64,
    /// The number of earlier runs of the test on this candidate; the key is that of the candidate plus this.
    pub repeat: u32,
    /// Whether the test must run while no other test does, so that load cannot change its answer.
    pub alone: bool,
    /// Whether this is a last look at the result, which does not count as a run of the reduction.
    pub last: bool,
}

impl Query {
    /// A query for a candidate of a pass, or of an algorithm under its own name.
    pub fn new(contents: Contents, pass: &'static str) -> Self {
        Self {
            key: key(&contents),
            contents,
            pass: Some(pass),
            chance: 0.0,
            repeat: 0,
            alone: false,
            last: false,
        }
    }

    /// The key of the candidate, whatever the number of runs.
    pub fn candidate(&self) -> u128 {
        self.key.wrapping_sub(self.repeat.into())
    }

    /// The same query after this many runs on the candidate.
    pub fn repeated(self, repeat: u32) -> Self {
        Self { key: self.key.wrapping_add(repeat.into()), repeat, ..self }
    }
}

/// The consequence of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The best candidate is the same as before.
    Same,
    /// There is a new best candidate.
    Better,
    /// The best candidate turned out not to be interesting: an earlier one is the best again.
    Retreat,
    /// The test flickers, and it is known now how often it accepts the original: [`Driver::flicker`].
    Measured,
}

/// A panic inside a pass: the pass's name and the panic's message.
pub type Bug = (&'static str, String);

/// The state of a reduction; see the module.
#[derive(Clone)]
pub struct Driver {
    passes: Arc<Vec<&'static Pass>>,
    /// The search that decides which units of a pass to test together.
    search_kind: &'static Kind,
    means: Arc<dyn Means>,
    /// Texts that every candidate must contain.
    protected: Arc<Protected>,
    /// The base that passes plan against. While a group is searched, `best` may be smaller.
    base: Arc<Base>,
    id: BaseId,
    /// The key of the base's contents.
    key: u128,
    best: Arc<Contents>,
    measure: Measure,
    /// What the order of measures puts first.
    goal: Goal,
    memo: Memo,
    /// The words of boring candidates: a candidate with the same words differs from one of them only in white
    /// space.
    boring_words: Layered<u128, ()>,
    /// The newest base whose words differ from those of the base before it.
    last_reworded: BaseId,
    schedule: Schedule,
    mode: Mode,
    asked: Option<Asked>,
    /// The units that failed, with the base on which each of them last failed.
    failed: Layered<Failure, BaseId>,
    refusals: Refusals,
    trust: Trust,
    pumping: Pumping,
    escape: Escape,
    /// Whether groups and units come in the opposite order.
    is_reversed: bool,
    /// Results computed for bases, shared with all clones.
    cache: Arc<Mutex<Cache>>,
    runs: usize,
    /// The candidates that a run, or several, have decided about.
    decided: usize,
    stats: Vec<PassStats>,
}

/// The driver's activity. A second look is not a mode: it comes before the next step of any mode, and leaves
/// the mode unchanged unless the look fails.
#[derive(Clone)]
enum Mode {
    /// The schedule chooses the next pass, or the next pump is tried.
    Choosing,
    /// A pass has its turn, and its next group is chosen.
    Turn(Work),
    /// A pass has its turn, and a group is searched.
    Searching(Work, Searching),
    /// A branch is open.
    Branch(Box<Branch>),
}

/// A query without an answer yet, and the purpose of its verdict.
#[derive(Clone)]
struct Asked {
    query: Query,
    purpose: Purpose,
}

/// The purpose of a verdict.
#[derive(Clone)]
enum Purpose {
    /// A second look.
    Look,
    /// The search in the mode.
    Search(Wanted),
    /// A pump, which opens a branch if its candidate is interesting.
    Pump(Pump, Prepared),
    /// A unit, or two at once, in the escape.
    WayOut(Prepared),
    /// The driver of the open branch.
    Branch,
}

/// Identifies a failed unit on every base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Failure {
    pass: PassIndex,
    attempt: Attempt,
    /// A hash of the tokens that the unit changes and of their neighbours.
    signature: u64,
}

/// The context in which a unit failed. A pump's failure is kept apart from the failures in turns, because in
/// a turn a unit also fails if it does not lower the measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Attempt {
    Turn(Filter),
    /// A turn in a coarse sweep, for which it is enough what the unit is about.
    Coarse(Filter),
    /// A turn in a coarse sweep, in a set that was too light to be split, with the magnitude of the sweep's floor.
    Unsplit(Filter, u32),
    Pump,
}

impl Driver {
    /// A driver that starts from `base`, which the test accepts.
    pub fn new(
        base: Base,
        passes: &[&'static Pass],
        search_kind: &'static Kind,
        means: Arc<dyn Means>,
    ) -> Self {
        let passes: Vec<&'static Pass> = passes.iter().copied().filter(|pass| pass.is_for(&base)).collect();
        let best = Arc::new(contents_of(&base));
        let measure = base.measure();
        let mut memo = Memo::default();
        let key = key(&best);
        memo.insert(key, Verdict::Interesting);
        Self {
            schedule: Schedule::new(&passes, |pass| pass.files(&base).next().is_some(), &measure),
            stats: vec![PassStats::default(); passes.len()],
            passes: Arc::new(passes),
            search_kind,
            means,
            protected: Arc::default(),
            base: Arc::new(base),
            id: 0,
            key,
            trust: Trust::new(Entry { contents: Arc::clone(&best), measure, pass: None }),
            best,
            measure,
            goal: Goal::default(),
            memo,
            boring_words: Layered::default(),
            last_reworded: 0,
            mode: Mode::Choosing,
            asked: None,
            failed: Layered::default(),
            refusals: Refusals::default(),
            pumping: Pumping::default(),
            escape: Escape::default(),
            is_reversed: false,
            cache: Arc::default(),
            runs: 0,
            decided: 0,
        }
    }

    /// From now on, asks only for candidates that contain these texts.
    pub fn protect(&mut self, protected: Arc<Protected>) {
        self.protected = protected;
    }

    /// From now on, asks for no candidate in which the grammar finds more errors than in the base.
    pub fn stay_in_grammar(&mut self) {
        self.schedule.keep_filter();
    }

    /// From now on, puts this size first in the order of measures. Call this before the first query.
    pub fn aim_at(&mut self, goal: Goal) {
        self.goal = goal;
    }

    /// From now on, makes this effort to leave a local minimum. Call this before the first query.
    pub fn strive(&mut self, effort: Effort) {
        self.escape.effort = effort;
    }

    /// From now on, takes the test for one that flickers: it has accepted the original this often. Call this
    /// before the first query.
    pub fn expect_flicker(&mut self, original: Tally) {
        self.trust.flickers(original);
    }

    /// Goes on without this pass, or without the escape, because the user has asked for it. The pass is on probation then,
    /// and has another turn in the sweep that proves the result. Call this between `learn` and `ask`.
    pub fn skip(&mut self, name: &str) {
        let is_it = |pass: PassIndex| self.passes[pass.0].name == name;
        match &mut self.mode {
            Mode::Turn(work) | Mode::Searching(work, _) if is_it(work.turn.pass) => work.is_skipped = true,
            Mode::Branch(branch) if branch.is_of(name, &self.passes) => branch.close(),
            _ => {}
        }
        self.escape.is_over |= name == ESCAPE;
        if let Some(pass) = self.passes.iter().position(|pass| pass.name == name).map(PassIndex) {
            self.pumping.skip(pass);
            self.schedule.suspend(pass, &self.measure);
        }
    }

    /// How often the test has accepted the original, if it flickers.
    pub fn flicker(&self) -> Option<Tally> {
        self.trust.flicker()
    }

    /// The best candidate's files and their measure. If the test flickers, this is the best candidate that is
    /// surely interesting; the driver may be working on a smaller one.
    pub fn best(&self) -> (&Contents, Measure) {
        let Entry { contents, measure, .. } = self.trust.told();
        (contents, *measure)
    }

    /// The pass that proposed the best candidate.
    pub fn best_by(&self) -> Option<&'static str> {
        self.trust.told().pass
    }

    /// The number of verdicts that the driver has asked for and learned.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// The number of queries that the memo has answered.
    pub fn memo_hits(&self) -> usize {
        self.memo.hits()
    }

    /// The work of each pass, and of the escape if it has run the test.
    pub fn stats(&self) -> impl Iterator<Item = (&'static str, PassStats)> {
        let escape = Some((ESCAPE, self.escape.stats)).filter(|(_, stats)| stats.runs > 0);
        self.passes.iter().map(|p| p.name).zip(self.stats.iter().copied()).chain(escape)
    }

    /// The stage of the current sweep, and its floor in tokens.
    pub fn sweep(&self) -> (Stage, usize) {
        self.schedule.sweep()
    }

    /// The passes on probation: they have had no success for a long time, and wait.
    pub fn on_probation(&self) -> impl Iterator<Item = &'static str> {
        let waits = |(pass, _): &(PassIndex, _)| self.schedule.is_on_probation(*pass, &self.measure);
        (0..).map(PassIndex).zip(self.passes.iter()).filter(waits).map(|(_, pass)| pass.name)
    }

    /// The bugs found since the last call.
    pub fn take_bugs(&self) -> Vec<Bug> {
        std::mem::take(&mut self.cache().bugs)
    }

    /// The next query; `None` at the end, or when the user wants to stop. A second call without `learn` in
    /// between returns the same query.
    pub fn ask(&mut self) -> Option<Query> {
        while self.asked.is_none() {
            if self.trust.is_looking() {
                self.ask_look();
                continue;
            }
            if self.means.is_to_stop() {
                return None;
            }
            match self.take_mode() {
                Mode::Choosing if !(self.try_pump() || self.try_escape() || self.choose_pass()) => {
                    return None;
                }
                Mode::Choosing => {}
                Mode::Turn(work) => self.next_group(work),
                Mode::Searching(work, searching) => self.step_search(work, searching),
                Mode::Branch(branch) => self.step_branch(branch),
            }
        }
        self.asked.as_ref().map(|asked| asked.query.clone())
    }

    /// Learns the verdict on the query of `ask`. Without a query, the verdict is ignored.
    pub fn learn(&mut self, verdict: Verdict) -> Reply {
        let Some(Asked { query, purpose }) = self.asked.take() else { return Reply::Same };
        self.runs += usize::from(!query.last);
        match purpose {
            Purpose::Look => self.learn_look(verdict),
            Purpose::Branch => self.learn_branch(verdict),
            Purpose::Search(wanted) => {
                self.count_search_run();
                match self.weigh(wanted.prepared.key, verdict) {
                    Some(verdict) => self.learn_search(wanted, verdict),
                    None => self.ask_again(query, wanted.prepared.key, Purpose::Search(wanted)),
                }
            }
            Purpose::WayOut(prepared) => {
                self.count_escape_run();
                match self.weigh(prepared.key, verdict) {
                    Some(verdict) => self.learn_way_out(prepared, verdict),
                    None => self.ask_again(query, prepared.key, Purpose::WayOut(prepared)),
                }
            }
            Purpose::Pump(pump, prepared) => {
                self.count_pump_run(pump);
                match self.weigh(prepared.key, verdict) {
                    Some(verdict) => self.learn_pump(pump, prepared, verdict),
                    None => self.ask_again(query, prepared.key, Purpose::Pump(pump, prepared)),
                }
            }
        }
    }

    /// Asks for another run on the candidate with this key.
    fn ask_again(&mut self, query: Query, key: u128, purpose: Purpose) -> Reply {
        let query = self.repeated(Query { key, ..query });
        self.asked = Some(Asked { query, purpose });
        Reply::Same
    }

    /// The queries after the current one that are certain, whatever the verdicts: at most `count`, in order.
    pub fn ahead(&self, count: usize) -> Vec<Query> {
        match &self.mode {
            Mode::Branch(branch) => branch.ahead(count),
            Mode::Searching(work, searching) if !self.trust.is_looking() => {
                self.search_ahead(work, searching, count)
            }
            Mode::Choosing if !self.trust.is_looking() => self.escape_ahead(count),
            _ => Vec::new(),
        }
    }

    /// Takes the mode out; the step that follows sets it again.
    fn take_mode(&mut self) -> Mode {
        std::mem::replace(&mut self.mode, Mode::Choosing)
    }

    /// The pass at an index.
    fn pass(&self, index: PassIndex) -> &'static Pass {
        self.passes[index.0]
    }

    fn stats_of(&mut self, pass: PassIndex) -> &mut PassStats {
        &mut self.stats[pass.0]
    }

    /// Makes a candidate of a pass the best one.
    fn accept(&mut self, pass: &'static str, contents: Arc<Contents>, measure: Measure) {
        let pass = Some(pass);
        self.trust.accepted(Entry { contents: Arc::clone(&contents), measure, pass });
        self.set_best(contents, measure);
    }

    /// The consequence of a new best candidate: if the test flickers, it must be confirmed first.
    fn better(&self) -> Reply {
        if self.trust.flickers { Reply::Same } else { Reply::Better }
    }

    fn set_best(&mut self, contents: Arc<Contents>, measure: Measure) {
        self.best = contents;
        self.measure = measure;
    }
}
