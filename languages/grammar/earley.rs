//! The recogniser: Earley's algorithm over bytes, with Leo's shortcut for right recursion.
//!
//! Earley, "An Efficient Context-Free Parsing Algorithm" (CACM 13(2), 1970); nullable nonterminals after
//! Aycock and Horspool, "Practical Earley Parsing" (The Computer Journal 45(6), 2002), section 2; right
//! recursion after Leo, "A general context-free parsing algorithm running in linear time on every LR(k)
//! grammar without using lookahead" (TCS 82, 1991). A rule is predicted only if the next byte can start it.
//! Linear on LR-regular grammars, O(n³) at worst.

use super::rules::{Nonterminal, RuleId};
use super::table::{After, Dot, Table};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// An item: a dotted rule and the set in which it started (its origin).
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) dot: Dot,
    pub(super) origin: u32,
}

/// The item sets of one text.
#[derive(Debug, Default)]
pub(super) struct Chart {
    /// The number of the chart's first set; the sets before it belong to the base's chart.
    pub(super) from: u32,
    pub(super) items: Vec<Item>,
    /// The end of each set in `items`.
    pub(super) ends: Vec<u32>,
    /// The items that wait for a nonterminal, with it, by set.
    waiting: Vec<(Nonterminal, u32)>,
    waiting_ends: Vec<u32>,
    /// The ends of the prefixes that the grammar accepts, ascending.
    pub(super) accepts: Vec<u32>,
    pub(super) tops: Tops,
}

/// For a set and a nonterminal, the topmost item of the chain of completions that starts there, if each step
/// has only one waiting item.
pub(super) type Tops = HashMap<(u32, Nonterminal), (Dot, u32)>;

/// The state that is needed only while a chart is built.
pub(super) struct Maker<'a> {
    pub(super) table: &'a Table,
    pub(super) text: &'a [u8],
    /// The chart with the sets before the first one of `chart`.
    pub(super) base: Option<&'a Chart>,
    pub(super) chart: Chart,
    /// The items that terminals lead to, by their distance in bytes.
    pub(super) ahead: VecDeque<Vec<Item>>,
    /// The items and the complete nonterminals of the current set.
    seen: Seen,
    /// The last set in which each nonterminal was predicted, plus 1.
    predicted: Vec<u32>,
}

impl Chart {
    /// Recognises as much of `text` as possible.
    pub(super) fn new(table: &Table, text: &[u8]) -> Self {
        let start = Item { dot: table.top() - 1, origin: 0 };
        let mut maker = Maker::new(table, text, None, 0);
        maker.ahead.push_back(vec![start]);
        for at in 0..=text.len() as u32 {
            if maker.ahead.is_empty() {
                break;
            }
            maker.set(at);
        }
        maker.chart
    }

    /// The end of the longest prefix that the grammar accepts.
    pub(super) fn accepted(&self) -> Option<u32> {
        self.accepts.last().copied()
    }

    /// The items of a set.
    pub(super) fn set(&self, set: u32) -> Range<usize> {
        range(&self.ends, set - self.from)
    }

    /// The items of a set that wait for a nonterminal, as indices into `waiting`.
    fn waiting(&self, set: u32, nonterminal: Nonterminal) -> Range<usize> {
        let all = range(&self.waiting_ends, set - self.from);
        let waiting = &self.waiting[all.clone()];
        let from = waiting.partition_point(|w| w.0 < nonterminal);
        let count = waiting[from..].iter().take_while(|w| w.0 == nonterminal).count();
        all.start + from..all.start + from + count
    }

    /// The item of a set that waits for a nonterminal, if there is only one and the nonterminal ends its
    /// rule, so that completing the nonterminal completes this item and nothing else.
    pub(super) fn only(&self, table: &Table, set: u32, nonterminal: Nonterminal) -> Option<Item> {
        let [(_, only)] = &self.waiting[self.waiting(set, nonterminal)] else { return None };
        let item = self.items[*only as usize];
        table.completed(item.dot + 1).map(|_| item)
    }
}

fn range(ends: &[u32], set: u32) -> Range<usize> {
    let end = ends.get(set as usize).map_or(0, |&e| e as usize);
    let start = if set == 0 { 0 } else { ends.get(set as usize - 1).map_or(0, |&e| e as usize) };
    start..end.max(start)
}

impl<'a> Maker<'a> {
    pub(super) fn new(table: &'a Table, text: &'a [u8], base: Option<&'a Chart>, from: u32) -> Self {
        let chart = Chart { from, ..Chart::default() };
        let (ahead, seen, predicted) = (VecDeque::new(), Seen::default(), vec![0; table.nullable.len()]);
        Self { table, text, base, chart, ahead, seen, predicted }
    }

    /// The chart that contains a set.
    pub(super) fn of(&self, set: u32) -> &Chart {
        self.base.filter(|_| set < self.chart.from).unwrap_or(&self.chart)
    }

    /// Builds the set at byte `at`; all sets before it exist.
    pub(super) fn set(&mut self, at: u32) {
        self.seen.clear();
        let first = self.chart.items.len();
        self.chart.items.extend(self.ahead.pop_front().unwrap_or_default());
        let mut next = first;
        while let Some(&item) = self.chart.items.get(next) {
            match self.table.after[item.dot as usize] {
                After::End(rule) => self.complete(rule, item.origin, at),
                After::Nonterminal(nonterminal) => {
                    self.predict(nonterminal, at);
                    if self.table.nullable[nonterminal.index()] {
                        self.add(item.dot + 1, item.origin);
                    }
                }
                After::Literal(_) | After::Class(_) => {
                    if let Some(length) = self.table.scanned(item.dot, &self.text[at as usize..]) {
                        self.scan(item, length);
                    }
                }
            }
            next += 1;
        }
        self.finish(first);
    }

    pub(super) fn scan(&mut self, item: Item, length: usize) {
        while self.ahead.len() < length {
            self.ahead.push_back(Vec::new());
        }
        self.ahead[length - 1].push(Item { dot: item.dot + 1, origin: item.origin });
    }

    fn predict(&mut self, nonterminal: Nonterminal, at: u32) {
        if std::mem::replace(&mut self.predicted[nonterminal.index()], at + 1) == at + 1 {
            return;
        }
        let next = self.text.get(at as usize);
        for rule in self.table.alternatives(nonterminal) {
            let rule = rule as usize;
            if self.table.empty[rule] || next.is_some_and(|&b| self.table.first[rule].has(b)) {
                let dot = self.table.starts[rule];
                self.chart.items.push(Item { dot, origin: at });
            }
        }
    }

    fn complete(&mut self, rule: RuleId, origin: u32, at: u32) {
        let Some(&left) = self.table.left.get(rule as usize) else {
            self.chart.accepts.push(at);
            return;
        };
        // An empty nonterminal was skipped when it was predicted.
        if origin == at || !self.seen.insert(u64::from(left.0) << 32 | u64::from(origin) | 1 << 63) {
            return;
        }
        if let Some(only) = self.of(origin).only(self.table, origin, left) {
            let (dot, above) = self.top(origin, left, only);
            return self.add(dot, above);
        }
        for place in self.of(origin).waiting(origin, left) {
            let chart = self.of(origin);
            let item = chart.items[chart.waiting[place].1 as usize];
            self.add(item.dot + 1, item.origin);
        }
    }

    /// The topmost item that a complete nonterminal leads to from `only`, the only item of `set` that waits
    /// for it, if each further step has only one waiting item, too.
    fn top(&mut self, set: u32, nonterminal: Nonterminal, only: Item) -> (Dot, u32) {
        let mut tops = std::mem::take(&mut self.chart.tops);
        let top = top(self.table, |set| self.of(set), &mut tops, (set, nonterminal, only));
        self.chart.tops = tops;
        top
    }

    /// Adds an item whose dot has just passed a nonterminal, unless the set has it.
    fn add(&mut self, dot: Dot, origin: u32) {
        if self.seen.insert(u64::from(dot) << 32 | u64::from(origin)) {
            self.chart.items.push(Item { dot, origin });
        }
    }

    fn finish(&mut self, first: usize) {
        let from = self.chart.waiting.len();
        for (item, index) in self.chart.items[first..].iter().zip(first as u32..) {
            if let After::Nonterminal(nonterminal) = self.table.after[item.dot as usize] {
                self.chart.waiting.push((nonterminal, index));
            }
        }
        self.chart.waiting[from..].sort_unstable();
        self.chart.waiting_ends.push(self.chart.waiting.len() as u32);
        self.chart.ends.push(self.chart.items.len() as u32);
    }
}

/// See [`Tops`]; `from` is the start of the chain: a set, a complete nonterminal, and the only item that
/// waits for it.
pub(super) fn top<'c>(
    table: &Table,
    of: impl Fn(u32) -> &'c Chart,
    tops: &mut Tops,
    from: (u32, Nonterminal, Item),
) -> (Dot, u32) {
    let mut way = Vec::new();
    let (mut set, mut nonterminal, mut item) = from;
    let top = loop {
        let key = (set, nonterminal);
        if let Some(&known) = tops.get(&key).or_else(|| of(set).tops.get(&key)) {
            break known;
        }
        way.push(key);
        let reached = (item.dot + 1, item.origin);
        let Some(left) = table.completed(item.dot + 1) else { break reached };
        (set, nonterminal) = (item.origin, left);
        let Some(next) = of(set).only(table, set, nonterminal) else { break reached };
        item = next;
    };
    tops.extend(way.into_iter().map(|step| (step, top)));
    top
}

/// A set of keys that is cleared in O(1).
#[derive(Default)]
struct Seen {
    slots: Vec<(u64, u32)>,
    count: usize,
    /// A slot with another age is free.
    age: u32,
}

impl Seen {
    fn clear(&mut self) {
        self.age += 1;
        self.count = 0;
    }

    /// Adds a key; returns whether it was new.
    fn insert(&mut self, key: u64) -> bool {
        if self.count * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.1 != self.age {
                *slot = (key, self.age);
                self.count += 1;
                return true;
            }
            if slot.0 == key {
                return false;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let larger = vec![(0, 0); (self.slots.len() * 2).max(64)];
        let old = std::mem::replace(&mut self.slots, larger);
        let age = std::mem::replace(&mut self.age, 1);
        self.count = 0;
        for (key, _) in old.into_iter().filter(|slot| slot.1 == age) {
            self.insert(key);
        }
    }
}
