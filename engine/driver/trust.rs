//! Second looks: the best candidate is tested again now and then, in case the test answers by chance.

use super::{Asked, Driver, Mode, Purpose, Query, Reply};
use crate::Verdict;
use crate::contents::{Contents, key};
use lopper_languages::measure::Measure;
use std::sync::Arc;

/// What is known of the test's constancy. A test that answers by chance accepts something wrong
/// sooner or later, and everything after that is lost; so the best candidate is looked at again now and
/// then and at the end of each sweep, and if it fails, the reduction goes back to the newest that does not.
#[derive(Clone)]
pub(super) struct Trust {
    /// Accepted since the last look, oldest first; before them the one that was last confirmed.
    history: Vec<(Arc<Contents>, Measure)>,
    /// The look that is due: which entry of the history, and how many more times.
    due: Option<(usize, u32)>,
    /// Whether the test was seen to change its mind: then each success is looked at again at once.
    doubt: bool,
    /// The runs at the last look.
    looked: usize,
    /// Makes the keys of repeated runs differ.
    looks: u128,
}

/// After how many runs the best candidate is looked at again: a look costs a run, and a mistake what was
/// done since the last one.
const LOOK_AFTER: usize = 32;

/// How often a candidate must be accepted again, once the test has been seen to change its mind.
const LOOKS: u32 = 3;

impl Trust {
    /// What is known at first: that the test accepts this.
    pub(super) fn new(contents: &Arc<Contents>, measure: Measure) -> Self {
        Self { history: vec![(Arc::clone(contents), measure)], due: None, doubt: false, looked: 0, looks: 0 }
    }

    /// Whether a look is due.
    pub(super) fn is_looking(&self) -> bool {
        self.due.is_some()
    }

    /// The test accepted a new best candidate.
    pub(super) fn accepted(&mut self, contents: &Arc<Contents>, measure: Measure) {
        self.history.push((Arc::clone(contents), measure));
        if self.doubt {
            self.due = Some((self.history.len() - 1, LOOKS));
        }
    }
}

impl Driver {
    /// [`Self::look_soon`], if the last look is long ago.
    pub(super) fn look_now_and_then(&mut self) {
        if self.runs >= self.trust.looked + LOOK_AFTER {
            self.look_soon();
        }
    }

    /// Wants the best candidate looked at again if it was not since it became the best; not in a branch,
    /// whose candidates are looked at when they have landed.
    pub(super) fn look_soon(&mut self) -> bool {
        let newest = self.trust.history.len() - 1;
        let due = newest > 0 && !self.schedule.is_branch();
        if due {
            self.trust.due = Some((newest, 1));
        }
        due
    }

    /// Asks for the second look that is due, if any.
    pub(super) fn ask_look(&mut self) {
        let Some((entry, _)) = self.trust.due else { return };
        let (contents, _) = &self.trust.history[entry];
        let key = key(contents).wrapping_add(self.trust.looks + 1);
        let query = Query { contents: Contents::clone(contents), key, pass: None, chance: 0.99 };
        self.asked = Some(Asked { query, purpose: Purpose::Look });
    }

    /// Learns what the test says of what [`Self::ask_look`] wanted.
    pub(super) fn looked_again(&mut self, interesting: bool) -> Reply {
        let Some((entry, left)) = self.trust.due else { return Reply::Same };
        self.trust.looks += 1;
        self.trust.looked = self.runs;
        if interesting && left > 1 {
            self.trust.due = Some((entry, left - 1));
            return Reply::Same;
        }
        if !interesting && entry > 0 {
            self.memo.insert(key(&self.trust.history[entry].0), Verdict::Boring);
            self.trust.history.truncate(entry);
            self.trust.doubt = true;
            self.trust.due = Some((entry - 1, LOOKS));
            // Whatever was planned stands on the wrong ground.
            let (contents, measure) = self.trust.history[entry - 1].clone();
            self.set_best(contents, measure);
            self.mode = Mode::Choosing;
            self.commit();
            return Reply::Retreat;
        }
        self.trust.due = None;
        self.trust.history.drain(..entry);
        Reply::Same
    }
}
