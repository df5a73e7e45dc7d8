//! A pass at work: its turn, and how far the turn has come.

use crate::index::GroupIndex;
use crate::schedule::{BaseId, Turn};
use lopper_passes::Group;
use std::sync::Arc;

/// A pass at work.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) turn: Turn,
    pub(super) groups: Arc<Vec<Group>>,
    /// The group that comes next.
    pub(super) cursor: GroupIndex,
    /// The base and the state when the pass began.
    pub(super) began: BaseId,
    pub(super) worth: f64,
    pub(super) runs: usize,
    /// Runs since something was accepted.
    pub(super) fruitless: usize,
}

/// After how many runs without success a pass ends its turn.
const PATIENCE: usize = 64;

impl Work {
    /// Whether the pass has had so many runs without success that it ends its turn.
    pub(super) fn is_out_of_patience(&self) -> bool {
        self.fruitless >= PATIENCE
    }

    /// The same for the search of a group. What a coarse sweep does not find soon is for finer ones.
    pub(super) fn gives_up_search(&self) -> bool {
        self.turn.floor > 0 && self.is_out_of_patience()
    }
}
