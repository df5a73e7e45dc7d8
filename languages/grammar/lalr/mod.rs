//! A deterministic parser for those grammars that have one: LALR(1) over characters.
//!
//! A table without conflicts proves the grammar unambiguous, so a fold over the only tree is the fold over all trees, and
//! the tree need not be kept: time is linear, and memory is that of the stack.

mod characters;
mod lookahead;
mod states;
#[cfg(test)]
mod tests;

use self::characters::Characters;
use self::lookahead::lookaheads;
use self::states::{Expanded, States};
use super::fold::Fold;
use super::remembered::Remembered;
use super::rules::{Grammar, Nonterminal, RuleId, Symbol};

/// The number of entries that a table may have: 4 bytes each.
const LARGEST: usize = 16_000_000;

/// What to do in a state before a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Reject,
    Shift(u32),
    Reduce(RuleId),
    Accept,
}

/// The table of a grammar.
#[derive(Debug)]
pub(super) struct Lalr {
    characters: Characters,
    /// By state and kind of character.
    actions: Vec<Action>,
    /// By state and nonterminal: the next state.
    gotos: Vec<Vec<(Nonterminal, u32)>>,
    /// The symbols of each rule in characters.
    lengths: Vec<usize>,
    left: Vec<Nonterminal>,
    /// What each rule is made of.
    shapes: Vec<Vec<Shape>>,
}

/// A symbol of a rule, as a fold reads it.
#[derive(Clone, Debug)]
enum Shape {
    Literal { text: String, length: usize, number: u32 },
    Class,
    Nonterminal,
}

impl Lalr {
    /// The table of a grammar; `None` if it has conflicts, or would be too large.
    pub(super) fn new(grammar: &Grammar) -> Option<Self> {
        let characters = Characters::new(grammar);
        let expanded = Expanded::new(grammar, &characters);
        let kinds = characters.kinds();
        let states = States::new(&expanded, LARGEST / kinds)?;
        let mut actions = vec![Action::Reject; states.count() * kinds];
        for (state, shifts) in states.shifts().enumerate() {
            for &(kind, next) in shifts {
                actions[state * kinds + kind as usize] = Action::Shift(next);
            }
        }
        for (state, rule, ahead) in lookaheads(grammar, &expanded, &states, kinds) {
            let action = if rule == expanded.top() { Action::Accept } else { Action::Reduce(rule) };
            for kind in ahead.iter() {
                let place = actions.get_mut(state as usize * kinds + kind)?;
                if *place != Action::Reject {
                    return None;
                }
                *place = action;
            }
        }
        let mut literals = 0;
        let mut shape = |symbol: &Symbol| match symbol {
            Symbol::Literal(text) => {
                literals += 1;
                Shape::Literal { text: text.clone(), length: text.chars().count(), number: literals }
            }
            Symbol::Class(_) => Shape::Class,
            Symbol::Nonterminal(_) => Shape::Nonterminal,
        };
        let rules = grammar.rules().iter();
        Some(Self {
            characters,
            actions,
            gotos: states.into_gotos(),
            lengths: (0..grammar.rules().len() as RuleId).map(|rule| expanded.symbols(rule).len()).collect(),
            left: rules.clone().map(|rule| rule.left).collect(),
            shapes: rules.map(|rule| rule.right.iter().map(&mut shape).collect()).collect(),
        })
    }

    /// The value of the root in the only tree of a text; `None` if the grammar does not derive the text. O(length)
    /// steps, each of which the values have usually remembered.
    pub(super) fn fold<F: Fold>(&self, values: &mut Remembered<'_, F>, text: &str) -> Option<u32> {
        values.tidy();
        let kinds = self.characters.kinds();
        // The states, each with the value of the symbol that led to it: that of a nonterminal, or a character.
        let mut stack: Vec<(u32, u32)> = vec![(0, 0)];
        let mut chars = text.chars();
        let mut next = chars.next();
        loop {
            let kind = next.map_or(Some(characters::END), |c| self.characters.kind(c))?;
            let (state, _) = *stack.last()?;
            match self.actions[state as usize * kinds + kind as usize] {
                Action::Reject => return None,
                Action::Shift(state) => {
                    stack.push((state, next.map_or(0, u32::from)));
                    next = chars.next();
                }
                Action::Reduce(rule) => {
                    let from = stack.len().checked_sub(self.lengths[rule as usize])?;
                    let value = self.reduce(values, rule, stack.get(from..)?);
                    stack.truncate(from);
                    let gotos = self.gotos.get(stack.last()?.0 as usize)?;
                    let at = gotos.binary_search_by_key(&self.left[rule as usize], |(n, _)| *n).ok()?;
                    stack.push((gotos[at].1, value));
                }
                // The stack holds the start symbol.
                Action::Accept => return stack.last().map(|(_, value)| *value),
            }
        }
    }

    /// The value of a rule's nonterminal, from the values of its symbols.
    fn reduce<F: Fold>(&self, values: &mut Remembered<'_, F>, rule: RuleId, symbols: &[(u32, u32)]) -> u32 {
        let mut partial = values.begin(rule);
        let mut at = 0;
        for shape in &self.shapes[rule as usize] {
            let value = symbols.get(at).map_or(0, |(_, value)| *value);
            at += 1;
            match shape {
                Shape::Literal { text, length, number } => {
                    partial = values.literal(partial, *number, text);
                    at += length - 1;
                }
                Shape::Class => partial = values.class(partial, char::from_u32(value).unwrap_or_default()),
                Shape::Nonterminal => partial = values.nonterminal(partial, value),
            }
        }
        values.end(partial)
    }
}
