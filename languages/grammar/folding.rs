//! Runs folds: over the trees of a text one by one if there are few, else over its forest.

use super::Parser;
use super::fold::Fold;
use super::forest::{Forest, Node};
use super::remembered::Remembered;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A fold over many texts, which remembers what it has computed.
#[derive(Debug)]
pub struct Folding<'a, F: Fold> {
    parser: &'a Parser,
    remembered: Remembered<'a, F>,
}

impl Parser {
    /// Prepares a fold for many texts.
    pub fn folding<'a, F: Fold>(&'a self, fold: &'a F) -> Folding<'a, F> {
        Folding { parser: self, remembered: Remembered::new(fold) }
    }

    /// The states that the root has in the trees of exactly this text; none if the grammar does not derive it.
    pub fn fold<F: Fold>(&self, fold: &F, text: &[u8]) -> BTreeSet<F::State> {
        self.folding(fold).states(text)
    }
}

impl<'a, F: Fold> Folding<'a, F> {
    /// What is computed.
    pub fn fold(&self) -> &'a F {
        self.remembered.fold()
    }

    /// The states that the root has in the trees of exactly this text; none if the grammar does not derive it. Linear if
    /// an LR parser needs few stacks; else one step for each part of a node in the shared forest, times the combinations
    /// of the states of its parts.
    pub fn states(&mut self, text: &[u8]) -> BTreeSet<F::State> {
        if let Some(lr) = self.parser.lr() {
            let Ok(text) = std::str::from_utf8(text) else { return BTreeSet::new() };
            if let Ok(roots) = lr.fold(&mut self.remembered, text) {
                return roots.iter().filter_map(|&root| self.remembered.state(root)).cloned().collect();
            }
        }
        self.over_forest(text)
    }

    /// As [`Folding::states`], for any grammar.
    pub(super) fn over_forest(&self, text: &[u8]) -> BTreeSet<F::State> {
        let forest =
            Forest::new(&self.parser.table, text).filter(|forest| forest.end() as usize == text.len());
        let fold = self.remembered.fold();
        forest.map_or_else(BTreeSet::new, |forest| OverForest { forest, fold, values: HashMap::new() }.root())
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

/// A fold over the forest of a text.
struct OverForest<'a, F: Fold> {
    forest: Forest<'a>,
    fold: &'a F,
    values: HashMap<Node, Values<F>>,
}

impl<F: Fold> OverForest<'_, F> {
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
