//! Branches: a program that a pump made larger, and that may become smaller than before.
//!
//! When nothing is left to take, units of passes that are pumps are tried although they do not lower the
//! measure: a function's body in the place of all its calls, a value in the place of each use. Where one
//! is interesting, a clone of the driver goes on from it for a limited number of runs. As soon as it is
//! below the trunk, it lands as one commit; else it is abandoned. What is on disk is always the trunk.

use super::cache::units_key;
use super::candidate::Prepared;
use super::{Driver, PassStats, Query, Reply, Trust, difference};
use crate::schedule::{BaseId, Filter, Stage};
use crate::{Contents, Verdict};
use std::sync::Arc;

/// A branch that is open.
#[derive(Clone)]
pub(super) struct Branch {
    driver: Driver,
    pump: Pump,
    /// Runs after which it is abandoned.
    budget: usize,
}

/// A unit that may open a branch.
#[derive(Clone, Copy, Debug)]
struct Pump {
    pass: usize,
    group: usize,
    unit: usize,
    /// Identifies it on other bases, too.
    signature: u64,
}

/// How far the trunk has got with its pumps.
#[derive(Clone, Default)]
pub(super) struct Pumping {
    /// The base whose units these are, and those still to be tried, last first.
    due: Option<(BaseId, Vec<Pump>)>,
    /// The one that is asked for.
    wanted: Option<Pump>,
    /// Runs that went into pumps and branches.
    runs: usize,
}

/// A branch may take so many runs, and so many for each token that the program has become larger by.
const BUDGET: usize = 24;
const BUDGET_PER_TOKEN: usize = 4;
/// All branches together may take one run for so many others, beyond the first `BUDGET`.
const SHARE: usize = 4;

impl Driver {
    /// What pumps and branches want to know; `None` if they have come to their end.
    pub(super) fn ask_branch(&mut self) -> Option<Query> {
        loop {
            if let Some(branch) = &mut self.branch {
                let pass = Some(self.passes[branch.pump.pass].name);
                let is_open = branch.driver.runs < branch.budget;
                match is_open.then(|| branch.driver.ask()).flatten() {
                    Some(query) => return Some(Query { pass, ..query }),
                    None => self.abandon(),
                }
                continue;
            }
            // What was asked for and not answered is asked for again.
            let pump = self.pumping.wanted.take().or_else(|| self.next_pump())?;
            let Some(prepared) = self.pumped(pump).filter(|p| p.grammatical && p.measure >= self.measure)
            else {
                continue;
            };
            self.pumping.wanted = Some(pump);
            match self.memo.get(prepared.key) {
                Some(verdict) => drop(self.learn_branch(verdict)),
                None => {
                    let (contents, pass) = (Contents::clone(&prepared.contents), self.passes[pump.pass].name);
                    return Some(Query { contents, key: prepared.key, pass: Some(pass), chance: 0.5 });
                }
            }
        }
    }

    /// Whether the next verdict is for a pump or a branch.
    pub(super) fn is_branching(&self) -> bool {
        self.branch.is_some() || self.pumping.wanted.is_some()
    }

    /// Learns the verdict on what `ask_branch` wanted.
    pub(super) fn learn_branch(&mut self, verdict: Verdict) -> Reply {
        if let Some(branch) = &mut self.branch {
            branch.driver.learn(verdict);
            return self.land();
        }
        let Some(pump) = self.pumping.wanted.take() else { return Reply::Same };
        let Some(prepared) = self.pumped(pump) else { return Reply::Same };
        self.memo.insert(prepared.key, verdict);
        if verdict == Verdict::Interesting {
            self.open(pump, prepared);
        } else {
            self.failed.insert(self.pump_key(pump), self.id);
        }
        Reply::Same
    }

    /// Counts a run for the pump that is at work.
    pub(super) fn count_branch_run(&mut self) {
        let pump = self.branch.as_ref().map(|branch| branch.pump).or(self.pumping.wanted);
        self.pumping.runs += 1;
        pump.into_iter().for_each(|pump| self.stats[pump.pass].runs += 1);
    }

    /// The queries that follow in the branch, whatever the verdicts are.
    pub(super) fn branch_ahead(&self, count: usize) -> Vec<Query> {
        self.branch.as_ref().map_or_else(Vec::new, |branch| branch.driver.ahead(count))
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

    /// The units of all pumps that are not known to be of no use.
    fn pumps(&self) -> Vec<Pump> {
        let mut pumps = Vec::new();
        for pass in (0..self.passes.len()).filter(|&pass| self.passes[pass].pump) {
            for (group, units) in self.plan(pass).iter().enumerate() {
                let signatures = units.signatures(&self.base).into_iter().enumerate();
                pumps.extend(signatures.map(|(unit, signature)| Pump { pass, group, unit, signature }));
            }
        }
        pumps.retain(|&pump| self.failed.get(&self.pump_key(pump)).is_none());
        pumps
    }

    /// Pumps fail apart from the passes whose units they are: those fail if they do not lower the measure.
    fn pump_key(&self, pump: Pump) -> (usize, Filter, u64) {
        (self.passes.len() + pump.pass, Filter::On, pump.signature)
    }

    fn pumped(&self, pump: Pump) -> Option<Prepared> {
        let groups = self.plan(pump.pass);
        let key = units_key(pump.pass, pump.group, &[pump.unit]);
        self.prepared_once(key, pump.pass, groups.get(pump.group)?, &[pump.unit])
    }

    fn open(&mut self, pump: Pump, prepared: Prepared) {
        let grown = prepared.measure.tokens.saturating_sub(self.measure.tokens);
        let mut driver = self.clone();
        driver.schedule = self.schedule.of_branch(&driver.passes, &prepared.measure);
        driver.trust = Trust::new(&prepared.contents, prepared.measure);
        driver.stats = vec![PassStats::default(); driver.passes.len()];
        driver.runs = 0;
        driver.set_best(prepared.contents, prepared.measure);
        driver.commit();
        let budget = BUDGET + BUDGET_PER_TOKEN * grown;
        self.branch = Some(Box::new(Branch { driver, pump, budget }));
    }

    /// Makes the branch's best candidate the trunk's, if it is below that.
    fn land(&mut self) -> Reply {
        // By the measure, and not by the text only: a branch may begin with one that happens to come first.
        let is_below = |branch: &mut Box<Branch>| branch.driver.measure < self.measure;
        let Some(branch) = self.branch.take_if(is_below) else { return Reply::Same };
        let (best, measure) = (Arc::clone(&branch.driver.best), branch.driver.measure);
        let stats = &mut self.stats[branch.pump.pass];
        stats.accepted += 1;
        stats.tokens += difference(self.measure.tokens, measure.tokens);
        stats.bytes += difference(self.measure.bytes, measure.bytes);
        self.merge(&branch.driver);
        self.trust.accepted(&best, measure);
        self.set_best(best, measure);
        self.commit();
        self.schedule.landed();
        Reply::Better
    }

    fn abandon(&mut self) {
        let Some(branch) = self.branch.take() else { return };
        self.merge(&branch.driver);
        self.failed.insert(self.pump_key(branch.pump), self.id);
    }

    /// Keeps what a branch has learned of the test.
    fn merge(&mut self, branch: &Driver) {
        self.memo = branch.memo.clone();
        self.dull = branch.dull.clone();
        self.id = self.id.max(branch.id);
        self.pumping.due = self.pumping.due.take().map(|(_, due)| (self.id, due));
    }
}
