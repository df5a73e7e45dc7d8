//! Branches: programs that a pump made larger, and that may end smaller than before.
//!
//! When no pass can shrink the program any more, the driver tries units of pumps, although they need not
//! lower the measure: a function's body in place of all its calls, a value in place of each use. If such a
//! unit is interesting, a clone of the driver continues from it for a limited number of runs. As soon as the
//! clone's best program is below the trunk, the branch lands as one commit; otherwise it is abandoned. The
//! program on disk is always the trunk.

use super::candidate::Prepared;
use super::{Asked, Attempt, Driver, ESCAPE, Entry, Failure, Mode, PassStats, Purpose, Query, Reply};
use crate::index::{GroupIndex, PassIndex};
use crate::schedule::{BaseId, Schedule, Stage};
use crate::{Contents, Verdict};
use lopper_languages::measure::Measure;
use lopper_passes::Pass;
use std::sync::Arc;

/// An open branch.
#[derive(Clone)]
pub(super) struct Branch {
    driver: Driver,
    origin: Origin,
    /// The number of decided candidates after which the branch is abandoned: each takes a run, or some if the
    /// test flickers.
    budget: usize,
}

/// What opened a branch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// A unit of a pump.
    Pump(Pump),
    /// The escape from a local minimum.
    Escape,
}

/// A unit that may open a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pump {
    pass: PassIndex,
    group: GroupIndex,
    unit: usize,
    /// Identifies the unit on every base.
    signature: u64,
}

/// The progress of the trunk with its pumps.
#[derive(Clone, Default)]
pub(super) struct Pumping {
    /// A base, and those of its pumps that have not been tried yet, last first.
    due: Option<(BaseId, Vec<Pump>)>,
    /// Runs for pumps and branches.
    runs: usize,
}

/// The runs that a branch may use: `BUDGET`, plus `BUDGET_PER_TOKEN` for each token by which the pump has
/// enlarged the program.
const BUDGET: usize = 24;
const BUDGET_PER_TOKEN: usize = 4;
/// All branches together may use one run for each `SHARE` runs of the whole reduction, plus the first
/// `BUDGET`.
const SHARE: usize = 4;

impl Branch {
    /// The branch's next query; `None` at its fixpoint or when its runs are used up.
    fn ask(&mut self) -> Option<Query> {
        let is_open = self.driver.decided < self.budget;
        is_open.then(|| self.driver.ask()).flatten()
    }

    /// Whether a pass of this name, or the escape, has opened the branch.
    pub(super) fn is_of(&self, name: &str, passes: &[&Pass]) -> bool {
        match self.origin {
            Origin::Pump(pump) => passes[pump.pass.0].name == name,
            Origin::Escape => name == ESCAPE,
        }
    }

    /// Asks for nothing more.
    pub(super) fn close(&mut self) {
        self.budget = 0;
    }

    /// The queries that follow, whatever the verdicts.
    pub(super) fn ahead(&self, count: usize) -> Vec<Query> {
        self.driver.ahead(count)
    }
}

impl Pumping {
    /// Forgets what is due of a pass on this base.
    pub(super) fn skip(&mut self, pass: PassIndex) {
        if let Some((_, due)) = &mut self.due {
            due.retain(|pump| pump.pass != pass);
        }
    }
}

impl Pump {
    fn failure(self) -> Failure {
        Failure { pass: self.pass, attempt: Attempt::Pump, signature: self.signature }
    }
}

impl Driver {
    /// Tries the next pump; `false` if the stage is another one or no pump is left.
    pub(super) fn try_pump(&mut self) -> bool {
        let Some(pump) = self.next_pump() else { return false };
        let may_be_asked = |p: &Prepared| {
            p.grammatical
                && !self.is_smaller(&p.measure)
                && self.protected.is_kept(&p.contents)
                && !self.is_hopeless(p)
        };
        let Some(prepared) = self.pumped(pump).filter(may_be_asked) else { return true };
        match self.remembered(prepared.key) {
            Some(verdict) => drop(self.learn_pump(pump, prepared, verdict)),
            None => {
                let query = self.repeated(prepared.query(self.pass(pump.pass).name, 0.5));
                self.asked = Some(Asked { query, purpose: Purpose::Pump(pump, prepared) });
            }
        }
        true
    }

    /// Passes the branch's next query on, or abandons the branch if it has none.
    pub(super) fn step_branch(&mut self, mut branch: Box<Branch>) {
        let Some(query) = branch.ask() else { return self.abandon(&branch) };
        let query = Query { pass: Some(self.name_of(branch.origin)), ..query };
        self.asked = Some(Asked { query, purpose: Purpose::Branch });
        self.mode = Mode::Branch(branch);
    }

    /// Learns the verdict on a pump's candidate.
    pub(super) fn learn_pump(&mut self, pump: Pump, prepared: Prepared, verdict: Verdict) -> Reply {
        if verdict == Verdict::Interesting {
            self.open(pump, prepared);
        } else {
            self.failed.insert(pump.failure(), self.id);
        }
        Reply::Same
    }

    /// Learns the verdict on the branch's query. The branch lands as soon as it is below the trunk.
    pub(super) fn learn_branch(&mut self, verdict: Verdict) -> Reply {
        let Mode::Branch(mut branch) = self.take_mode() else { return Reply::Same };
        branch.driver.learn(verdict);
        match branch.origin {
            Origin::Pump(pump) => self.count_pump_run(pump),
            Origin::Escape => self.count_escape_run(),
        }
        // The measure must be lower, not only the text: the first program of a branch may precede the trunk
        // by its text.
        if self.is_smaller(&branch.driver.measure) {
            self.land(&branch);
            return self.better();
        }
        self.mode = Mode::Branch(branch);
        Reply::Same
    }

    /// Counts a run for a pump or for the branch that it opened.
    pub(super) fn count_pump_run(&mut self, pump: Pump) {
        self.pumping.runs += 1;
        self.stats_of(pump.pass).runs += 1;
    }

    fn next_pump(&mut self) -> Option<Pump> {
        if self.schedule.stage() != Stage::Pump || self.pumping.runs > BUDGET + self.runs / SHARE {
            return None;
        }
        if self.pumping.due.as_ref().is_none_or(|(base, _)| *base != self.id) {
            let mut pumps = self.pumps();
            pumps.reverse();
            self.pumping.due = Some((self.id, pumps));
        }
        let (_, due) = self.pumping.due.as_mut()?;
        due.pop()
    }

    /// The units of all pumps, without those that are known to fail.
    fn pumps(&self) -> Vec<Pump> {
        let mut pumps = Vec::new();
        for pass in (0..self.passes.len()).map(PassIndex).filter(|&pass| self.pass(pass).pump) {
            for (index, group) in (0..).map(GroupIndex).zip(self.plan(pass).iter()) {
                let signatures = self.signatures(pass, index, group).into_iter().enumerate();
                pumps.extend(signatures.map(|(unit, signature)| Pump {
                    pass,
                    group: index,
                    unit,
                    signature,
                }));
            }
        }
        pumps.retain(|pump| self.failed.get(&pump.failure()).is_none());
        pumps
    }

    /// Whether a program with this measure is smaller than the best one, whatever its text.
    pub(super) fn is_smaller(&self, measure: &Measure) -> bool {
        measure.toward(self.goal) < self.measure.toward(self.goal)
    }

    fn pumped(&self, pump: Pump) -> Option<Prepared> {
        let groups = self.plan(pump.pass);
        self.prepared(pump.pass, pump.group, groups.get(pump.group.0)?, &[pump.unit])
    }

    fn open(&mut self, pump: Pump, prepared: Prepared) {
        let grown = prepared.measure.tokens.saturating_sub(self.measure.tokens);
        let schedule = self.schedule.of_branch(&self.passes, &prepared.measure);
        let driver = self.from(prepared.contents, prepared.measure, schedule);
        self.open_branch(driver, Origin::Pump(pump), BUDGET + BUDGET_PER_TOKEN * grown);
    }

    /// A driver that goes on from another program with all that this one knows.
    pub(super) fn from(&self, contents: Arc<Contents>, measure: Measure, schedule: Schedule) -> Self {
        let mut driver = Self {
            schedule,
            trust: self.trust.of_branch(Entry { contents: Arc::clone(&contents), measure, pass: None }),
            stats: vec![PassStats::default(); self.passes.len()],
            runs: 0,
            decided: 0,
            ..self.clone()
        };
        driver.set_best(contents, measure);
        driver.commit();
        driver
    }

    /// Opens a branch that may decide about this many candidates.
    pub(super) fn open_branch(&mut self, driver: Driver, origin: Origin, budget: usize) {
        self.mode = Mode::Branch(Box::new(Branch { driver, origin, budget }));
    }

    fn name_of(&self, origin: Origin) -> &'static str {
        match origin {
            Origin::Pump(pump) => self.pass(pump.pass).name,
            Origin::Escape => ESCAPE,
        }
    }

    /// Makes the branch's best candidate the best candidate of the trunk.
    fn land(&mut self, branch: &Branch) {
        let (before, best, measure) = (self.measure, Arc::clone(&branch.driver.best), branch.driver.measure);
        match branch.origin {
            Origin::Pump(pump) => self.stats_of(pump.pass).count_accepted(before, measure),
            Origin::Escape => self.count_escaped(before, measure),
        }
        self.merge(&branch.driver);
        self.accept(self.name_of(branch.origin), best, measure);
        self.commit();
        self.schedule.landed();
    }

    fn abandon(&mut self, branch: &Branch) {
        self.merge(&branch.driver);
        if let Origin::Pump(pump) = branch.origin {
            self.failed.insert(pump.failure(), self.id);
        }
    }

    /// Keeps what a branch has learned about the test.
    fn merge(&mut self, branch: &Driver) {
        self.memo = branch.memo.clone();
        self.boring_words = branch.boring_words.clone();
        self.trust.merge(&branch.trust);
        self.refusals = branch.refusals;
        let before = self.id;
        self.id = self.id.max(branch.id);
        // The base is the same: what is due on it stays due. What was due on an earlier one does not.
        if let Some((base, _)) = self.pumping.due.as_mut().filter(|(base, _)| *base == before) {
            *base = self.id;
        }
        self.escape.renumber(before, self.id);
        self.schedule.renumber(before, self.id);
    }
}
