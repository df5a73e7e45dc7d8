//! Second looks: the best candidate is tested again now and then, in case the test flickers, or no longer works.
//!
//! If a look contradicts the first verdict, the test flickers. Then the original is tested repeatedly, to
//! measure how often it is accepted, and the newest candidate until it is decided. If it turns out to be
//! boring, bisection finds an earlier candidate that is interesting, whose successor is not; the reduction
//! goes back to it.

use super::trust::Look;
use super::{Asked, Driver, Mode, Purpose, Query, Reply};
use crate::Verdict;
use crate::contents::{Contents, key};
use crate::flicker::{Decision, Tally};

/// The number of runs between looks at the best candidate. A look costs a run, or some 15 if the test
/// flickers; a mistake costs all progress since the last look.
const LOOK_AFTER: usize = 32;
const LOOK_AFTER_IN_FLICKER: usize = 96;

/// The number of runs without a new candidate after which the best one is looked at once more. A test that no longer works (it
/// has lost a file or a service, or the disk is full) accepts nothing, which looks like a result that cannot be reduced.
const LOOK_IN_VAIN: usize = 256;

/// The number of last looks at a result. A test that accepts a boring program in one of ten runs has then accepted it in four runs in a
/// row, which no other look need have seen in a short reduction.
const LAST_LOOKS: u8 = 2;

/// The expectation that an accepted candidate is interesting.
const HOPE: f64 = 0.99;

impl Driver {
    /// Makes a second look due if the last one is long ago.
    pub(super) fn look_now_and_then(&mut self) {
        let pace = if self.trust.flickers { LOOK_AFTER_IN_FLICKER } else { LOOK_AFTER };
        let since = self.runs.saturating_sub(self.trust.looked);
        let is_due = since >= pace && self.look_soon();
        if !is_due && since >= LOOK_IN_VAIN && !self.trust.flickers && !self.schedule.is_branch() {
            self.trust.look = Some(Look::Once);
        }
    }

    /// Makes a second look due, if the best candidate has had none since it became the best. In a branch no
    /// look is due: its candidates are looked at after it has landed.
    pub(super) fn look_soon(&mut self) -> bool {
        let due = self.trust.newest() > self.trust.confirmed && !self.schedule.is_branch();
        if due {
            self.trust.look = Some(if self.trust.flickers { Look::Confirm } else { Look::Once });
        }
        due
    }

    /// Makes a last look due, at the end of a reduction by a test that does not flicker.
    pub(super) fn look_at_last(&mut self) -> bool {
        let due = !self.trust.flickers && self.trust.last_looks < LAST_LOOKS && !self.schedule.is_branch();
        let due = due && self.trust.newest() > 0;
        if due {
            self.trust.look = Some(Look::Last);
        }
        due
    }

    /// Asks for the second look that is due, if any.
    pub(super) fn ask_look(&mut self) {
        let Some(look) = self.trust.look else { return };
        let index = match look {
            Look::Once | Look::Last | Look::Confirm => self.trust.newest(),
            Look::Measure => 0,
            Look::Bisect { entry, .. } => entry,
        };
        let contents = Contents::clone(&self.trust.history[index].contents);
        let key = key(&contents);
        let tally = self.trust.tally(key, self.memo.peek(key));
        let chance = self.trust.rates().map_or(HOPE, |rates| rates.chance(tally, HOPE));
        let (alone, last) = (look == Look::Measure, look == Look::Last);
        let query = Query { contents, key, pass: None, chance, repeat: 0, alone, last };
        self.asked = Some(Asked { query: query.repeated(tally.runs), purpose: Purpose::Look });
    }

    /// Learns the verdict of a second look.
    pub(super) fn learn_look(&mut self, verdict: Verdict) -> Reply {
        let Some(look) = self.trust.look else { return Reply::Same };
        self.trust.looked = self.runs;
        let newest = self.trust.newest();
        match look {
            Look::Once | Look::Last => {
                self.count_look(newest, verdict);
                if verdict == Verdict::Interesting {
                    self.trust.confirmed = newest;
                    self.trust.last_looks += u8::from(look == Look::Last);
                    self.trust.look = None;
                } else {
                    // The earlier entries were confirmed by one look each, which is not enough any more.
                    self.trust.confirmed = 0;
                    self.trust.look = Some(Look::Measure);
                }
                Reply::Same
            }
            Look::Measure => {
                self.count_look(0, verdict);
                let run = Tally::once(verdict == Verdict::Interesting);
                self.trust.original = self.trust.original.plus(run);
                if !self.trust.original.is_measured() {
                    return Reply::Same;
                }
                self.trust.flickers = true;
                // From now on, runs get as much time as on the original: a slow candidate may have another verdict.
                self.memo.forget(Verdict::TimedOut);
                self.trust.look = Some(Look::Confirm);
                Reply::Measured
            }
            Look::Confirm => {
                match self.decide(newest, verdict) {
                    Decision::Open | Decision::Likely => return Reply::Same,
                    Decision::Sure => {
                        self.trust.confirmed = newest;
                        self.trust.look = None;
                    }
                    Decision::Boring => self.bisect(self.trust.confirmed, newest),
                }
                self.trust.tell_confirmed()
            }
            Look::Bisect { good, entry, boring } => {
                match self.decide(entry, verdict) {
                    Decision::Open => return Reply::Same,
                    Decision::Likely | Decision::Sure => self.bisect(entry, boring),
                    Decision::Boring => self.bisect(good, entry),
                }
                self.trust.tell_confirmed()
            }
        }
    }

    /// Counts a run on an entry of the history; returns all its runs.
    fn count_look(&mut self, entry: usize, verdict: Verdict) -> Tally {
        let key = key(&self.trust.history[entry].contents);
        self.trust.count(key, self.memo.peek(key), verdict)
    }

    /// Counts a run on an entry of the history; returns the decision about it.
    fn decide(&mut self, entry: usize, verdict: Verdict) -> Decision {
        let tally = self.count_look(entry, verdict);
        let Some(rates) = self.trust.rates() else { return Decision::Open };
        let decision = rates.reconsider(tally);
        if decision == Decision::Boring {
            self.trust.is_boring(tally);
            self.memo.insert(key(&self.trust.history[entry].contents), Verdict::Boring);
        }
        decision
    }

    /// Looks at the entry between an interesting and a boring one, or goes back to the interesting one if there
    /// is none.
    fn bisect(&mut self, good: usize, boring: usize) {
        if good + 1 < boring {
            self.trust.look = Some(Look::Bisect { good, entry: good.midpoint(boring), boring });
            return;
        }
        self.trust.history.truncate(boring);
        let entry = self.trust.history[good].clone();
        self.set_best(entry.contents, entry.measure);
        // All plans refer to a wrong base.
        self.mode = Mode::Choosing;
        self.commit();
        self.schedule.landed();
        // The user must not be left with a boring program.
        let is_lost = self.trust.is_told_after(good) && good > self.trust.confirmed;
        self.trust.look = is_lost.then_some(Look::Confirm);
    }
}
