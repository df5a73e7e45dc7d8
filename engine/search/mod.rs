//! Searches: which units of a group to take next. They ask, they never run anything.

mod chance;
mod counting;
mod ddmin;
mod halving;
mod ordered;
mod probabilistic;
mod rounds;
mod weighted;

pub use chance::Chance;
pub use ddmin::Ddmin;

/// A kind of search.
#[derive(Debug)]
pub struct Kind {
    /// What users call it.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Starts one over the units of an outline that are in a sorted list.
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

/// The search of this name.
pub fn named(name: &str) -> Option<&'static Kind> {
    SEARCHES.iter().find(|kind| kind.name == name)
}

/// A cloneable state machine over the units of a group. It wants sets of units tested together, and
/// decides which of those that were accepted are taken.
pub trait Search: Send + Sync {
    /// The units of the next candidate, sorted, those that are taken included; `None` at the end.
    /// Asking again without `learn` in between gives the same answer.
    fn ask(&mut self) -> Option<Vec<usize>>;

    /// Tells whether the candidate that `ask` wanted was accepted.
    fn learn(&mut self, accepted: bool);

    /// The units that are taken, sorted: a set that was accepted, or none.
    fn taken(&self) -> &[usize];

    /// What it will want after `ask`, whatever the verdicts are: at most `count` sets, in order.
    fn ahead(&self, count: usize) -> Vec<Vec<usize>>;

    /// How likely what `ask` wants is to be accepted.
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

#[cfg(test)]
mod tests;
