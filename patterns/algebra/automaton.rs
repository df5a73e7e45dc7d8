//! The automaton: a deterministic bottom-up tree automaton that counts where evocative subtrees match.
//!
//! The state of a node tells which concrete nodes of the subtrees match there, and how many matches of each subtree lie
//! in the node's tree, up to a cap. Overlapping matches all count.

use super::subtree::{Part, Subtree};
use lopper_languages::grammar::{Fold, Grammar, RuleId, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// The state of a node of a derivation tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The inner nodes of subtrees that match here, ascending.
    matches: Vec<u32>,
    /// For each subtree, how many matches the node's tree has: its cap stands for all numbers above.
    pub counts: Vec<u32>,
}

/// The state of a rule of which some symbols have been read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    rule: RuleId,
    /// How many symbols have been read.
    at: u32,
    /// The concrete nodes that the symbols read so far agree with, ascending.
    open: Vec<u32>,
    counts: Vec<u32>,
}

/// A concrete node of one of the subtrees.
#[derive(Clone, Debug)]
struct Node {
    parts: Vec<Part>,
    /// The subtree of which it is the root.
    root_of: Option<usize>,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Automaton<'g> {
    grammar: &'g Grammar,
    nodes: Vec<Node>,
    /// The nodes with each rule.
    with_rule: BTreeMap<RuleId, Vec<u32>>,
    caps: Vec<u32>,
}

impl<'g> Automaton<'g> {
    /// The automaton of some subtrees, each with the number from which its matches are no longer told apart.
    pub fn new(grammar: &'g Grammar, subtrees: &[(Subtree, u32)]) -> Self {
        let mut automaton = Self { grammar, nodes: Vec::new(), with_rule: BTreeMap::new(), caps: Vec::new() };
        for (number, (subtree, cap)) in subtrees.iter().enumerate() {
            let first = automaton.nodes.len();
            for (at, concrete) in subtree.nodes.iter().enumerate() {
                let shifted = concrete.parts.iter().map(|part| match part {
                    Part::Node(node) => Part::Node(first + node),
                    other => other.clone(),
                });
                automaton.with_rule.entry(concrete.rule).or_default().push(automaton.nodes.len() as u32);
                let root_of = (at == 0).then_some(number);
                automaton.nodes.push(Node { parts: shifted.collect(), root_of });
            }
            automaton.caps.push(*cap);
        }
        automaton
    }

    /// The grammar.
    pub fn grammar(&self) -> &'g Grammar {
        self.grammar
    }

    /// The characters that a class in a rule has to be told apart by, ascending; any other is as good as any other.
    pub(super) fn chars(&self, rule: RuleId, symbol: usize) -> Vec<char> {
        let nodes = self.with_rule.get(&rule).into_iter().flatten();
        let mut chars: Vec<char> = nodes
            .filter_map(|&node| match self.nodes[node as usize].parts.get(symbol) {
                Some(Part::Char(c)) => Some(*c),
                _ => None,
            })
            .collect();
        chars.sort_unstable();
        chars.dedup();
        chars
    }

    /// The subtree by which these states differ most.
    pub(super) fn largest<'s>(&self, states: impl Iterator<Item = &'s State> + Clone) -> usize {
        let mut first = 0;
        let mut parts = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if node.root_of.is_some() && at > 0 {
                parts.push(first..at as u32);
                first = at as u32;
            }
        }
        parts.push(first..self.nodes.len() as u32);
        let different = |subtree: &usize| {
            let own = |state: &State| -> (Vec<u32>, u32) {
                let matches = state.matches.iter().copied().filter(|node| parts[*subtree].contains(node));
                (matches.collect(), state.counts[*subtree])
            };
            states.clone().map(own).collect::<BTreeSet<_>>().len()
        };
        (0..self.caps.len()).max_by_key(different).unwrap_or(0)
    }

    /// Reads a symbol: the nodes whose part there `agrees` stay open.
    fn read(&self, reading: &Reading, agrees: impl Fn(&Part) -> bool, counts: &[u32]) -> Reading {
        let at = reading.at as usize;
        let is_open = |node: &&u32| self.nodes[**node as usize].parts.get(at).is_some_and(&agrees);
        let open = reading.open.iter().filter(is_open).copied().collect();
        let sum = |((a, b), cap): ((&u32, &u32), &u32)| (a + b).min(*cap);
        let counts = reading.counts.iter().zip(counts).zip(&self.caps).map(sum).collect();
        Reading { rule: reading.rule, at: reading.at + 1, open, counts }
    }

    /// Reads a character of a class; `None` for one that no subtree asks for.
    pub(super) fn class(&self, reading: &Reading, c: Option<char>) -> Reading {
        let agrees = |part: &Part| match part {
            Part::Char(wanted) => c == Some(*wanted),
            Part::Any => true,
            Part::Node(_) => false,
        };
        self.read(reading, agrees, &vec![0; self.caps.len()])
    }
}

impl Fold for Automaton<'_> {
    type State = State;
    type Partial = Reading;

    fn begin(&self, rule: RuleId) -> Reading {
        let open = self.with_rule.get(&rule).cloned().unwrap_or_default();
        Reading { rule, at: 0, open, counts: vec![0; self.caps.len()] }
    }

    fn terminal(&self, reading: &Reading, text: &[u8]) -> Reading {
        let symbol = self.grammar.rule(reading.rule).right.get(reading.at as usize);
        let is_class = matches!(symbol, Some(Symbol::Class(_)));
        let c = std::str::from_utf8(text).ok().and_then(|text| text.chars().next());
        self.class(reading, c.filter(|_| is_class))
    }

    fn nonterminal(&self, reading: &Reading, state: &State) -> Reading {
        let agrees = |part: &Part| match part {
            Part::Node(node) => state.matches.binary_search(&(*node as u32)).is_ok(),
            Part::Any => true,
            Part::Char(_) => false,
        };
        self.read(reading, agrees, &state.counts)
    }

    fn end(&self, reading: &Reading) -> State {
        let mut counts = reading.counts.clone();
        let mut matches = Vec::new();
        for &node in &reading.open {
            match self.nodes[node as usize].root_of {
                Some(subtree) => counts[subtree] = (counts[subtree] + 1).min(self.caps[subtree]),
                None => matches.push(node),
            }
        }
        State { matches, counts }
    }
}
