//! Folds: values that are computed from the leaves up, over all trees of a text at once.

use super::rules::RuleId;
use std::hash::Hash;

/// What a fold computes: a state for every node of a derivation tree, from the states of its children. A rule is read
/// from left to right, symbol by symbol.
pub trait Fold {
    /// The value of a nonterminal's node.
    type State: Clone + Ord + Hash;
    /// The value of a rule of which some symbols have been read.
    type Partial: Clone + Ord + Hash;

    /// No symbol of the rule has been read.
    fn begin(&self, rule: RuleId) -> Self::Partial;

    /// One more symbol has been read: a terminal that stands for this text.
    fn terminal(&self, partial: &Self::Partial, text: &[u8]) -> Self::Partial;

    /// One more symbol has been read: a nonterminal with this state.
    fn nonterminal(&self, partial: &Self::Partial, state: &Self::State) -> Self::Partial;

    /// All symbols have been read.
    fn end(&self, partial: &Self::Partial) -> Self::State;
}
