//! The values of a fold, computed once and numbered.

use super::fold::Fold;
use super::rules::RuleId;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

/// How many values and steps may be remembered before all are forgotten: texts may have any number of states.
const MOST: usize = 4_000_000;

/// The values of a fold.
pub(super) struct Remembered<'f, F: Fold> {
    fold: &'f F,
    states: Numbered<F::State>,
    partials: Numbered<F::Partial>,
    begun: HashMap<RuleId, u32>,
    /// By the value of a rule that is being read, what is read, and its number.
    steps: HashMap<(u32, Step, u32), u32>,
    ended: HashMap<u32, u32>,
}

/// What a rule reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Literal,
    Class,
    Nonterminal,
}

struct Numbered<T> {
    values: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self { values: Vec::new(), numbers: HashMap::new() }
    }

    fn number(&mut self, value: T) -> u32 {
        if let Some(&number) = self.numbers.get(&value) {
            return number;
        }
        let number = self.values.len() as u32;
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }
}

impl<F: Fold> fmt::Debug for Remembered<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remembered").field("states", &self.states.values.len()).finish_non_exhaustive()
    }
}

impl<'f, F: Fold> Remembered<'f, F> {
    pub(super) fn new(fold: &'f F) -> Self {
        let (begun, steps, ended) = Default::default();
        Self { fold, states: Numbered::new(), partials: Numbered::new(), begun, steps, ended }
    }

    pub(super) fn fold(&self) -> &'f F {
        self.fold
    }

    /// Forgets everything if it has become too much. The numbers of before mean nothing then.
    pub(super) fn tidy(&mut self) {
        if self.steps.len() > MOST {
            *self = Self::new(self.fold);
        }
    }

    /// The state with a number.
    pub(super) fn state(&self, number: u32) -> Option<&F::State> {
        self.states.values.get(number as usize)
    }

    pub(super) fn begin(&mut self, rule: RuleId) -> u32 {
        let (fold, partials) = (self.fold, &mut self.partials);
        *self.begun.entry(rule).or_insert_with(|| partials.number(fold.begin(rule)))
    }

    /// One more symbol: the literal with this number.
    pub(super) fn literal(&mut self, partial: u32, number: u32, text: &str) -> u32 {
        self.step((partial, Step::Literal, number), |fold, partial, _| {
            fold.terminal(partial, text.as_bytes())
        })
    }

    /// One more symbol: a class that stands for this character.
    pub(super) fn class(&mut self, partial: u32, c: char) -> u32 {
        self.step((partial, Step::Class, u32::from(c)), |fold, partial, _| {
            fold.terminal(partial, c.encode_utf8(&mut [0; 4]).as_bytes())
        })
    }

    /// One more symbol: a nonterminal with this state.
    pub(super) fn nonterminal(&mut self, partial: u32, state: u32) -> u32 {
        self.step((partial, Step::Nonterminal, state), |fold, partial, states| {
            fold.nonterminal(partial, &states[state as usize])
        })
    }

    fn step(
        &mut self,
        key: (u32, Step, u32),
        compute: impl FnOnce(&F, &F::Partial, &[F::State]) -> F::Partial,
    ) -> u32 {
        if let Some(&known) = self.steps.get(&key) {
            return known;
        }
        let value = compute(self.fold, &self.partials.values[key.0 as usize], &self.states.values);
        let number = self.partials.number(value);
        self.steps.insert(key, number);
        number
    }

    /// All symbols have been read: the number of the state.
    pub(super) fn end(&mut self, partial: u32) -> u32 {
        let (fold, partials, states) = (self.fold, &self.partials, &mut self.states);
        *self
            .ended
            .entry(partial)
            .or_insert_with(|| states.number(fold.end(&partials.values[partial as usize])))
    }
}
