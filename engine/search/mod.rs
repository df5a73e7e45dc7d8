//! Searches decide which units of a group to test together next. They ask for verdicts; they run nothing.

mod chance;
mod counting;
mod ddmin;
mod halving;
mod ordered;
mod probabilistic;
pub(crate) mod reversed;
mod rounds;
mod weighted;

pub use chance::Chance;
pub use ddmin::Ddmin;

/// A search as the registry lists it.
#[derive(Debug)]
pub struct Kind {
    /// The name for users.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// Starts the search over those units of an outline that are in a sorted list.
    pub start: fn(Outline, Vec<usize>) -> Box<dyn Search>,
}

/// All searches; the first one is the default.
pub static SEARCHES: &[Kind] = &[
    Kind {
        name: "halving",
        summary: "groups of the most profitable size; a group that fails is split in two",
        start: halving::start,
    },
    Kind {
        name: "ddmin",
        summary: "chunks with equal numbers of units, each in turn, then smaller ones",
        start: ddmin::start,
    },
    Kind {
        name: "weighted",
        summary: "ddmin with chunks of equal weight instead of equal count",
        start: weighted::start,
    },
    Kind {
        name: "probabilistic",
        summary: "ProbDD: the set with the largest expected gain; a failure lowers the chances of its units",
        start: probabilistic::start,
    },
    Kind {
        name: "counting",
        summary: "CDD: the number of the round determines the size of the chunks",
        start: counting::start,
    },
    Kind { name: "ordered", summary: "one unit at a time, each once", start: ordered::start },
];

/// The search with this name.
pub fn named(name: &str) -> Option<&'static Kind> {
    SEARCHES.iter().find(|kind| kind.name == name)
}

/// A cloneable state machine over the units of a group. It asks for sets of units to be tested together, and
/// decides which of the accepted units are *taken*, that is, applied for good.
pub trait Search: Send + Sync {
    /// The units of the next candidate, sorted, the taken ones included; `None` at the end. A second call
    /// without `learn` in between returns the same units.
    fn ask(&mut self) -> Option<Vec<usize>>;

    /// Learns whether the candidate that `ask` returned was accepted.
    fn learn(&mut self, accepted: bool);

    /// The taken units, sorted: an accepted set, or none.
    fn taken(&self) -> &[usize];

    /// The candidates after the current one that are certain, whatever the verdicts: at most `count` sets, in
    /// order.
    fn ahead(&self, count: usize) -> Vec<Vec<usize>>;

    /// The probability that the candidate of `ask` is accepted.
    fn odds(&self) -> f64;

    /// The probability that a unit is accepted, as far as the search has learned.
    fn chance(&self) -> Chance;

    /// An independent copy, for looking at possible futures.
    fn fork(&self) -> Box<dyn Search>;
}

/// The facts about a group that a search may use.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The choice to which each unit belongs: at most one unit of a choice is taken. The units of a choice
    /// have consecutive indices.
    pub choices: Vec<usize>,
    /// The number of tokens that each unit can delete.
    pub weights: Vec<usize>,
    /// The weight, in tokens, up to which a failed set of units is not split: finer searches follow, when
    /// other parts have been deleted.
    pub floor: usize,
    /// The probability that a unit is accepted, as learned before this search.
    pub chance: Chance,
}

#[cfg(test)]
mod tests;
