//! Isolation: finds a minimal failing input, a maximal passing one, or the least difference between the two.
//!
//! The delta debugging algorithms for sequences of any kind, after Zeller and Hildebrandt, "Simplifying and
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

/// The result of a test run, as delta debugging sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A run without the failure.
    Pass,
    /// A run with the failure.
    Fail,
    /// Neither: another failure, no answer, or a time-out.
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

/// The reason why nothing can be isolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The input that should fail passes.
    NotFailing,
    /// The test cannot tell whether the input that should fail fails.
    CannotTell,
    /// The input that should pass fails.
    NotPassing,
    /// The input that should fail neither fails nor passes when it is run.
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

/// A failing sequence, a passing subsequence of it, and their difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple<T> {
    /// The passing sequence; empty if none was looked for.
    pub passing: Vec<T>,
    /// The failing sequence.
    pub failing: Vec<T>,
    /// The elements of `failing` that are not in `passing`, in order.
    pub difference: Vec<T>,
}

/// A minimal failing subsequence: no single element can be left out, if the test is deterministic. It is the
/// whole sequence if no tested one fails. Tests complements only, and never the empty sequence. O(n²) tests
/// at worst.
///
/// # Errors
/// `NotFailing` if the whole sequence passes; any error of the test.
pub fn ddmin<T: Clone, E: From<Obstacle>>(
    elements: &[T],
    mut test: impl FnMut(&[T]) -> Result<Outcome, E>,
) -> Result<Vec<T>, E> {
    ddmin_ahead(elements, |elements, _| test(elements))
}

/// As [`ddmin`], for a test that may run the following candidates ahead.
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

/// A passing and a failing subsequence, as near to each other as `goal` demands; see [`Dd`]. No subsequence
/// is tested twice.
///
/// # Errors
/// `NotPassing` if the goal needs the empty sequence to pass and it fails, `NotFailing` if the goal needs the
/// whole sequence to fail and it passes; any error of the test.
pub fn dd<T: Clone + Ord, E: From<Obstacle>>(
    goal: Goal,
    elements: &[T],
    mut test: impl FnMut(&[T]) -> Result<Outcome, E>,
) -> Result<Triple<T>, E> {
    dd_ahead(goal, elements, |elements, _| test(elements))
}

/// As [`dd`], for a test that may run the following candidates ahead.
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

/// A maximal passing subsequence: no single element of the rest can be added. As [`dd`] with [`Goal::Max`].
///
/// # Errors
/// As for [`dd`].
pub fn ddmax<T: Clone + Ord, E: From<Obstacle>>(
    elements: &[T],
    test: impl FnMut(&[T]) -> Result<Outcome, E>,
) -> Result<Vec<T>, E> {
    dd(Goal::Max, elements, test).map(|triple| triple.passing)
}

/// As many of the reductions as can be made together: as [`dd`] does, minimises the list of those that are
/// *not* made. The test gets the reductions that are made, in order; without any reduction it must fail.
///
/// Reductions need not be independent. The list may hold several alternatives for one place; the first one
/// that is made counts. After exercise 1 of "Reducing Failure-Inducing Inputs" in The Debugging Book, where a
/// reduction is a node of a syntax tree with a possible replacement.
///
/// # Errors
/// `NotFailing` if the unchanged input passes; any error of the test.
pub fn keep_list<T: Clone, E: From<Obstacle>>(
    reductions: &[T],
    mut test: impl FnMut(&[T]) -> Result<Outcome, E>,
) -> Result<Vec<T>, E> {
    keep_list_ahead(reductions, |made, _| test(made))
}

/// As [`keep_list`], for a test that may run the following candidates ahead.
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

/// The elements at these indices.
fn picked<T: Clone>(elements: &[T], indices: &[usize]) -> Vec<T> {
    indices.iter().map(|&i| elements[i].clone()).collect()
}

#[cfg(test)]
pub(crate) mod tests;
