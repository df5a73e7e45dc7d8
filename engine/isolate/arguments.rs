//! Delta debugging over several arguments of a call: each in turn, with the failing values of the others.

use super::{Dd, Goal, Obstacle, Outcome, picked};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// The result for one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument<T> {
    /// The value with which the call passes, given the failing values of the other arguments. Empty if none
    /// was found.
    pub passing: Vec<T>,
    /// The value with which the call fails.
    pub failing: Vec<T>,
    /// The elements of `failing` that are not in `passing`, in order.
    pub difference: Vec<T>,
    /// The reason why there is no passing value: the call fails even without any element of this argument.
    pub obstacle: Option<Obstacle>,
}

/// The result for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isolated<T> {
    /// The arguments, in their order.
    pub arguments: Vec<Argument<T>>,
    /// Whether the call fails with all failing values together, and passes with all passing values together
    /// if the goal looks for them. Several arguments may each pass alone and not together.
    pub holds_together: bool,
}

/// Minimises each argument as long as the call fails.
///
/// # Errors
/// As for [`min_arg_diff`].
pub fn min_args<T: Clone + Ord, E: From<Obstacle>>(
    arguments: &[Vec<T>],
    test: impl FnMut(&[Vec<T>]) -> Result<Outcome, E>,
) -> Result<Isolated<T>, E> {
    isolate(Goal::Min, arguments, &mut Plain(test, PhantomData))
}

/// Maximises each argument as long as the call passes.
///
/// # Errors
/// As for [`min_arg_diff`].
pub fn max_args<T: Clone + Ord, E: From<Obstacle>>(
    arguments: &[Vec<T>],
    test: impl FnMut(&[Vec<T>]) -> Result<Outcome, E>,
) -> Result<Isolated<T>, E> {
    isolate(Goal::Max, arguments, &mut Plain(test, PhantomData))
}

/// For each argument, a passing and a failing value with a minimal difference. No call is tested twice.
///
/// # Errors
/// `NoCall` without arguments; `NotFailing` if the call passes; `FailureNotReproduced` if its outcome is
/// unresolved; `NotPassing` if no argument has a passing value, even without elements; any error of the test.
pub fn min_arg_diff<T: Clone + Ord, E: From<Obstacle>>(
    arguments: &[Vec<T>],
    test: impl FnMut(&[Vec<T>]) -> Result<Outcome, E>,
) -> Result<Isolated<T>, E> {
    isolate(Goal::Diff, arguments, &mut Plain(test, PhantomData))
}

/// Runs calls, and learns the progress of the search.
pub(crate) trait Ask<T> {
    /// The error of a call without an outcome.
    type Error: From<Obstacle>;

    /// The outcome of a call. `ahead` gives the calls that follow if the outcome is not the desired one.
    fn test(
        &mut self,
        arguments: &[Vec<T>],
        ahead: &mut dyn Iterator<Item = Vec<Vec<T>>>,
    ) -> Result<Outcome, Self::Error>;

    /// Learns the best passing and failing values so far.
    fn found(&mut self, passing: &[Vec<T>], failing: &[Vec<T>]) -> Result<(), Self::Error>;
}

/// A test without interest in the progress.
struct Plain<F, E>(F, PhantomData<E>);

impl<T, E: From<Obstacle>, F: FnMut(&[Vec<T>]) -> Result<Outcome, E>> Ask<T> for Plain<F, E> {
    type Error = E;

    fn test(&mut self, arguments: &[Vec<T>], _: &mut dyn Iterator<Item = Vec<Vec<T>>>) -> Result<Outcome, E> {
        (self.0)(arguments)
    }

    fn found(&mut self, _: &[Vec<T>], _: &[Vec<T>]) -> Result<(), E> {
        Ok(())
    }
}

/// The arguments of a call, and the known outcomes.
struct Call<'a, T, A> {
    ask: &'a mut A,
    known: BTreeMap<Vec<Vec<T>>, Outcome>,
    passing: Vec<Vec<T>>,
    failing: Vec<Vec<T>>,
}

/// Delta debugging on a call, for any goal; see [`min_arg_diff`].
///
/// # Errors
/// As for [`min_arg_diff`].
pub(crate) fn isolate<T: Clone + Ord, A: Ask<T>>(
    goal: Goal,
    arguments: &[Vec<T>],
    ask: &mut A,
) -> Result<Isolated<T>, A::Error> {
    if arguments.is_empty() {
        return Err(Obstacle::NoCall.into());
    }
    let passing = vec![Vec::new(); arguments.len()];
    let mut call = Call { ask, known: BTreeMap::new(), passing, failing: arguments.to_vec() };
    match call.outcome(arguments)? {
        Outcome::Fail => {}
        Outcome::Pass => return Err(Obstacle::NotFailing.into()),
        Outcome::Unresolved => return Err(Obstacle::FailureNotReproduced.into()),
    }
    if goal.maximises() && arguments.iter().all(Vec::is_empty) {
        // The call without any element is the failing call itself.
        return Err(Obstacle::NotPassing.into());
    }
    let mut obstacles = vec![None; arguments.len()];
    let mut differences = vec![None; arguments.len()];
    let mut open: Vec<usize> = (0..arguments.len()).collect();
    while !open.is_empty() {
        let which = open.remove(0);
        if call.failing[which].is_empty() {
            continue;
        }
        let search = match call.search(goal, which)? {
            Ok(search) => search,
            Err(obstacle) => {
                obstacles[which] = Some(obstacle);
                continue;
            }
        };
        let value = &call.failing[which];
        let (longer, shorter) =
            (search.passing().len() > call.passing[which].len(), search.failing().len() < value.len());
        let (passing, failing) = (picked(value, search.passing()), picked(value, search.failing()));
        let difference = picked(value, &search.difference());
        if longer || shorter {
            differences[which] = Some(difference);
            (call.passing[which], call.failing[which]) = (passing, failing);
            open = (0..arguments.len()).filter(|&i| i != which).collect();
        }
    }
    if let (true, Some(obstacle)) = (obstacles.iter().all(Option::is_some), obstacles[0]) {
        return Err(obstacle.into());
    }
    let holds_together = call.holds_together(goal, &obstacles)?;
    let argument = |i: usize| Argument {
        passing: call.passing[i].clone(),
        failing: call.failing[i].clone(),
        difference: differences[i].clone().unwrap_or_else(|| call.failing[i].clone()),
        obstacle: obstacles[i],
    };
    Ok(Isolated { arguments: (0..arguments.len()).map(argument).collect(), holds_together })
}

/// ddmin on the only argument of a call. The passing value stays empty.
///
/// # Errors
/// As for [`super::ddmin`].
pub(crate) fn isolate_by_ddmin<T: Clone, A: Ask<T>>(
    argument: &[T],
    ask: &mut A,
) -> Result<Isolated<T>, A::Error> {
    let failing = super::ddmin_ahead::<T, A::Error>(argument, |elements, ahead| {
        let call = vec![elements.to_vec()];
        let outcome = ask.test(&call, &mut ahead.map(|elements| vec![elements]))?;
        if outcome == Outcome::Fail {
            ask.found(&[Vec::new()], &call)?;
        }
        Ok(outcome)
    })?;
    let argument = Argument { passing: Vec::new(), difference: failing.clone(), failing, obstacle: None };
    Ok(Isolated { arguments: vec![argument], holds_together: true })
}

impl<T: Clone + Ord, A: Ask<T>> Call<'_, T, A> {
    fn outcome(&mut self, arguments: &[Vec<T>]) -> Result<Outcome, A::Error> {
        if let Some(outcome) = self.known.get(arguments) {
            return Ok(*outcome);
        }
        let outcome = self.ask.test(arguments, &mut std::iter::empty())?;
        self.known.insert(arguments.to_vec(), outcome);
        Ok(outcome)
    }

    /// The outcome of a search's candidate for one argument.
    fn wanted(&mut self, search: &Dd, which: usize, wanted: &[usize]) -> Result<Outcome, A::Error> {
        let with = |wanted: &[usize]| {
            let mut arguments = self.failing.clone();
            arguments[which] = picked(&self.failing[which], wanted);
            arguments
        };
        let arguments = with(wanted);
        if let Some(outcome) = self.known.get(&arguments) {
            return Ok(*outcome);
        }
        let ahead = search.ahead(|wanted| self.known.get(&with(wanted)).copied());
        let outcome = self.ask.test(&arguments, &mut ahead.map(|wanted| with(&wanted)))?;
        self.known.insert(arguments, outcome);
        Ok(outcome)
    }

    /// Delta debugging on one argument, with the failing values of the others.
    fn search(&mut self, goal: Goal, which: usize) -> Result<Result<Dd, Obstacle>, A::Error> {
        let mut search = Dd::new(goal, self.failing[which].len());
        while let Some(wanted) = search.ask() {
            let outcome = self.wanted(&search, which, &wanted)?;
            let before = (search.passing().len(), search.failing().len());
            if let Err(obstacle) = search.learn(outcome) {
                return Ok(Err(obstacle));
            }
            if before != (search.passing().len(), search.failing().len()) {
                let (mut passing, mut failing) = (self.passing.clone(), self.failing.clone());
                passing[which] = picked(&self.failing[which], search.passing());
                failing[which] = picked(&self.failing[which], search.failing());
                self.ask.found(&passing, &failing)?;
            }
        }
        Ok(Ok(search))
    }

    /// See [`Isolated::holds_together`].
    fn holds_together(&mut self, goal: Goal, obstacles: &[Option<Obstacle>]) -> Result<bool, A::Error> {
        let (passing, failing) = (self.passing.clone(), self.failing.clone());
        let fails = self.outcome(&failing)? == Outcome::Fail;
        let looked_for = goal.maximises() && obstacles.iter().all(Option::is_none);
        Ok(fails && (!looked_for || self.outcome(&passing)? == Outcome::Pass))
    }
}
