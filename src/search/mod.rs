//! Searches: which units of a group to take next. They ask, they never run anything.

mod ddmin;
mod halving;

pub use ddmin::Ddmin;
pub use halving::Halving;

/// A cloneable state machine over the units `0..n` of a group. It wants sets of units tested
/// together; a set that is accepted stays taken in everything that it asks for later.
pub trait Search: Send {
    /// The units to take in the next candidate, sorted, those taken before included; `None` at the
    /// end. Asking again without `learn` in between gives the same answer.
    fn next(&mut self) -> Option<Vec<usize>>;

    /// Tells whether the candidate that `next` wanted was accepted.
    fn learn(&mut self, accepted: bool);

    /// A copy that goes its own way: for looking at possible futures.
    fn fork(&self) -> Box<dyn Search>;
}

/// What a search may know about a group beside the number of its units.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// For each unit which choice it belongs to: of one choice at most one unit is taken. Units of a
    /// choice have neighbouring indices.
    pub choices: Vec<usize>,
    /// For each unit how much is at stake.
    pub weights: Vec<usize>,
    /// How likely a unit is to be accepted, from 0 to 1.
    pub chance: f64,
}
