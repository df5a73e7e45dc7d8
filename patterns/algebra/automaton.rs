//! The automaton: a deterministic bottom-up tree automaton that counts where evocative subtrees match.
//!
//! The state of a node tells which concrete nodes of the subtrees match there, and how many matches of each subtree lie
//! in the node's tree, up to a cap. Overlapping matches all count. If a formula is to be answered, states that no text
//! around can tell apart are one: what has been decided is forgotten.

use super::formula::Formula;
use super::goal::Goal;
use super::subtree::{Part, Subtree};
use lopper_languages::grammar::{Fold, Grammar, RuleId, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// The state of a node of a derivation tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The inner nodes of subtrees that match here, ascending.
    matches: Vec<u32>,
    /// For each subtree, how many matches the node's tree has: its cap stands for all numbers above, and for any
    /// number that no longer matters.
    pub counts: Vec<u32>,
}

impl State {
    /// How many numbers it is made of.
    pub(super) fn size(&self) -> usize {
        self.matches.len() + self.counts.len()
    }
}

/// The state of a rule of which some symbols have been read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reading {
    rule: RuleId,
    /// How many symbols have been read.
    at: u32,
    /// The concrete nodes that the symbols read so far agree with, ascending; `None` for all with this rule.
    open: Option<Vec<u32>>,
    counts: Vec<u32>,
}

impl Reading {
    /// The rule, and how many of its symbols have been read.
    pub(super) fn place(&self) -> (RuleId, usize) {
        (self.rule, self.at as usize)
    }

    /// How many numbers it is made of.
    pub(super) fn size(&self) -> usize {
        self.open.as_ref().map_or(0, Vec::len) + self.counts.len()
    }
}

/// A concrete node of one or several of the subtrees: equal parts of them are one node.
#[derive(Clone, Debug)]
struct Node {
    parts: Vec<Part>,
    /// The subtrees of which it is the root.
    root_of: Vec<usize>,
    /// The subtrees that it is a part of, ascending.
    subtrees: Vec<usize>,
    /// The rule, node and symbol below which it stands.
    above: Vec<(RuleId, u32, u32)>,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Automaton<'g> {
    grammar: &'g Grammar,
    nodes: Vec<Node>,
    /// The nodes with each rule.
    with_rule: BTreeMap<RuleId, Vec<u32>>,
    /// The nodes that have anything at a symbol of a rule, or one character.
    anything: BTreeMap<(RuleId, u32), Vec<u32>>,
    characters: BTreeMap<(RuleId, u32, char), Vec<u32>>,
    caps: Vec<u32>,
    goal: Option<Goal>,
}

impl<'g> Automaton<'g> {
    /// The automaton of some subtrees, each with the number from which its matches are no longer told apart.
    pub fn new(grammar: &'g Grammar, subtrees: &[(Subtree, u32)]) -> Self {
        let mut automaton = Self {
            grammar,
            nodes: Vec::new(),
            with_rule: BTreeMap::new(),
            anything: BTreeMap::new(),
            characters: BTreeMap::new(),
            caps: subtrees.iter().map(|(_, cap)| *cap).collect(),
            goal: None,
        };
        let mut known = BTreeMap::new();
        for (number, (subtree, _)) in subtrees.iter().enumerate() {
            automaton.add(number, subtree, &mut known);
        }
        automaton.index();
        automaton
    }

    /// The automaton that answers a formula over named subtrees. Those that are not in the formula are left out.
    pub fn answering(grammar: &'g Grammar, subtrees: &[(String, Subtree)], formula: &Formula) -> Self {
        let caps = formula.caps();
        let used: Vec<&(String, Subtree)> =
            subtrees.iter().filter(|(name, _)| caps.contains_key(name)).collect();
        let names: Vec<&str> = used.iter().map(|(name, _)| &**name).collect();
        let capped: Vec<(Subtree, u32)> =
            used.iter().map(|(name, subtree)| (subtree.clone(), caps[name])).collect();
        let mut automaton = Self::new(grammar, &capped);
        automaton.goal = Some(Goal::new(formula, &names, &automaton.caps));
        automaton
    }

    /// Adds the nodes of a subtree, the last one first: those below a node are known before it.
    fn add(&mut self, number: usize, subtree: &Subtree, known: &mut BTreeMap<(RuleId, Vec<Part>), u32>) {
        let mut numbers = vec![0u32; subtree.nodes.len()];
        for (at, concrete) in subtree.nodes.iter().enumerate().rev() {
            let numbered = |part: &Part| match part {
                Part::Node(below) => Part::Node(numbers[*below] as usize),
                other => other.clone(),
            };
            let parts: Vec<Part> = concrete.parts.iter().map(numbered).collect();
            let new = self.nodes.len() as u32;
            let node = *known.entry((concrete.rule, parts.clone())).or_insert(new);
            if node == new {
                for (part, symbol) in parts.iter().zip(0u32..) {
                    if let Part::Node(below) = part {
                        self.nodes[*below].above.push((concrete.rule, node, symbol));
                    }
                }
                let (root_of, subtrees, above) = Default::default();
                self.nodes.push(Node { parts, root_of, subtrees, above });
                self.with_rule.entry(concrete.rule).or_default().push(node);
            }
            numbers[at] = node;
            let node = &mut self.nodes[node as usize];
            if node.subtrees.last() != Some(&number) {
                node.subtrees.push(number);
            }
            if at == 0 {
                node.root_of.push(number);
            }
        }
    }

    /// Finds the nodes for each symbol of a rule.
    fn index(&mut self) {
        for (&rule, nodes) in &self.with_rule {
            for &node in nodes {
                for (part, at) in self.nodes[node as usize].parts.iter().zip(0u32..) {
                    match part {
                        Part::Any => self.anything.entry((rule, at)).or_default().push(node),
                        Part::Char(c) => self.characters.entry((rule, at, *c)).or_default().push(node),
                        Part::Node(_) => {}
                    }
                }
            }
        }
    }

    /// The grammar.
    pub fn grammar(&self) -> &'g Grammar {
        self.grammar
    }

    /// Whether a root with this state satisfies the formula; without one, any does.
    pub fn holds(&self, state: &State) -> bool {
        self.goal.as_ref().is_none_or(|goal| goal.holds(&state.counts))
    }

    /// Whether no text around a tree with these counts can satisfy the formula.
    fn is_hopeless(&self, counts: &[u32]) -> bool {
        // A decided formula has the value that it has where all counts are as high as can be told apart.
        let is_decided = |goal: &Goal| counts == self.caps && !goal.holds(counts);
        self.goal.as_ref().is_some_and(is_decided)
    }

    /// As [`Automaton::is_hopeless`], for a state.
    pub(super) fn rejects(&self, state: &State) -> bool {
        self.is_hopeless(&state.counts)
    }

    /// As [`Automaton::is_hopeless`], for a rule that is being read.
    pub(super) fn rejects_reading(&self, reading: &Reading) -> bool {
        self.is_hopeless(&reading.counts)
    }

    /// The characters that a class in a rule has to be told apart by, ascending; any other is as good as any other.
    pub(super) fn chars(&self, rule: RuleId, symbol: usize) -> Vec<char> {
        let at = symbol as u32;
        let range = (rule, at, '\0')..=(rule, at, char::MAX);
        self.characters.range(range).map(|((_, _, c), _)| *c).collect()
    }

    /// The subtree by which these states differ most.
    pub(super) fn largest<'s>(&self, states: impl Iterator<Item = &'s State> + Clone) -> usize {
        let different = |subtree: &usize| {
            let own = |state: &State| -> (Vec<u32>, u32) {
                let is_own = |node: &u32| self.nodes[*node as usize].subtrees.binary_search(subtree).is_ok();
                (state.matches.iter().copied().filter(is_own).collect(), state.counts[*subtree])
            };
            states.clone().map(own).collect::<BTreeSet<_>>().len()
        };
        (0..self.caps.len()).max_by_key(different).unwrap_or(0)
    }

    /// Keeps of the nodes with a rule that are open those among `agreeing`.
    fn narrowed(open: Option<&[u32]>, mut agreeing: Vec<u32>) -> Vec<u32> {
        if let Some(open) = open {
            agreeing.retain(|node| open.binary_search(node).is_ok());
        }
        agreeing.sort_unstable();
        agreeing
    }

    /// Reads one more symbol: `open` are the nodes that agree with it, too.
    fn next(&self, reading: &Reading, open: Option<Vec<u32>>, counts: Vec<u32>) -> Reading {
        Reading { rule: reading.rule, at: reading.at + 1, open, counts }
    }

    /// Reads a character of a class; `None` for one that no subtree asks for.
    pub(super) fn class(&self, reading: &Reading, c: Option<char>) -> Reading {
        let (rule, at) = (reading.rule, reading.at);
        let own = c.and_then(|c| self.characters.get(&(rule, at, c)));
        let any = self.anything.get(&(rule, at));
        let agreeing = own.into_iter().chain(any).flatten().copied().collect();
        let open = Self::narrowed(reading.open.as_deref(), agreeing);
        self.next(reading, Some(open), reading.counts.clone())
    }
}

impl Fold for Automaton<'_> {
    type State = State;
    type Partial = Reading;

    fn begin(&self, rule: RuleId) -> Reading {
        Reading { rule, at: 0, open: None, counts: vec![0; self.caps.len()] }
    }

    fn terminal(&self, reading: &Reading, text: &[u8]) -> Reading {
        match self.grammar.rule(reading.rule).right.get(reading.at as usize) {
            Some(Symbol::Class(_)) => {
                let c = std::str::from_utf8(text).ok().and_then(|text| text.chars().next());
                self.class(reading, c)
            }
            // The rule fixes a literal, so all agree with it.
            _ => self.next(reading, reading.open.clone(), reading.counts.clone()),
        }
    }

    fn nonterminal(&self, reading: &Reading, state: &State) -> Reading {
        let (rule, at) = (reading.rule, reading.at);
        let mut agreeing: Vec<u32> = self.anything.get(&(rule, at)).cloned().unwrap_or_default();
        for &node in &state.matches {
            let above = self.nodes[node as usize].above.iter();
            agreeing
                .extend(above.filter(|(r, _, symbol)| (*r, *symbol) == (rule, at)).map(|(_, node, _)| node));
        }
        let open = Self::narrowed(reading.open.as_deref(), agreeing);
        let sum = |((a, b), cap): ((&u32, &u32), &u32)| (a + b).min(*cap);
        let mut counts: Vec<u32> =
            reading.counts.iter().zip(&state.counts).zip(&self.caps).map(sum).collect();
        if let Some(goal) = &self.goal {
            goal.settle(&mut counts);
        }
        self.next(reading, Some(open), counts)
    }

    fn end(&self, reading: &Reading) -> State {
        let mut counts = reading.counts.clone();
        let all = self.with_rule.get(&reading.rule).map_or(&[][..], |nodes| nodes);
        let mut matches = reading.open.as_deref().unwrap_or(all).to_vec();
        for &node in &matches {
            for &subtree in &self.nodes[node as usize].root_of {
                counts[subtree] = (counts[subtree] + 1).min(self.caps[subtree]);
            }
        }
        let live = self.goal.as_ref().map(|goal| goal.settle(&mut counts));
        matches.retain(|&node| {
            let node = &self.nodes[node as usize];
            let matters = |subtree: &usize| live.as_ref().is_none_or(|live| live[*subtree]);
            // A root that stands nowhere below another node has been counted.
            !node.above.is_empty() && node.subtrees.iter().any(matters)
        });
        State { matches, counts }
    }
}
