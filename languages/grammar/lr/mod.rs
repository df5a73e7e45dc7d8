//! An LR parser over characters, for folds: LALR(1), with several stacks where the table has conflicts.
//!
//! A table without conflicts proves the grammar unambiguous, so a fold over the only tree is the fold over all trees, and
//! the tree need not be kept: time is linear, and memory is that of the stack. Where there are conflicts, because one
//! character does not tell `&` from `&&`, every possibility is followed with a stack of its own until it fails; each
//! stack is one tree. If they become too many, the text is ambiguous, or nearly so, and needs the forest.

mod characters;
mod lookahead;
mod stacks;
mod states;
#[cfg(test)]
mod tests;

use self::characters::Characters;
use self::lookahead::lookaheads;
use self::stacks::Stacks;
use self::states::{Expanded, States};
use super::fold::Fold;
use super::remembered::Remembered;
use super::rules::{Grammar, Nonterminal, RuleId, Symbol};

/// The number of entries that a table may have: 4 bytes each.
const LARGEST: usize = 16_000_000;

/// How many stacks are followed at once.
const MOST_STACKS: usize = 64;
/// How many steps the stacks may take between two characters for each of their entries: a rule without symbols may
/// be complete again and again.
const STEPS_PER_ENTRY: usize = 100;

/// The text has too many beginnings of trees to follow them one by one.
#[derive(Debug)]
pub(super) struct TooMany;

/// What to do in a state before a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Reject,
    /// A conflict: all of these, by their number.
    Several(u32),
    Shift(u32),
    Reduce(RuleId),
    Accept,
}

/// The table of a grammar.
#[derive(Debug)]
pub(super) struct Lr {
    characters: Characters,
    /// By state and kind of character.
    actions: Vec<Action>,
    /// The actions of each conflict.
    conflicts: Vec<Vec<Action>>,
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

impl Lr {
    /// The table of a grammar; `None` if it would be too large.
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
        let mut conflicts: Vec<Vec<Action>> = Vec::new();
        for (state, rule, ahead) in lookaheads(grammar, &expanded, &states, kinds) {
            let action = if rule == expanded.top() { Action::Accept } else { Action::Reduce(rule) };
            for kind in ahead.iter() {
                let place = actions.get_mut(state as usize * kinds + kind)?;
                match *place {
                    Action::Reject => *place = action,
                    Action::Several(number) => conflicts[number as usize].push(action),
                    other => {
                        *place = Action::Several(conflicts.len() as u32);
                        conflicts.push(vec![other, action]);
                    }
                }
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
            conflicts,
            gotos: states.into_gotos(),
            lengths: (0..grammar.rules().len() as RuleId).map(|rule| expanded.symbols(rule).len()).collect(),
            left: rules.clone().map(|rule| rule.left).collect(),
            shapes: rules.map(|rule| rule.right.iter().map(&mut shape).collect()).collect(),
        })
    }

    /// Whether the table has no conflicts.
    pub(super) fn is_deterministic(&self) -> bool {
        self.conflicts.is_empty()
    }

    /// The values of the root in all trees of a text; none if the grammar does not derive the text. O(length) steps of
    /// each stack, most of which the values have remembered.
    ///
    /// # Errors
    /// If there are too many stacks.
    pub(super) fn fold<F: Fold>(
        &self,
        values: &mut Remembered<'_, F>,
        text: &str,
    ) -> Result<Vec<u32>, TooMany> {
        values.tidy();
        let kinds = self.characters.kinds();
        let mut stacks = Stacks::new();
        let mut tops = vec![stacks.push(None, 0, 0)];
        let mut roots = Vec::new();
        for next in text.chars().map(Some).chain([None]) {
            let Some(kind) = next.map_or(Some(characters::END), |c| self.characters.kind(c)) else {
                return Ok(Vec::new());
            };
            let mut shifted = Vec::new();
            let mut steps = STEPS_PER_ENTRY * (stacks.len() + MOST_STACKS);
            while let Some(top) = tops.pop() {
                steps -= 1;
                if steps == 0 || tops.len() + shifted.len() > MOST_STACKS {
                    return Err(TooMany);
                }
                let action = self.actions[stacks.state(top) as usize * kinds + kind as usize];
                let several = match &action {
                    Action::Several(number) => self.conflicts[*number as usize].as_slice(),
                    one => std::slice::from_ref(one),
                };
                // What only this stack needs may go when it is reduced.
                let is_alone = several.len() == 1 && tops.is_empty() && shifted.is_empty();
                for action in several {
                    match *action {
                        Action::Reject | Action::Several(_) => {}
                        Action::Shift(state) => {
                            shifted.push(stacks.push(Some(top), state, next.map_or(0, u32::from)));
                        }
                        Action::Reduce(rule) => {
                            tops.extend(self.reduced(&mut stacks, top, rule, is_alone, values));
                        }
                        // The stack holds the start symbol.
                        Action::Accept => roots.push(stacks.value(top)),
                    }
                }
            }
            tops = shifted;
            if tops.is_empty() {
                break;
            }
            stacks.tidy(&mut tops);
        }
        Ok(roots)
    }

    /// The stack with the symbols of a rule replaced by its nonterminal.
    fn reduced<F: Fold>(
        &self,
        stacks: &mut Stacks,
        top: u32,
        rule: RuleId,
        is_alone: bool,
        values: &mut Remembered<'_, F>,
    ) -> Option<u32> {
        let (below, symbols) = stacks.pop(top, self.lengths[rule as usize], is_alone);
        let value = self.value(values, rule, &symbols);
        stacks.reuse(symbols);
        let gotos = self.gotos.get(stacks.state(below) as usize)?;
        let at = gotos.binary_search_by_key(&self.left[rule as usize], |(n, _)| *n).ok()?;
        Some(stacks.push(Some(below), gotos[at].1, value))
    }

    /// The value of a rule's nonterminal, from the values of its symbols.
    fn value<F: Fold>(&self, values: &mut Remembered<'_, F>, rule: RuleId, symbols: &[u32]) -> u32 {
        let mut partial = values.begin(rule);
        let mut at = 0;
        for shape in &self.shapes[rule as usize] {
            let value = symbols.get(at).copied().unwrap_or(0);
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
