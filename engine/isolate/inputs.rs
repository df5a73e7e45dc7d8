//! Isolation in files: the changes of several inputs, tested as candidates.

use super::arguments::{Ask, isolate, isolate_by_ddmin};
use super::{Changes, Goal, Isolated, Outcome};
use crate::Contents;
use crate::asker::{Asker, Halt, Stop};
use crate::driver::Query;

/// For each input, the changes made, sorted.
pub type Made = Vec<Vec<usize>>;

/// A variant of delta debugging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// dd, which tests parts and complements, and works on the passing and the failing inputs together.
    Dd,
    /// ddmin, which tests complements only. It takes one input, and a passing input plays no part.
    Ddmin,
}

/// Learns the best passing and failing inputs so far, and makes them safe.
pub type Found<'a> = dyn FnMut(&[Vec<usize>], &[Vec<usize>]) -> Result<(), Stop> + 'a;

/// The name under which test runs are counted and reported.
const NAME: &str = "isolate";

/// All changes of all inputs: they make the failing inputs.
pub fn all(inputs: &[Changes]) -> Made {
    inputs.iter().map(|changes| (0..changes.count()).collect()).collect()
}

/// The files of all inputs with only these changes; `None` if the edits cannot be rendered.
pub fn files(inputs: &[Changes], made: &[Vec<usize>]) -> Option<Contents> {
    let files = inputs.iter().zip(made).map(|(changes, made)| changes.files(made));
    files.collect::<Option<Vec<_>>>().map(|files| files.concat())
}

/// Isolates the changes that make the inputs fail; see [`min_arg_diff`](super::min_arg_diff).
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

/// Runs calls whose arguments are inputs with some of their changes.
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
