//! Turns: the schedule chooses a pass, and the pass goes through the groups of its plan.

use super::searching::Searching;
use super::work::Work;
use super::{Driver, Mode};
use crate::index::GroupIndex;
use crate::schedule::{Stage, Yield, worth};
use std::sync::Arc;

impl Driver {
    /// Lets the schedule choose a pass, unless a second look is due or the pumps' stage begins; `false` at
    /// the fixpoint.
    pub(super) fn choose_pass(&mut self) -> bool {
        let turn = loop {
            if let Some(turn) = self.schedule.next(self.id, &self.measure) {
                break turn;
            }
            // If the test flickers, a look costs many runs.
            if !self.trust.flickers && self.look_soon() {
                return true;
            }
            if !self.schedule.new_sweep(self.id, &self.measure) {
                return self.look_soon() || self.look_at_last();
            }
            if matches!(self.schedule.stage(), Stage::Pump | Stage::Escape) {
                return true;
            }
        };
        let first = self.schedule.cursor(turn);
        self.mode = Mode::Turn(Work {
            turn,
            groups: self.plan(turn.pass),
            first,
            cursor: first,
            began: self.id,
            worth: worth(&self.measure),
            runs: self.runs,
            fruitless: 0,
            patience: self.schedule.patience(turn),
            is_skipped: false,
        });
        true
    }

    /// Begins the search of the pass's next group, or ends the pass's turn.
    pub(super) fn next_group(&mut self, mut work: Work) {
        let turn = work.turn;
        let mut yielded = Yield {
            left: None,
            gain: work.worth - worth(&self.measure),
            runs: self.runs - work.runs,
            size: self.measure,
        };
        let groups = Arc::clone(&work.groups);
        let index = if self.is_reversed { work.cursor.from_end(groups.len()) } else { Some(work.cursor) };
        let next = index.and_then(|index| Some((index, groups.get(index.0)?)));
        // Large parts first: in a coarse sweep, a pass waits while another one is expected to give more.
        let waits = self.id != work.began
            && next.is_some()
            && if turn.floor > 0 {
                self.schedule.is_outdone(turn, yielded, self.id)
            } else {
                let clearing = self.schedule.clearing(turn, self.id, &self.measure);
                clearing.is_some_and(|pass| !self.plan(pass).is_empty())
            };
        let ends = work.is_out_of_patience() || self.schedule.is_fruitless(turn, yielded) || waits;
        if let Some((index, group)) = next.filter(|_| !ends) {
            work.cursor = work.cursor.next();
            self.mode = match self.search(turn, index, group) {
                Some(searching) => Mode::Searching(work, searching),
                None => Mode::Turn(work),
            };
            return;
        }
        // A pass without success lets others have their turn. In a fine sweep it comes back for the groups that this turn has not
        // seen; remembered failures keep it from asking anything twice.
        let unfinished = turn.floor == 0 && (next.is_some() || work.first != GroupIndex::FIRST);
        yielded.left = (work.is_skipped || self.id == work.began && !unfinished).then_some(self.id);
        self.schedule.record(turn, yielded, if waits { work.cursor } else { GroupIndex::FIRST });
        if work.is_skipped {
            self.schedule.suspend(turn.pass, &self.measure);
        }
        self.look_now_and_then();
    }

    /// Commits the taken units of a group; then the pass plans again and goes on with the next group.
    pub(super) fn finish_group(&mut self, mut work: Work, searching: &Searching) {
        self.schedule.learn_chance(work.turn, searching.search.chance());
        if !searching.search.taken().is_empty() {
            self.commit();
            work.groups = self.plan(work.turn.pass);
        }
        self.mode = Mode::Turn(work);
    }
}
