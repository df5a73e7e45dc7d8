//! The LR(0) states of a grammar whose terminals are single characters.

use super::characters::Characters;
use crate::grammar::rules::{Grammar, Nonterminal, RuleId, Symbol};
use std::collections::BTreeMap;

/// A symbol of a rule: a literal of several characters is several symbols.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Single {
    /// Characters of these kinds.
    Kinds(Vec<u32>),
    Nonterminal(Nonterminal),
}

/// The rules in single symbols, and last the one above the start symbol.
#[derive(Debug)]
pub(super) struct Expanded<'g> {
    grammar: &'g Grammar,
    rules: Vec<Vec<Single>>,
}

impl<'g> Expanded<'g> {
    pub(super) fn new(grammar: &'g Grammar, characters: &Characters) -> Self {
        let single = |symbol: &Symbol| match symbol {
            Symbol::Literal(text) => {
                let kinds = text.chars().filter_map(|c| characters.kind(c));
                kinds.map(|kind| Single::Kinds(vec![kind])).collect()
            }
            Symbol::Class(class) => vec![Single::Kinds(characters.of_class(class))],
            Symbol::Nonterminal(n) => vec![Single::Nonterminal(*n)],
        };
        let rules = grammar.rules().iter().map(|rule| rule.right.iter().flat_map(single).collect());
        let top = vec![Single::Nonterminal(grammar.start())];
        Self { grammar, rules: rules.chain([top]).collect() }
    }

    /// The rule above the start symbol.
    pub(super) fn top(&self) -> RuleId {
        self.rules.len() as RuleId - 1
    }

    pub(super) fn symbols(&self, rule: RuleId) -> &[Single] {
        &self.rules[rule as usize]
    }
}

/// A rule and how many of its symbols have been read.
type Item = (RuleId, u32);

/// The states: 0 is the first one.
#[derive(Debug)]
pub(super) struct States {
    shifts: Vec<Vec<(u32, u32)>>,
    gotos: Vec<Vec<(Nonterminal, u32)>>,
    /// The rules that are complete in each state.
    complete: Vec<Vec<RuleId>>,
}

impl States {
    /// The states of a grammar; `None` if there are more than `limit`.
    pub(super) fn new(expanded: &Expanded, limit: usize) -> Option<Self> {
        let first = vec![(expanded.top(), 0)];
        let mut numbers: BTreeMap<Vec<Item>, u32> = BTreeMap::from([(first.clone(), 0)]);
        let mut kernels = vec![first];
        let mut states = Self { shifts: Vec::new(), gotos: Vec::new(), complete: Vec::new() };
        while let Some(kernel) = kernels.get(states.shifts.len()) {
            let mut by_kind: BTreeMap<u32, Vec<Item>> = BTreeMap::new();
            let mut by_nonterminal: BTreeMap<Nonterminal, Vec<Item>> = BTreeMap::new();
            let mut complete = Vec::new();
            for (rule, at) in closure(expanded, kernel) {
                let next = (rule, at + 1);
                match expanded.symbols(rule).get(at as usize) {
                    Some(Single::Kinds(kinds)) => {
                        kinds.iter().for_each(|&kind| by_kind.entry(kind).or_default().push(next));
                    }
                    Some(Single::Nonterminal(n)) => by_nonterminal.entry(*n).or_default().push(next),
                    None => complete.push(rule),
                }
            }
            let mut number = |mut kernel: Vec<Item>| {
                kernel.sort_unstable();
                let new = kernels.len() as u32;
                let number = *numbers.entry(kernel.clone()).or_insert(new);
                if number == new {
                    kernels.push(kernel);
                }
                number
            };
            states.shifts.push(by_kind.into_iter().map(|(kind, next)| (kind, number(next))).collect());
            states.gotos.push(by_nonterminal.into_iter().map(|(n, next)| (n, number(next))).collect());
            states.complete.push(complete);
            if kernels.len() > limit {
                return None;
            }
        }
        Some(states)
    }

    pub(super) fn count(&self) -> usize {
        self.shifts.len()
    }

    /// For each state the kinds of characters that may be read, ascending, with the next states.
    pub(super) fn shifts(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        self.shifts.iter().map(Vec::as_slice)
    }

    /// The kinds that may be read in a state, ascending, with the next states.
    pub(super) fn shifts_of(&self, state: u32) -> &[(u32, u32)] {
        &self.shifts[state as usize]
    }

    /// The nonterminals that may come next in a state, ascending, with the next states.
    pub(super) fn gotos_of(&self, state: u32) -> &[(Nonterminal, u32)] {
        &self.gotos[state as usize]
    }

    /// The rules that are complete in a state.
    pub(super) fn complete(&self, state: u32) -> &[RuleId] {
        &self.complete[state as usize]
    }

    pub(super) fn into_gotos(self) -> Vec<Vec<(Nonterminal, u32)>> {
        self.gotos
    }

    /// The states behind a symbol: one, unless characters of one class are told apart by other rules.
    pub(super) fn next(&self, state: u32, symbol: &Single) -> Vec<u32> {
        let mut next: Vec<u32> = match symbol {
            Single::Kinds(kinds) => {
                let own = self.shifts_of(state).iter().filter(|(kind, _)| kinds.binary_search(kind).is_ok());
                own.map(|(_, next)| *next).collect()
            }
            Single::Nonterminal(n) => {
                let at = self.gotos_of(state).binary_search_by_key(n, |(n, _)| *n);
                at.map(|at| self.gotos_of(state)[at].1).into_iter().collect()
            }
        };
        next.sort_unstable();
        next.dedup();
        next
    }
}

/// The items of a state.
fn closure(expanded: &Expanded, kernel: &[Item]) -> Vec<Item> {
    let mut items = kernel.to_vec();
    let mut seen = vec![false; expanded.grammar.names().len()];
    let mut next = 0;
    while let Some(&(rule, at)) = items.get(next) {
        next += 1;
        if let Some(Single::Nonterminal(n)) = expanded.symbols(rule).get(at as usize)
            && !std::mem::replace(&mut seen[n.index()], true)
        {
            items.extend(expanded.grammar.alternatives(*n).map(|rule| (rule, 0)));
        }
    }
    items
}
