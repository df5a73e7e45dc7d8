//! Second looks: the best candidate is tested again now and then, in case the test is flaky.

use super::{Asked, Driver, Mode, Purpose, Query, Reply};
use crate::Verdict;
use crate::contents::{Contents, key};
use lopper_languages::measure::Measure;
use std::sync::Arc;

/// The driver's knowledge of the test's reliability. A flaky test sooner or later accepts a wrong candidate,
/// and all progress after it is lost. So the best candidate is tested again now and then and at the end of
/// each sweep; if it fails, the reduction goes back to the newest candidate that does not.
#[derive(Clone)]
pub(super) struct Trust {
    /// The candidate that was last confirmed, and the candidates accepted since, oldest first.
    history: Vec<(Arc<Contents>, Measure)>,
    /// The look that is due: an index into the history, and the number of runs that remain.
    due: Option<(usize, u32)>,
    /// Whether the test has contradicted itself: then each success is looked at again at once.
    doubt: bool,
    /// The number of runs at the last look.
    looked: usize,
    /// The number of looks, which makes the keys of repeated runs differ.
    looks: u128,
}

/// The number of runs between looks at the best candidate. A look costs a run; a mistake costs all progress
/// since the last look.
const LOOK_AFTER: usize = 32;

/// How often a candidate must be accepted again once the test has contradicted itself.
const LOOKS: u32 = 3;

impl Trust {
    /// The state at the beginning, when only the original is known to be accepted.
    pub(super) fn new(contents: &Arc<Contents>, measure: Measure) -> Self {
        Self { history: vec![(Arc::clone(contents), measure)], due: None, doubt: false, looked: 0, looks: 0 }
    }

    /// Whether a look is due.
    pub(super) fn is_looking(&self) -> bool {
        self.due.is_some()
    }

    /// Records that the test has accepted a new best candidate.
    pub(super) fn accepted(&mut self, contents: &Arc<Contents>, measure: Measure) {
        self.history.push((Arc::clone(contents), measure));
        if self.doubt {
            self.due = Some((self.history.len() - 1, LOOKS));
        }
    }
}

impl Driver {
    /// Calls [`Self::look_soon`] if the last look is `LOOK_AFTER` runs ago.
    pub(super) fn look_now_and_then(&mut self) {
        if self.runs >= self.trust.looked + LOOK_AFTER {
            self.look_soon();
        }
    }

    /// Makes a second look due, if the best candidate has had none since it became the best. In a branch no
    /// look is due: its candidates are looked at after it has landed.
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

    /// Learns the verdict of a second look.
    pub(super) fn learn_look(&mut self, interesting: bool) -> Reply {
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
            // All plans refer to a wrong base.
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
