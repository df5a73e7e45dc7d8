//! Folds: values that are computed from the leaves up, over all trees of a text at once.

use super::Parser;
use super::forest::{Forest, Node};
use super::rules::RuleId;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// What a fold computes: a state for every node of a derivation tree, from the states of its children. A rule is read
/// from left to right, symbol by symbol.
pub trait Fold {
    /// The value of a nonterminal's node.
    type State: Clone + Ord;
    /// The value of a rule of which some symbols have been read.
    type Partial: Clone + Ord;

    /// No symbol of the rule has been read.
    fn begin(&self, rule: RuleId) -> Self::Partial;

    /// One more symbol has been read: a terminal that stands for this text.
    fn terminal(&self, partial: &Self::Partial, text: &[u8]) -> Self::Partial;

    /// One more symbol has been read: a nonterminal with this state.
    fn nonterminal(&self, partial: &Self::Partial, state: &Self::State) -> Self::Partial;

    /// All symbols have been read.
    fn end(&self, partial: &Self::Partial) -> Self::State;
}

impl Parser {
    /// The states that the root has in the trees of exactly this text; none if the grammar does not derive it. One step
    /// for each part of a node in the shared forest, times the combinations of the states of its parts.
    pub fn fold<F: Fold>(&self, fold: &F, text: &[u8]) -> BTreeSet<F::State> {
        let forest = Forest::new(&self.table, text).filter(|forest| forest.end() as usize == text.len());
        forest.map_or_else(BTreeSet::new, |forest| Folding { forest, fold, values: HashMap::new() }.root())
    }
}

/// The values of a node of the forest, in ascending order.
enum Values<F: Fold> {
    States(Rc<[F::State]>),
    Partials(Rc<[F::Partial]>),
}

impl<F: Fold> Clone for Values<F> {
    fn clone(&self) -> Self {
        match self {
            Self::States(states) => Self::States(Rc::clone(states)),
            Self::Partials(partials) => Self::Partials(Rc::clone(partials)),
        }
    }
}

struct Folding<'a, F: Fold> {
    forest: Forest<'a>,
    fold: &'a F,
    values: HashMap<Node, Values<F>>,
}

impl<F: Fold> Folding<'_, F> {
    fn root(mut self) -> BTreeSet<F::State> {
        let root = self.forest.root();
        // The rule above the start symbol has one symbol, whose values are the result.
        let below: Vec<Node> = self.forest.ways(root).into_iter().flatten().collect();
        let places: Vec<Node> = below.into_iter().filter(|node| matches!(node, Node::Place(_))).collect();
        let mut states = BTreeSet::new();
        for place in places {
            if let Values::States(found) = self.values_of(place) {
                states.extend(found.iter().cloned());
            }
        }
        states
    }

    /// The values of a node, after those of all nodes below it: with a stack of its own, since trees may be deep.
    fn values_of(&mut self, node: Node) -> Values<F> {
        let mut open = vec![(node, self.forest.ways(node))];
        while let Some((node, ways)) = open.last() {
            let missing = ways.iter().flatten().find(|below| !self.values.contains_key(below)).copied();
            match missing {
                Some(below) => {
                    let ways = self.forest.ways(below);
                    open.push((below, ways));
                }
                None => {
                    let values = self.value(*node, ways);
                    self.values.insert(*node, values);
                    open.pop();
                }
            }
        }
        self.values.get(&node).cloned().unwrap_or_else(|| Values::States(Rc::new([])))
    }

    /// The values of a node whose parts have values.
    fn value(&self, node: Node, ways: &[Vec<Node>]) -> Values<F> {
        let key = match node {
            Node::Place(_) => {
                let partials = ways.iter().flatten().flat_map(|below| self.partials(below));
                let states: BTreeSet<F::State> = partials.map(|partial| self.fold.end(partial)).collect();
                return Values::States(states.into_iter().collect());
            }
            Node::Item(key) => key,
        };
        let mut partials = BTreeSet::new();
        for way in ways {
            match way[..] {
                [] => {
                    partials.insert(self.fold.begin(self.forest.rule_of(key)));
                }
                [before] => {
                    let text = self.forest.terminal_before(key);
                    partials.extend(self.partials(&before).map(|partial| self.fold.terminal(partial, text)));
                }
                [before, place, ..] => {
                    let Some(Values::States(states)) = self.values.get(&place) else { continue };
                    for partial in self.partials(&before) {
                        partials.extend(states.iter().map(|state| self.fold.nonterminal(partial, state)));
                    }
                }
            }
        }
        Values::Partials(partials.into_iter().collect())
    }

    fn partials(&self, node: &Node) -> impl Iterator<Item = &F::Partial> {
        match self.values.get(node) {
            Some(Values::Partials(partials)) => partials.iter(),
            _ => [].iter(),
        }
    }
}
