//! Derivations as sequences of choices: every sequence that is long enough yields a text of the grammar.
//!
//! In pre-order, each nonterminal with several alternatives contributes the number of its alternative, and
//! each class with several characters contributes the number of its character. Alternatives are sorted by the
//! cost of completing them, so 0 is the shortest. After MacIver and Donaldson, "Test-Case Reduction via
//! Test-Case Generation: Insights from the Hypothesis Reducer" (ECOOP 2020).

use super::derivation::{Derivation, Step};
use super::rules::{Grammar, Nonterminal, Rule, RuleId, Symbol};

/// A grammar with its alternatives sorted by cost.
#[derive(Clone, Debug)]
pub struct Choices<'g> {
    grammar: &'g Grammar,
    /// The rules of each nonterminal, cheapest first.
    order: Vec<Vec<RuleId>>,
    /// The position of each rule in that order.
    rank: Vec<u32>,
}

impl Grammar {
    /// The depth of the flattest derivation of each nonterminal.
    pub(super) fn costs(&self) -> Vec<u32> {
        let costs = self.least(|rule, known| {
            let below = rule.right.iter().filter_map(Symbol::nonterminal).map(known);
            below.collect::<Option<Vec<u32>>>().map(|below| 1 + below.into_iter().max().unwrap_or(0))
        });
        costs.into_iter().map(|cost| cost.unwrap_or(u32::MAX)).collect()
    }
}

/// The depth of the flattest derivation with `rule`, from the costs of nonterminals.
pub(super) fn cost(rule: &Rule, costs: &[u32]) -> u32 {
    let below = rule.right.iter().filter_map(Symbol::nonterminal).map(|n| costs[n.index()]);
    below.max().unwrap_or(0).saturating_add(1)
}

impl<'g> Choices<'g> {
    /// Sorts the alternatives of `grammar` by cost, then by the number of symbols, then by their order in the
    /// file.
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

    /// The choices that yield a derivation. Linear.
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

    /// The derivation that a sequence of choices yields, and the choices that were used: each modulo the
    /// number of alternatives, without superfluous ones at the end. `None` if there are too few choices.
    /// Linear.
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
