//! Isolating in files: the changes of several inputs, tested as candidates.

use super::arguments::{Ask, isolate, isolate_by_ddmin};
use super::{Changes, Goal, Isolated, Outcome};
use crate::Contents;
use crate::asker::{Asker, Halt, Stop};
use crate::driver::Query;

/// For each input, the changes that are made, sorted.
pub type Made = Vec<Vec<usize>>;

/// The variant of delta debugging that isolates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// dd, which tests parts and complements, from the passing and the failing inputs at once.
    Dd,
    /// ddmin as first published, which tests complements only. It takes one input, and a passing input plays no part.
    Ddmin,
}

/// Learns the best passing and failing inputs so far, and makes them safe.
pub type Found<'a> = dyn FnMut(&[Vec<usize>], &[Vec<usize>]) -> Result<(), Stop> + 'a;

/// The name under which runs of the test are counted and told.
const NAME: &str = "isolate";

/// All changes of all inputs, which give the failing ones.
pub fn all(inputs: &[Changes]) -> Made {
    inputs.iter().map(|changes| (0..changes.count()).collect()).collect()
}

/// The files of all inputs with these changes; `None` if they cannot be made.
pub fn files(inputs: &[Changes], made: &[Vec<usize>]) -> Option<Contents> {
    let files = inputs.iter().zip(made).map(|(changes, made)| changes.files(made));
    files.collect::<Option<Vec<_>>>().map(|files| files.concat())
}

/// Isolates the changes by which the inputs fail; see [`min_arg_diff`](super::min_arg_diff).
///
/// # Errors
/// If the run is over, or the inputs leave nothing to search.
pub fn isolate_changes(
    goal: Goal,
    variant: Variant,
    inputs: &[Changes],
    asker: &mut dyn Asker,
    found: &mut Found,
) -> Result<Isolated<usize>, Halt> {
    let all = all(inputs);
    let mut calls = Calls { inputs, asker, found };
    match variant {
        Variant::Dd => isolate(goal, &all, &mut calls),
        Variant::Ddmin => isolate_by_ddmin(all.first().map_or(&[][..], |input| input), &mut calls),
    }
}

/// Calls whose arguments are the inputs with some of their changes.
struct Calls<'a, 'f> {
    inputs: &'a [Changes],
    asker: &'a mut dyn Asker,
    found: &'a mut Found<'f>,
}

impl Ask<usize> for Calls<'_, '_> {
    type Error = Halt;

    fn test(&mut self, made: &[Vec<usize>], ahead: &mut dyn Iterator<Item = Made>) -> Result<Outcome, Halt> {
        let inputs = self.inputs;
        let query = |made: &[Vec<usize>]| Some(Query::new(files(inputs, made)?, NAME));
        let Some(wanted) = query(made) else { return Ok(Outcome::Unresolved) };
        let verdict = self.asker.verdict(wanted, &mut ahead.filter_map(|made| query(&made)))?;
        Ok(verdict.into())
    }

    fn found(&mut self, passing: &[Vec<usize>], failing: &[Vec<usize>]) -> Result<(), Halt> {
        Ok((self.found)(passing, failing)?)
    }
}
