//! Derivations as sequences of choices: every sequence that is long enough spells a text of the grammar.
//!
//! In pre-order each nonterminal with several alternatives gives the number of the one that is used, and each
//! class with several characters the number of the character. Alternatives are numbered by what it costs to
//! end them, so that 0 is the shortest way out. After MacIver and Donaldson, "Test-Case Reduction via
//! Test-Case Generation: Insights from the Hypothesis Reducer" (ECOOP 2020).

use super::derivation::{Derivation, Step};
use super::rules::{Grammar, Nonterminal, Rule, RuleId, Symbol};

/// A grammar with its alternatives in order of cost.
#[derive(Clone, Debug)]
pub struct Choices<'g> {
    grammar: &'g Grammar,
    /// The rules of each nonterminal, cheapest first.
    order: Vec<Vec<RuleId>>,
    /// The place of each rule in that order.
    rank: Vec<u32>,
}

impl Grammar {
    /// For each nonterminal how deep its flattest derivation is.
    pub(super) fn costs(&self) -> Vec<u32> {
        let costs = self.least(|rule, known| {
            let below = rule.right.iter().filter_map(Symbol::nonterminal).map(known);
            below.collect::<Option<Vec<u32>>>().map(|below| 1 + below.into_iter().max().unwrap_or(0))
        });
        costs.into_iter().map(|cost| cost.unwrap_or(u32::MAX)).collect()
    }
}

/// How deep the flattest derivation with `rule` is, by the costs of nonterminals.
pub(super) fn cost(rule: &Rule, costs: &[u32]) -> u32 {
    let below = rule.right.iter().filter_map(Symbol::nonterminal).map(|n| costs[n.index()]);
    below.max().unwrap_or(0).saturating_add(1)
}

impl<'g> Choices<'g> {
    /// Puts the alternatives of `grammar` in order: by cost, then by the number of symbols, then as the
    /// file has them.
    pub fn new(grammar: &'g Grammar) -> Self {
        let costs = grammar.costs();
        let ordered = |nonterminal: Nonterminal| {
            let mut rules: Vec<RuleId> = grammar.alternatives(nonterminal).collect();
            rules.sort_by_key(|&id| (cost(grammar.rule(id), &costs), grammar.rule(id).right.len()));
            rules
        };
        let order: Vec<Vec<RuleId>> = grammar.nonterminals().map(ordered).collect();
        let mut rank = vec![0; grammar.rules().len()];
        for rules in &order {
            rules.iter().zip(0..).for_each(|(&rule, at)| rank[rule as usize] = at);
        }
        Self { grammar, order, rank }
    }

    /// The alternatives of a nonterminal, cheapest first.
    pub fn alternatives(&self, nonterminal: Nonterminal) -> &[RuleId] {
        &self.order[nonterminal.index()]
    }

    /// The choices that a derivation comes from. Linear.
    pub fn sequence(&self, derivation: &Derivation) -> Vec<u32> {
        let (spots, text) = derivation.spots(self.grammar);
        let choice = |spot: &super::Spot| match (spot.rule, spot.symbol) {
            (Some((left, rule)), _) => (self.alternatives(left).len() > 1).then(|| self.rank[rule as usize]),
            (None, Some(Symbol::Class(class))) if class.len() > 1 => {
                let c = text[spot.start as usize..].chars().next();
                Some(c.map_or(0, |c| class.index(c) as u32))
            }
            _ => None,
        };
        spots.iter().filter_map(choice).collect()
    }

    /// The derivation that a sequence of choices leads to, and the choices as they were used: each modulo
    /// the number of alternatives, without those at the end that nobody asked for. `None` if there are too
    /// few. Linear.
    pub fn replay(&self, sequence: &[u32]) -> Option<(Derivation, Vec<u32>)> {
        let mut steps = Vec::new();
        let mut used = Vec::with_capacity(sequence.len());
        let mut choose = |count: usize| {
            if count < 2 {
                return Some(0);
            }
            let choice = *sequence.get(used.len())? % count as u32;
            used.push(choice);
            Some(choice as usize)
        };
        let start = Symbol::Nonterminal(self.grammar.start());
        let mut todo = vec![&start];
        while let Some(symbol) = todo.pop() {
            match symbol {
                Symbol::Literal(_) => {}
                Symbol::Class(class) => steps.push(Step::Char(class.nth(choose(class.len())?))),
                Symbol::Nonterminal(nonterminal) => {
                    let rules = self.alternatives(*nonterminal);
                    let rule = rules[choose(rules.len())?];
                    steps.push(Step::Rule(rule));
                    todo.extend(self.grammar.rule(rule).right.iter().rev());
                }
            }
        }
        Some((Derivation { steps }, used))
    }
}
