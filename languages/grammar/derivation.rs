//! Derivations: the rule at every node of a tree, in pre-order.

use super::rules::{Grammar, Nonterminal, RuleId, Symbol};

/// A choice in a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The rule for a nonterminal.
    Rule(RuleId),
    /// The character for a class.
    Char(char),
}

/// A derivation tree, as its choices in pre-order. All else follows from the grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Derivation {
    /// The choices: for every nonterminal its rule, followed by the choices of its symbols; for every class
    /// its character.
    pub steps: Vec<Step>,
}

/// A node of a derivation tree, with its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot<'g> {
    /// The symbol in the parent's rule; `None` for the root.
    pub symbol: Option<&'g Symbol>,
    /// The nonterminal and its rule; `None` for a terminal.
    pub rule: Option<(Nonterminal, RuleId)>,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// One past the last node of the subtree.
    pub last: u32,
}

impl Derivation {
    /// The text of the tree. Linear.
    pub fn text(&self, grammar: &Grammar) -> String {
        self.spots(grammar).1
    }

    /// The nodes in pre-order, terminals included, and the text. Linear. The nodes end at the first step that
    /// does not fit the grammar.
    pub fn spots<'g>(&self, grammar: &'g Grammar) -> (Vec<Spot<'g>>, String) {
        let mut spots: Vec<Spot<'g>> = Vec::with_capacity(2 * self.steps.len());
        let mut text = String::new();
        let mut steps = self.steps.iter();
        // The symbols still to visit (`None` for the root), and the nodes to close at that point.
        let mut todo: Vec<Result<Option<&'g Symbol>, usize>> = vec![Ok(None)];
        while let Some(next) = todo.pop() {
            let symbol = match next {
                Ok(symbol) => symbol,
                Err(node) => {
                    let last = spots.len() as u32;
                    (spots[node].end, spots[node].last) = (text.len() as u32, last);
                    continue;
                }
            };
            let start = text.len() as u32;
            let mut rule = None;
            match symbol {
                Some(Symbol::Literal(literal)) => text.push_str(literal),
                Some(Symbol::Class(_)) => match steps.next() {
                    Some(Step::Char(c)) => text.push(*c),
                    _ => break,
                },
                None | Some(Symbol::Nonterminal(_)) => match steps.next() {
                    Some(Step::Rule(id)) => rule = Some((grammar.rule(*id).left, *id)),
                    _ => break,
                },
            }
            todo.push(Err(spots.len()));
            let (end, last) = (text.len() as u32, spots.len() as u32 + 1);
            spots.push(Spot { symbol, rule, start, end, last });
            if let Some((_, id)) = rule {
                todo.extend(grammar.rule(id).right.iter().rev().map(|s| Ok(Some(s))));
            }
        }
        (spots, text)
    }
}
