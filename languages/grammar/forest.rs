//! The shared forest of all trees of a text, and the first of them.
//!
//! A node of the forest is a nonterminal over a range of the text. Its ways are read from the items that the
//! recogniser kept; what Leo's shortcut left out is put back where it is asked for.

use super::derivation::{Derivation, Step};
use super::earley::{Chart, Item, Link, NONE};
use super::rules::{Nonterminal, RuleId};
use super::table::{Dot, Table};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// How many trees a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trees {
    /// So many.
    Exactly(u128),
    /// More than can be counted: at least 10³⁸.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    nonterminal: Nonterminal,
    start: u32,
    end: u32,
}

/// An item, by what it is and in which set.
type Key = (Dot, u32, u32);

/// All trees of an accepted text (or prefix of it).
#[derive(Debug)]
pub(super) struct Forest<'a> {
    table: &'a Table,
    text: &'a [u8],
    chart: Chart,
    end: u32,
    /// The links that Leo's shortcut left out.
    restored: HashMap<Key, Vec<u32>>,
    /// The items of large sets, sorted.
    sorted: HashMap<u32, Vec<(Dot, u32, u32)>>,
    /// The ends of the symbols before a dot, where there are several ways.
    best: HashMap<Key, Rc<[u32]>>,
}

/// Sets with more items than this are sorted before they are searched.
const LARGE: usize = 24;

impl<'a> Forest<'a> {
    /// The forest of the longest prefix of `text` that the grammar accepts, if there is one.
    pub(super) fn new(table: &'a Table, text: &'a [u8]) -> Option<Self> {
        let chart = Chart::new(table, text, true);
        let end = chart.accepted()?;
        let (restored, sorted, best) = Default::default();
        Some(Self { table, text, chart, end, restored, sorted, best })
    }

    /// The end of the prefix.
    pub(super) fn end(&self) -> u32 {
        self.end
    }

    /// What was recognised, of which the forest is made.
    pub(super) fn into_chart(self) -> Chart {
        self.chart.without_links()
    }

    fn item(&mut self, (dot, origin, set): Key) -> Option<Item> {
        let range = self.chart.set(set);
        let items = &self.chart.items;
        if range.len() <= LARGE {
            return items[range].iter().find(|i| i.dot == dot && i.origin == origin).copied();
        }
        let sorted = self.sorted.entry(set).or_insert_with(|| {
            let mut sorted: Vec<_> = range.map(|i| (items[i].dot, items[i].origin, i as u32)).collect();
            sorted.sort_unstable();
            sorted
        });
        let at = sorted.binary_search_by_key(&(dot, origin), |s| (s.0, s.1)).ok()?;
        Some(items[sorted[at].2 as usize])
    }

    /// Where the nonterminal before the dot may start, ascending.
    fn splits(&mut self, key: Key) -> Vec<u32> {
        let item = self.item(key);
        let links: Vec<Link> = item.map_or_else(Vec::new, |i| self.chart.links(i).collect());
        let (shortcuts, direct): (Vec<_>, Vec<_>) = links.into_iter().partition(|l| l.shortcut != NONE);
        for link in shortcuts {
            self.restore(key, link);
        }
        let mut splits: Vec<u32> = direct.into_iter().map(|l| l.set).collect();
        splits.extend(self.restored.get(&key).into_iter().flatten());
        splits.sort_unstable();
        splits.dedup();
        splits
    }

    /// Puts back the items between what was complete and the topmost item of the chain.
    fn restore(&mut self, top: Key, link: Link) {
        let (mut set, mut nonterminal) = (link.set, Nonterminal(link.shortcut));
        while let Some(item) = self.chart.only(self.table, set, nonterminal) {
            let key = (item.dot + 1, item.origin, top.2);
            let links = self.restored.entry(key).or_default();
            if links.contains(&set) {
                // The rest of the way is there.
                return;
            }
            links.push(set);
            if key == top {
                return;
            }
            let Some(left) = self.table.completed(item.dot + 1) else { return };
            (set, nonterminal) = (item.origin, left);
        }
    }

    /// The rules that derive a place's text, in the grammar's order. What leads to the place must have been
    /// asked for before, from the root on.
    fn rules(&mut self, place: Place) -> Vec<RuleId> {
        let complete = |forest: &mut Self, rule: &RuleId| {
            let key = (forest.table.end(*rule), place.start, place.end);
            forest.item(key).is_some() || forest.restored.contains_key(&key)
        };
        let rules = self.table.alternatives(place.nonterminal);
        rules.filter(|rule| complete(self, rule)).collect()
    }

    /// The ends of the symbols before a dot, the earlier ones as far to the right as can be.
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

    /// The first tree: at every node the first rule of the grammar that derives the text, and of its ways
    /// the one whose first symbol is longest, then the second, and so on.
    pub(super) fn first(&mut self) -> Derivation {
        let mut steps = Vec::new();
        // The topmost item is a rule without a nonterminal of its own: its only symbol is the start.
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

    /// How many trees the text has. O(n³) at worst for n bytes, and far less where they are countless.
    pub(super) fn trees(&mut self) -> Trees {
        let root = Node::Item((self.table.top(), 0, self.end));
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
                // Every node is in a tree of the whole, which has no fewer than its parts.
                let Some(count) = count else { return Trees::Countless };
                counts.insert(node, count);
                todo.pop();
            }
        }
        Trees::Exactly(counts[&root])
    }

    /// The ways to make a node of others: any one of the lists, of which all.
    fn ways(&mut self, node: Node) -> Vec<Vec<Node>> {
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

/// What trees are counted for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Place(Place),
    Item(Key),
}
