//! Random derivations: any alternative above a depth, and one of the cheapest below it.

use super::choices::cost;
use super::derivation::{Derivation, Step};
use super::rules::{Class, Grammar, Nonterminal, RuleId, Symbol};

/// Generates random derivations of a grammar. The same seed gives the same derivations.
#[derive(Clone, Debug)]
pub struct Generator<'g> {
    grammar: &'g Grammar,
    /// The cheapest rules of each nonterminal.
    cheapest: Vec<Vec<RuleId>>,
    max_depth: u32,
    state: u64,
}

impl<'g> Generator<'g> {
    /// A generator that chooses any alternative above `max_depth` (the start symbol is at depth 0), and only
    /// the cheapest ones from there on.
    pub fn new(grammar: &'g Grammar, seed: u64, max_depth: u32) -> Self {
        let costs = grammar.costs();
        let cheapest = |n: Nonterminal| {
            let is_cheapest = |&id: &RuleId| cost(grammar.rule(id), &costs) == costs[n.index()];
            grammar.alternatives(n).filter(is_cheapest).collect()
        };
        let cheapest = grammar.nonterminals().map(cheapest).collect();
        Self { grammar, cheapest, max_depth, state: seed }
    }

    /// The next random derivation, from the start symbol.
    pub fn derivation(&mut self) -> Derivation {
        self.derivation_from(self.grammar.start())
    }

    /// Starts anew with another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.state = seed;
    }

    /// The next random derivation from any nonterminal, which is at depth 0.
    pub fn derivation_from(&mut self, nonterminal: Nonterminal) -> Derivation {
        let mut steps = Vec::new();
        let start = Symbol::Nonterminal(nonterminal);
        let mut todo = vec![(&start, 0)];
        while let Some((symbol, depth)) = todo.pop() {
            match symbol {
                Symbol::Literal(_) => {}
                Symbol::Class(class) => steps.push(Step::Char(self.character(class))),
                Symbol::Nonterminal(nonterminal) => {
                    let rule = self.rule(*nonterminal, depth);
                    steps.push(Step::Rule(rule));
                    todo.extend(self.grammar.rule(rule).right.iter().rev().map(|s| (s, depth + 1)));
                }
            }
        }
        Derivation { steps }
    }

    fn character(&mut self, class: &Class) -> char {
        class.nth(self.below(class.len()))
    }

    fn rule(&mut self, nonterminal: Nonterminal, depth: u32) -> RuleId {
        if depth < self.max_depth {
            return self.any(nonterminal);
        }
        let count = self.cheapest[nonterminal.index()].len();
        let choice = self.below(count);
        self.cheapest[nonterminal.index()][choice]
    }

    /// Any alternative: one with its own probability, or one of the others, which share the remaining
    /// probability.
    fn any(&mut self, nonterminal: Nonterminal) -> RuleId {
        let rules = self.grammar.alternatives(nonterminal);
        let known = rules.clone().filter_map(|r| self.grammar.rule(r).probability);
        let (count, sum) = known.fold((0, 0.0), |(count, sum), p| (count + 1, sum + p));
        if count == 0 {
            return rules.start + self.below(rules.len()) as RuleId;
        }
        let share = (1.0f64 - sum).max(0.0) / (rules.len() - count).max(1) as f64;
        let mut left = self.fraction();
        for rule in rules.clone() {
            left -= self.grammar.rule(rule).probability.unwrap_or(share);
            if left < 0.0 {
                return rule;
            }
        }
        rules.end - 1
    }

    /// A random number below `count`, or 0 if that is 0.
    fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    /// A random number from 0 to 1, 1 excluded.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014): SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
