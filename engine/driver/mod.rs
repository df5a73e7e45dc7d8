//! The driver: all decisions of a reduction as one cloneable state machine without side effects.
//!
//! It says which candidate is to be tested next and learns the verdict; it reads no clock, starts
//! nothing and counts no workers, so what it does depends on the input, the options and the verdicts
//! only. A clone that is told likely verdicts foresees what will be asked: that is all speculation is.
//!
//! [`Driver::ask`] takes steps from `Mode` to `Mode` until one of them leaves a candidate in `Asked`;
//! there it stays until [`Driver::learn`] takes it out with the verdict.

mod branch;
mod cache;
mod candidate;
mod commit;
mod searching;
mod trust;
mod turn;
mod words;
mod work;

#[cfg(test)]
mod tests;

use self::branch::{Branch, Pump, Pumping};
use self::cache::Cache;
use self::candidate::Prepared;
use self::searching::{Searching, Wanted};
use self::trust::Trust;
use self::work::Work;
use crate::Verdict;
use crate::contents::{Contents, contents_of, key};
use crate::index::PassIndex;
use crate::layered::Layered;
use crate::means::Means;
use crate::memo::Memo;
use crate::schedule::{BaseId, Filter, Schedule, Stage};
use crate::search::Kind;
use lopper_languages::measure::Measure;
use lopper_passes::{Base, Pass};
use std::sync::{Arc, Mutex};

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

impl PassStats {
    /// Counts a best candidate that came of the pass, by the measures before and after it.
    pub fn count_accepted(&mut self, before: Measure, after: Measure) {
        self.accepted += 1;
        self.tokens += before.tokens as i64 - after.tokens as i64;
        self.bytes += before.bytes as i64 - after.bytes as i64;
    }
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

impl Query {
    /// A query for the verdict on a candidate of a pass, or of what stands in for one.
    pub fn new(contents: Contents, pass: &'static str) -> Self {
        Self { key: key(&contents), contents, pass: Some(pass), chance: 0.0 }
    }
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
    /// The search that decides which units of a pass to test together.
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
    mode: Mode,
    asked: Option<Asked>,
    /// Units that failed, and the base on which they last did.
    failed: Layered<Failure, BaseId>,
    trust: Trust,
    pumping: Pumping,
    /// What was computed for bases, shared with all clones.
    cache: Arc<Mutex<Cache>>,
    runs: usize,
    stats: Vec<PassStats>,
}

/// What the driver is doing. A second look is no mode: it comes before the next step of any mode, and
/// leaves it as it was unless the look fails.
#[derive(Clone)]
enum Mode {
    /// The schedule is to choose a pass, or the next pump is to be tried.
    Choosing,
    /// A pass has its turn, and its next group is to be chosen.
    Turn(Work),
    /// A pass has its turn, and a group is searched.
    Searching(Work, Searching),
    /// A branch is open.
    Branch(Box<Branch>),
}

/// A query that is not answered yet, and what its verdict is for.
#[derive(Clone)]
struct Asked {
    query: Query,
    purpose: Purpose,
}

/// What a verdict is for.
#[derive(Clone)]
enum Purpose {
    /// A second look.
    Look,
    /// The search of the mode.
    Search(Wanted),
    /// A pump, which opens a branch if its candidate is interesting.
    Pump(Pump, Prepared),
    /// The driver of the branch that is open.
    Branch,
}

/// Identifies a unit that failed, on other bases, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Failure {
    pass: PassIndex,
    attempt: Attempt,
    /// What the unit changes and what stands beside it.
    signature: u64,
}

/// What a unit was asked for. Pumps fail apart from the turns of the passes whose units they are: in a turn,
/// they fail if they do not lower the measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Attempt {
    Turn(Filter),
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
        let best = Arc::new(contents_of(&base));
        let measure = base.measure();
        let mut memo = Memo::default();
        let key = key(&best);
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
            mode: Mode::Choosing,
            asked: None,
            failed: Layered::default(),
            pumping: Pumping::default(),
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
        let waits = |(pass, _): &(PassIndex, _)| self.schedule.is_on_probation(*pass, &self.measure);
        (0..).map(PassIndex).zip(self.passes.iter()).filter(waits).map(|(_, pass)| pass.name)
    }

    /// The bugs that came to light since this was last asked.
    pub fn take_bugs(&self) -> Vec<Bug> {
        std::mem::take(&mut self.cache().bugs)
    }

    /// The candidate whose verdict is wanted next; `None` at the end, or when the user wants to stop. Asking
    /// again without `learn` in between gives the same answer.
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
                Mode::Choosing if !(self.try_pump() || self.choose_pass()) => return None,
                Mode::Choosing => {}
                Mode::Turn(work) => self.next_group(work),
                Mode::Searching(work, searching) => self.step_search(work, searching),
                Mode::Branch(branch) => self.step_branch(branch),
            }
        }
        self.asked.as_ref().map(|asked| asked.query.clone())
    }

    /// Learns the verdict on what `ask` wanted. Nothing is learned where nothing was asked for.
    pub fn learn(&mut self, verdict: Verdict) -> Reply {
        let Some(Asked { purpose, .. }) = self.asked.take() else { return Reply::Same };
        self.runs += 1;
        match purpose {
            Purpose::Look => self.looked_again(verdict == Verdict::Interesting),
            Purpose::Search(wanted) => self.learn_search(wanted, verdict),
            Purpose::Pump(pump, prepared) => {
                self.count_pump_run(pump);
                self.learn_pump(pump, prepared, verdict)
            }
            Purpose::Branch => self.learn_branch(verdict),
        }
    }

    /// What will be asked after the present query, whatever the verdicts are: at most `count`, in order.
    pub fn ahead(&self, count: usize) -> Vec<Query> {
        match &self.mode {
            Mode::Branch(branch) => branch.ahead(count),
            Mode::Searching(work, searching) if !self.trust.is_looking() => {
                self.search_ahead(work, searching, count)
            }
            _ => Vec::new(),
        }
    }

    /// The mode, which its next step sets again.
    fn take_mode(&mut self) -> Mode {
        std::mem::replace(&mut self.mode, Mode::Choosing)
    }

    /// The pass of an index.
    fn pass(&self, index: PassIndex) -> &'static Pass {
        self.passes[index.0]
    }

    fn stats_of(&mut self, pass: PassIndex) -> &mut PassStats {
        &mut self.stats[pass.0]
    }

    fn set_best(&mut self, contents: Arc<Contents>, measure: Measure) {
        self.best = contents;
        self.measure = measure;
    }
}
