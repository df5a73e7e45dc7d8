//! The shared forest of all trees of a text, and the first of these trees.
//!
//! A node of the forest is a nonterminal over a range of the text. The forest is not stored: the ways to
//! derive a node are computed from the recogniser's sets when they are needed, and the items that Leo's
//! shortcut skipped are restored then. So the first tree costs no more than recognising the text, plus one
//! look-up in a set for each of its nodes.

use super::derivation::{Derivation, Step};
use super::earley::Chart;
use super::rules::{Nonterminal, RuleId};
use super::table::{Dot, Table};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// The number of trees of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trees {
    /// Exactly this many.
    Exactly(u128),
    /// More than 128 bits can count: at least 10³⁸.
    Countless,
}

impl fmt::Display for Trees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(count) => write!(f, "{count}"),
            Self::Countless => f.write_str("more than 10^38"),
        }
    }
}

/// A node of the forest: a nonterminal over the bytes from `start` to `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    nonterminal: Nonterminal,
    start: u32,
    end: u32,
}

/// An item and its set.
pub(super) type Key = (Dot, u32, u32);

/// All trees of an accepted text (or prefix of it).
#[derive(Debug)]
pub(super) struct Forest<'a> {
    table: &'a Table,
    text: &'a [u8],
    chart: Chart,
    end: u32,
    /// For items that Leo's shortcut skipped: the sets in which the nonterminal before their dot starts.
    restored: HashMap<Key, Vec<u32>>,
    /// The indices of large sets, built on demand.
    indices: HashMap<u32, Rc<Index>>,
    /// The ends of the symbols before a dot, if there are several possibilities.
    best: HashMap<Key, Rc<[u32]>>,
}

/// The items of a set, sorted in several orders.
#[derive(Debug, Default)]
struct Index {
    /// The items.
    items: Vec<(Dot, u32)>,
    /// The complete nonterminals and their starts.
    complete: Vec<(Nonterminal, u32)>,
    /// The topmost items of Leo's shortcut, each with the complete nonterminal that leads to it.
    tops: Vec<((Dot, u32), (u32, Nonterminal))>,
}

/// Sets with more items than this are indexed before they are searched. Tests use a small limit, so that
/// short texts reach both cases.
const LARGE: usize = if cfg!(test) { 6 } else { 24 };

impl<'a> Forest<'a> {
    /// The forest of the longest prefix of `text` that the grammar accepts; `None` if there is none.
    pub(super) fn new(table: &'a Table, text: &'a [u8]) -> Option<Self> {
        let chart = Chart::new(table, text);
        let end = chart.accepted()?;
        let (restored, indices, best) = Default::default();
        Some(Self { table, text, chart, end, restored, indices, best })
    }

    /// The end of the prefix.
    pub(super) fn end(&self) -> u32 {
        self.end
    }

    /// The chart that the forest is built on.
    pub(super) fn into_chart(self) -> Chart {
        self.chart
    }

    /// The index of a set, if it is large.
    fn index(&mut self, set: u32) -> Option<Rc<Index>> {
        let range = self.chart.set(set);
        if range.len() <= LARGE {
            return None;
        }
        if let Some(known) = self.indices.get(&set) {
            return Some(Rc::clone(known));
        }
        let complete: Vec<(Nonterminal, u32)> = self.complete(set).collect();
        let top = |&(n, start): &(Nonterminal, u32)| Some((*self.chart.tops.get(&(start, n))?, (start, n)));
        let mut index = Index {
            items: self.chart.items[range].iter().map(|i| (i.dot, i.origin)).collect(),
            tops: complete.iter().filter_map(top).collect(),
            complete,
        };
        index.items.sort_unstable();
        index.complete.sort_unstable();
        index.tops.sort_unstable();
        let index = Rc::new(index);
        self.indices.insert(set, Rc::clone(&index));
        Some(index)
    }

    /// The nonterminals that are complete in a set and not empty, with their starts.
    fn complete(&self, set: u32) -> impl Iterator<Item = (Nonterminal, u32)> {
        let items = self.chart.items[self.chart.set(set)].iter().filter(move |i| i.origin < set);
        items.filter_map(|i| self.table.completed(i.dot).map(|n| (n, i.origin)))
    }

    fn has_item(&mut self, (dot, origin, set): Key) -> bool {
        match self.index(set) {
            Some(index) => index.items.binary_search(&(dot, origin)).is_ok(),
            None => self.chart.items[self.chart.set(set)].iter().any(|i| (i.dot, i.origin) == (dot, origin)),
        }
    }

    /// The possible starts of the nonterminal before the dot, ascending. The item must be in its set or
    /// restored.
    fn splits(&mut self, key: Key) -> Vec<u32> {
        let (dot, origin, set) = key;
        let Some(nonterminal) = self.table.symbol(dot - 1) else { return Vec::new() };
        let index = self.index(set);
        let shortcuts: Vec<(u32, Nonterminal)> = match &index {
            Some(index) => range_of(&index.tops, &(dot, origin)).map(|at| index.tops[at].1).collect(),
            None => {
                let leads = |(n, start): &(Nonterminal, u32)| {
                    self.chart.tops.get(&(*start, *n)) == Some(&(dot, origin))
                };
                self.complete(set).filter(leads).map(|(n, start)| (start, n)).collect()
            }
        };
        for from in shortcuts {
            self.restore(key, from);
        }
        let starts_rule = self.table.starts.binary_search(&(dot - 1)).is_ok();
        let mut splits: Vec<u32> = match &index {
            // The first symbol of a rule starts where the rule starts.
            _ if starts_rule => vec![origin],
            Some(index) => range_of(&index.complete, &nonterminal).map(|at| index.complete[at].1).collect(),
            None => self.complete(set).filter(|(n, _)| *n == nonterminal).map(|(_, start)| start).collect(),
        };
        if !starts_rule {
            if self.table.nullable[nonterminal.index()] {
                splits.push(set);
            }
            splits.retain(|&split| self.has_item((dot - 1, origin, split)));
        }
        splits.extend(self.restored.get(&key).into_iter().flatten());
        splits.sort_unstable();
        splits.dedup();
        splits
    }

    /// Restores the items between a complete nonterminal and the topmost item of its chain.
    fn restore(&mut self, top: Key, (mut set, mut nonterminal): (u32, Nonterminal)) {
        while let Some(item) = self.chart.only(self.table, set, nonterminal) {
            let key = (item.dot + 1, item.origin, top.2);
            let starts = self.restored.entry(key).or_default();
            if starts.contains(&set) {
                // The rest of the chain was restored before.
                return;
            }
            starts.push(set);
            if key == top {
                return;
            }
            let Some(left) = self.table.completed(item.dot + 1) else { return };
            (set, nonterminal) = (item.origin, left);
        }
    }

    /// The rules that derive the text of a place, in the grammar's order. The rules of its ancestors must
    /// have been queried before, from the root down.
    fn rules(&mut self, place: Place) -> Vec<RuleId> {
        let complete = |forest: &mut Self, rule: &RuleId| {
            let key = (forest.table.end(*rule), place.start, place.end);
            forest.has_item(key) || forest.restored.contains_key(&key)
        };
        let rules = self.table.alternatives(place.nonterminal);
        rules.filter(|rule| complete(self, rule)).collect()
    }

    /// The ends of the symbols before a dot, with each symbol as long as possible, the first one first.
    fn ends(&mut self, key: Key) -> Rc<[u32]> {
        let (dot, origin, set) = key;
        if let Some(known) = self.best.get(&key) {
            return Rc::clone(known);
        }
        let is_start = self.table.starts.binary_search(&dot).is_ok();
        if is_start {
            return Rc::new([]);
        }
        if let Some(length) = self.table.terminal_before(dot, self.text, set as usize) {
            return self.ends((dot - 1, origin, set - length as u32)).iter().copied().chain([set]).collect();
        }
        let splits = self.splits(key);
        let before = splits.iter().map(|&split| self.ends((dot - 1, origin, split)));
        let before = before.max().unwrap_or_default();
        let ends: Rc<[u32]> = before.iter().copied().chain([set]).collect();
        if splits.len() > 1 {
            self.best.insert(key, Rc::clone(&ends));
        }
        ends
    }

    /// The first tree: every node has the first rule of the grammar that derives its text, and among the ways
    /// to apply the rule the one whose first symbol is longest, then the second, and so on.
    pub(super) fn first(&mut self) -> Derivation {
        let mut steps = Vec::new();
        // The rule above the start symbol has no nonterminal of its own; its only symbol is the start symbol.
        self.splits((self.table.top(), 0, self.end));
        let root = (self.table.top() - 1, 0, self.end);
        let mut todo = vec![root];
        while let Some((dot, start, end)) = todo.pop() {
            let nonterminal = match self.table.symbol(dot) {
                Some(nonterminal) => nonterminal,
                None => {
                    let text = &self.text[start as usize..end as usize];
                    let is_class = self.table.is_class(dot);
                    let c = std::str::from_utf8(text).ok().and_then(|t| t.chars().next());
                    steps.extend(c.filter(|_| is_class).map(Step::Char));
                    continue;
                }
            };
            let Some(&rule) = self.rules(Place { nonterminal, start, end }).first() else { continue };
            steps.push(Step::Rule(rule));
            let last = self.table.end(rule);
            let first = self.table.starts[rule as usize];
            let ends = self.ends((last, start, end));
            let starts = std::iter::once(start).chain(ends.iter().copied());
            let below: Vec<Key> =
                (first..last).zip(starts).zip(ends.iter()).map(|((d, s), e)| (d, s, *e)).collect();
            todo.extend(below.into_iter().rev());
        }
        Derivation { steps }
    }

    /// The number of trees of the text. O(n³) at worst for n bytes, and far less if it is too large to count.
    pub(super) fn trees(&mut self) -> Trees {
        let root = self.root();
        let mut counts: HashMap<Node, u128> = HashMap::new();
        let mut todo = vec![root];
        while let Some(&node) = todo.last() {
            if counts.contains_key(&node) {
                todo.pop();
                continue;
            }
            let ways = self.ways(node);
            let waiting = todo.len();
            todo.extend(ways.iter().flatten().filter(|below| !counts.contains_key(below)));
            if todo.len() == waiting {
                let of_way =
                    |way: &Vec<Node>| way.iter().try_fold(1u128, |n, below| n.checked_mul(counts[below]));
                let count = ways.iter().try_fold(0u128, |sum, way| sum.checked_add(of_way(way)?));
                // Every node occurs in a tree of the whole text, which has at least as many trees as each of
                // its parts.
                let Some(count) = count else { return Trees::Countless };
                counts.insert(node, count);
                todo.pop();
            }
        }
        Trees::Exactly(counts[&root])
    }

    /// The topmost node: all of the text.
    pub(super) fn root(&self) -> Node {
        Node::Item((self.table.top(), 0, self.end))
    }

    /// The rule of an item.
    pub(super) fn rule_of(&self, (dot, ..): Key) -> RuleId {
        self.table.rule_of(dot)
    }

    /// The text of the terminal before the dot of an item; empty if there is none.
    pub(super) fn terminal_before(&self, (dot, _, set): Key) -> &[u8] {
        let length = self.table.terminal_before(dot, self.text, set as usize).unwrap_or(0);
        &self.text[set as usize - length..set as usize]
    }

    /// The ways to derive a node: alternative lists of nodes.
    pub(super) fn ways(&mut self, node: Node) -> Vec<Vec<Node>> {
        match node {
            Node::Place(place) => {
                let item = |rule| vec![Node::Item((self.table.end(rule), place.start, place.end))];
                self.rules(place).into_iter().map(item).collect()
            }
            Node::Item((dot, _, _)) if self.table.starts.binary_search(&dot).is_ok() => vec![Vec::new()],
            Node::Item((dot, origin, set)) => {
                if let Some(length) = self.table.terminal_before(dot, self.text, set as usize) {
                    return vec![vec![Node::Item((dot - 1, origin, set - length as u32))]];
                }
                let Some(nonterminal) = self.table.symbol(dot - 1) else { return Vec::new() };
                let way = |start| {
                    let place = Place { nonterminal, start, end: set };
                    vec![Node::Item((dot - 1, origin, start)), Node::Place(place)]
                };
                self.splits((dot, origin, set)).into_iter().map(way).collect()
            }
        }
    }
}

/// The positions of a key in a sorted list of pairs.
fn range_of<K: Ord, V>(list: &[(K, V)], key: &K) -> Range<usize> {
    let from = list.partition_point(|pair| pair.0 < *key);
    from..from + list[from..].partition_point(|pair| pair.0 == *key)
}

/// The nodes whose trees are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Place(Place),
    Item(Key),
}
