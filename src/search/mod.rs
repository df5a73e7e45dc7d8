//! Searches: which units of a group to take next. They ask, they never run anything.

mod chance;
mod ddmin;
mod halving;

pub use chance::Chance;
pub use ddmin::Ddmin;
pub use halving::Halving;

/// A cloneable state machine over the units of a group. It wants sets of units tested together, and
/// decides which of those that were accepted are taken.
pub trait Search: Send + Sync {
    /// The units of the next candidate, sorted, those that are taken included; `None` at the end.
    /// Asking again without `learn` in between gives the same answer.
    fn next(&mut self) -> Option<Vec<usize>>;

    /// Tells whether the candidate that `next` wanted was accepted.
    fn learn(&mut self, accepted: bool);

    /// The units that are taken, sorted: a set that was accepted, or none.
    fn taken(&self) -> &[usize];

    /// What it will want after `next`, whatever the verdicts are: at most `count` sets, in order.
    fn ahead(&self, count: usize) -> Vec<Vec<usize>>;

    /// How likely what `next` wants is to be accepted.
    fn odds(&self) -> f64;

    /// How likely a unit is to be accepted, as far as the search has seen.
    fn chance(&self) -> Chance;

    /// A copy that goes its own way: for looking at possible futures.
    fn fork(&self) -> Box<dyn Search>;
}

/// What a search may know about a group beside its units.
#[derive(Clone, Debug)]
pub struct Outline {
    /// For each unit which choice it belongs to: of one choice at most one unit is taken. Units of a
    /// choice have neighbouring indices.
    pub choices: Vec<usize>,
    /// For each unit how many tokens are at stake.
    pub weights: Vec<usize>,
    /// Units that together weigh no more than this are not split when they fail: finer searches come
    /// later, when other things have gone.
    pub floor: usize,
    /// How likely a unit is to be accepted.
    pub chance: Chance,
}
