//! Isolating: what makes an input fail, what may stay while it passes, and the least difference.
//!
//! The delta debugging algorithms over any sequence, after Zeller and Hildebrandt, "Simplifying and
//! Isolating Failure-Inducing Input" (TSE 2002), in the variants of The Debugging Book.
//!
//! ```
//! use lopper_engine::isolate::{Goal, Outcome, Obstacle, dd};
//!
//! let fails = |numbers: &[u32]| {
//!     let odd = numbers.iter().filter(|n| *n % 2 == 1).count();
//!     Ok::<_, Obstacle>(if odd > 1 { Outcome::Fail } else { Outcome::Pass })
//! };
//! let triple = dd(Goal::Diff, &[1, 2, 3, 4, 5], fails)?;
//! assert_eq!(triple.difference.len(), 1);
//! # Ok::<_, Obstacle>(())
//! ```

mod arguments;
mod changes;
mod dd;
pub mod inputs;
mod tokens;

pub use arguments::{Argument, Isolated, max_args, min_arg_diff, min_args};
pub use changes::{By, Changes};
pub use dd::{Dd, Goal};
pub(crate) use tokens::without_tokens;

use crate::Verdict;
use crate::search::Ddmin;
use std::collections::BTreeMap;
use std::fmt;

/// What a run of the test says, seen by delta debugging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A run without the failure.
    Pass,
    /// The failure again.
    Fail,
    /// Neither: another failure, no answer, or none in time.
    Unresolved,
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Interesting => Self::Fail,
            Verdict::Boring => Self::Pass,
            Verdict::Invalid | Verdict::TimedOut | Verdict::OutOfMemory => Self::Unresolved,
        }
    }
}

/// Why nothing can be isolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The input that should fail passes.
    NotFailing,
    /// Of the input that should fail the test cannot tell.
    CannotTell,
    /// The input that should pass fails.
    NotPassing,
    /// The input that should fail does something else when it runs again.
    FailureNotReproduced,
    /// There is no input.
    NoCall,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFailing => "the input that should fail passes",
            Self::CannotTell => "the test cannot tell whether the input fails",
            Self::NotPassing => "the input that should pass fails",
            Self::FailureNotReproduced => "the failure did not occur again",
            Self::NoCall => "there is no input",
        })
    }
}

impl std::error::Error for Obstacle {}

/// A failing sequence, a passing one that it contains, and what is in the former only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple<T> {
    /// Passes, or is empty.
    pub passing: Vec<T>,
    /// Fails.
    pub failing: Vec<T>,
    /// The elements of `failing` that are not in `passing`, in order.
    pub difference: Vec<T>,
}

/// A minimal failing subsequence: it fails, or the whole did not, and no single element can be left
/// out, if the test is deterministic. Tests complements only, and never the empty sequence. O(n²) tests
/// at worst.
///
/// # Errors
/// `NotFailing` if the whole passes; what the test gives.
pub fn ddmin<T: Clone, E: From<Obstacle>>(
    elements: &[T],
    mut test: impl FnMut(&[T]) -> Result<Outcome, E>,
) -> Result<Vec<T>, E> {
    ddmin_ahead(elements, |elements, _| test(elements))
}

/// As [`ddmin`], for a test that may begin what comes next if the outcome is not what is hoped for.
pub(crate) fn ddmin_ahead<T: Clone, E: From<Obstacle>>(
    elements: &[T],
    mut test: impl FnMut(&[T], &mut dyn Iterator<Item = Vec<T>>) -> Result<Outcome, E>,
) -> Result<Vec<T>, E> {
    if test(elements, &mut std::iter::empty())? == Outcome::Pass {
        return Err(Obstacle::NotFailing.into());
    }
    let mut search = Ddmin::new((0..elements.len()).collect());
    while let Some(chunk) = search.ask() {
        let rest = search.rest().iter().filter(|i| chunk.binary_search(i).is_err());
        let rest: Vec<T> = rest.map(|&i| elements[i].clone()).collect();
        let outcome = test(&rest, &mut search.ahead().map(|rest| picked(elements, &rest)))?;
        search.learn(outcome == Outcome::Fail);
    }
    Ok(picked(elements, search.rest()))
}

/// A passing and a failing subsequence, as near to each other as `goal` says; see [`Dd`]. What was
/// tested is not tested again.
///
/// # Errors
/// `NotPassing` if the empty sequence fails although it should pass, `NotFailing` if the whole passes
/// although it should fail; what the test gives.
pub fn dd<T: Clone + Ord, E: From<Obstacle>>(
    goal: Goal,
    elements: &[T],
    mut test: impl FnMut(&[T]) -> Result<Outcome, E>,
) -> Result<Triple<T>, E> {
    dd_ahead(goal, elements, |elements, _| test(elements))
}

/// As [`dd`], for a test that may begin what comes next if the outcome is not what is hoped for.
pub(crate) fn dd_ahead<T: Clone + Ord, E: From<Obstacle>>(
    goal: Goal,
    elements: &[T],
    mut test: impl FnMut(&[T], &mut dyn Iterator<Item = Vec<T>>) -> Result<Outcome, E>,
) -> Result<Triple<T>, E> {
    let mut known: BTreeMap<Vec<T>, Outcome> = BTreeMap::new();
    let mut search = Dd::new(goal, elements.len());
    while let Some(wanted) = search.ask() {
        let candidate = picked(elements, &wanted);
        let outcome = match known.get(&candidate) {
            Some(outcome) => *outcome,
            None => {
                let look = |wanted: &[usize]| known.get(&picked(elements, wanted)).copied();
                test(&candidate, &mut search.ahead(look).map(|wanted| picked(elements, &wanted)))?
            }
        };
        known.insert(candidate, outcome);
        search.learn(outcome)?;
    }
    Ok(Triple {
        passing: picked(elements, search.passing()),
        failing: picked(elements, search.failing()),
        difference: picked(elements, &search.difference()),
    })
}

/// A maximal passing subsequence: no single element of the rest can come back. As [`dd`] with
/// [`Goal::Max`].
///
/// # Errors
/// As for [`dd`].
pub fn ddmax<T: Clone + Ord, E: From<Obstacle>>(
    elements: &[T],
    test: impl FnMut(&[T]) -> Result<Outcome, E>,
) -> Result<Vec<T>, E> {
    dd(Goal::Max, elements, test).map(|triple| triple.passing)
}

/// As many of the reductions as can be made at once: the list of those that are *not* made is minimised,
/// as [`dd`] does. The test gets those that are made, in their order; with none it must fail.
///
/// Reductions need not be independent: several alternatives for one place may be in the list, of which
/// the first that is made counts. After exercise 1 of "Reducing Failure-Inducing Inputs" in The Debugging
/// Book, where a reduction is a node of a syntax tree with what may stand for it.
///
/// # Errors
/// `NotFailing` if the input passes as it is; what the test gives.
pub fn keep_list<T: Clone, E: From<Obstacle>>(
    reductions: &[T],
    mut test: impl FnMut(&[T]) -> Result<Outcome, E>,
) -> Result<Vec<T>, E> {
    keep_list_ahead(reductions, |made, _| test(made))
}

/// As [`keep_list`], for a test that may begin what comes next if the outcome is not what is hoped for.
pub(crate) fn keep_list_ahead<T: Clone, E: From<Obstacle>>(
    reductions: &[T],
    mut test: impl FnMut(&[T], &mut dyn Iterator<Item = Vec<T>>) -> Result<Outcome, E>,
) -> Result<Vec<T>, E> {
    let all: Vec<usize> = (0..reductions.len()).collect();
    let made = |kept: &[usize]| {
        let made = all.iter().filter(|i| kept.binary_search(i).is_err());
        made.map(|&i| reductions[i].clone()).collect::<Vec<T>>()
    };
    let test = |kept: &[usize], ahead: &mut dyn Iterator<Item = Vec<usize>>| {
        test(&made(kept), &mut ahead.map(|kept| made(&kept)))
    };
    let kept = dd_ahead(Goal::Min, &all, test)?.failing;
    Ok(made(&kept))
}

/// The elements of these indices.
fn picked<T: Clone>(elements: &[T], indices: &[usize]) -> Vec<T> {
    indices.iter().map(|&i| elements[i].clone()).collect()
}

#[cfg(test)]
pub(crate) mod tests;
