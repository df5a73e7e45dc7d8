//! A pass at work: its turn, and its progress in the turn.

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
    /// The group with which the turn began.
    pub(super) first: GroupIndex,
    /// The base when the turn began; `worth` and `runs` are from that moment, too.
    pub(super) began: BaseId,
    pub(super) worth: f64,
    pub(super) runs: usize,
    /// Runs since the last accepted candidate.
    pub(super) fruitless: usize,
    /// The number of such runs after which the turn ends.
    pub(super) patience: usize,
    /// Whether the user has asked to go on without the pass.
    pub(super) is_skipped: bool,
}

impl Work {
    /// Whether the pass ends its turn, since it has had too many runs without success, or is skipped.
    pub(super) fn is_out_of_patience(&self) -> bool {
        self.is_skipped || self.fruitless >= self.patience
    }

    /// Whether the search of a group ends early. Only a coarse sweep gives up by itself, since finer sweeps
    /// follow.
    pub(super) fn gives_up_search(&self) -> bool {
        self.is_skipped || self.turn.floor > 0 && self.is_out_of_patience()
    }
}
