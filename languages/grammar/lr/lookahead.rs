//! Which characters may follow a complete rule in a state.
//!
//! DeRemer and Pennello, "Efficient Computation of LALR(1) Look-Ahead Sets" (TOPLAS 4(4), 1982).

use super::characters::END;
use super::states::{Expanded, Single, States};
use crate::grammar::rules::{Grammar, Nonterminal, RuleId};
use std::collections::{BTreeMap, BTreeSet};

/// A set of kinds of characters.
#[derive(Clone, Debug)]
pub(super) struct Kinds(Vec<u64>);

impl Kinds {
    fn new(kinds: usize) -> Self {
        Self(vec![0; kinds.div_ceil(64)])
    }

    fn insert(&mut self, kind: u32) {
        self.0[kind as usize / 64] |= 1 << (kind % 64);
    }

    /// Adds all of another set, and says whether that made it larger.
    fn extend(&mut self, other: &Self) -> bool {
        let mut grew = false;
        for (own, more) in self.0.iter_mut().zip(&other.0) {
            grew |= *own | more != *own;
            *own |= more;
        }
        grew
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let has = |kind: &usize| self.0[kind / 64] >> (kind % 64) & 1 == 1;
        (0..self.0.len() * 64).filter(has)
    }
}

/// For each state and each rule that is complete there, the kinds that may follow.
pub(super) fn lookaheads(
    grammar: &Grammar,
    expanded: &Expanded,
    states: &States,
    kinds: usize,
) -> Vec<(u32, RuleId, Kinds)> {
    let nullable = grammar.nullable();
    // The steps over nonterminals: the state before, and the nonterminal.
    let mut steps: Vec<(u32, Nonterminal, u32)> = Vec::new();
    let mut numbers: BTreeMap<(u32, Nonterminal), usize> = BTreeMap::new();
    for state in 0..states.count() as u32 {
        for &(nonterminal, next) in states.gotos_of(state) {
            numbers.insert((state, nonterminal), steps.len());
            steps.push((state, nonterminal, next));
        }
    }
    let mut follow: Vec<Kinds> = Vec::with_capacity(steps.len());
    let mut reads: Vec<(usize, usize)> = Vec::new();
    for (at, &(state, nonterminal, next)) in steps.iter().enumerate() {
        let mut direct = Kinds::new(kinds);
        states.shifts_of(next).iter().for_each(|(kind, _)| direct.insert(*kind));
        if state == 0 && nonterminal == grammar.start() {
            direct.insert(END);
        }
        follow.push(direct);
        let empty = states.gotos_of(next).iter().filter(|(n, _)| nullable[n.index()]);
        reads.extend(empty.filter_map(|(n, _)| Some((at, *numbers.get(&(next, *n))?))));
    }
    spread(&mut follow, &reads);
    // Where a rule ends with a nonterminal, but for symbols that may be empty, what follows the rule follows it.
    let mut includes: Vec<(usize, usize)> = Vec::new();
    let mut complete: BTreeMap<(u32, RuleId), Vec<usize>> = BTreeMap::new();
    for (at, &(from, nonterminal, _)) in steps.iter().enumerate() {
        for rule in grammar.alternatives(nonterminal) {
            let symbols = expanded.symbols(rule);
            let is_empty = |symbol: &Single| matches!(symbol, Single::Nonterminal(n) if nullable[n.index()]);
            let solid = symbols.iter().rposition(|symbol| !is_empty(symbol)).unwrap_or(0);
            let mut before = BTreeSet::from([from]);
            for (place, symbol) in symbols.iter().enumerate() {
                if let Single::Nonterminal(n) = symbol
                    && place >= solid
                {
                    let inner = before.iter().filter_map(|&state| numbers.get(&(state, *n)));
                    includes.extend(inner.map(|&inner| (inner, at)));
                }
                before = before.iter().flat_map(|&state| states.next(state, symbol)).collect();
            }
            for end in before {
                complete.entry((end, rule)).or_default().push(at);
            }
        }
    }
    spread(&mut follow, &includes);
    let mut all = Vec::new();
    for state in 0..states.count() as u32 {
        for &rule in states.complete(state) {
            let mut ahead = Kinds::new(kinds);
            if rule == expanded.top() {
                ahead.insert(END);
            }
            for &step in complete.get(&(state, rule)).into_iter().flatten() {
                ahead.extend(&follow[step]);
            }
            all.push((state, rule, ahead));
        }
    }
    all
}

/// Adds to the set of each edge's source that of its target, until nothing changes.
fn spread(sets: &mut [Kinds], edges: &[(usize, usize)]) {
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); sets.len()];
    edges.iter().for_each(|&(source, target)| sources[target].push(source));
    let mut open: Vec<usize> = (0..sets.len()).collect();
    while let Some(target) = open.pop() {
        let set = sets[target].clone();
        for &source in &sources[target] {
            if sets[source].extend(&set) {
                open.push(source);
            }
        }
    }
}
