//! The recogniser: Earley's algorithm over bytes, with Leo's shortcut for right recursion.
//!
//! Earley, "An Efficient Context-Free Parsing Algorithm" (CACM 13(2), 1970); nullable nonterminals after
//! Aycock and Horspool, "Practical Earley Parsing" (The Computer Journal 45(6), 2002), section 2; right
//! recursion after Leo, "A general context-free parsing algorithm running in linear time on every LR(k)
//! grammar without using lookahead" (TCS 82, 1991). A rule is predicted only where the next byte can
//! start it. Linear on LR-regular grammars, O(n³) for the worst.

use super::rules::{Class, Grammar, Nonterminal, RuleId, Symbol};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// A place in a rule: before a symbol, or at the end. The places of all rules are numbered through.
pub(super) type Dot = u32;

/// What stands behind a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Nonterminal(Nonterminal),
    /// Index into the table's literals.
    Literal(u32),
    /// Index into the table's classes.
    Class(u32),
    /// Nothing: the rule is complete.
    End(RuleId),
}

/// A grammar made ready for parsing.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) after: Vec<After>,
    /// The first dot of each rule; the last one is that of the rule above the start symbol.
    pub(super) starts: Vec<Dot>,
    literals: Vec<Vec<u8>>,
    classes: Vec<Class>,
    nullable: Vec<bool>,
    alternatives: Vec<Range<RuleId>>,
    /// Whose alternative each rule is.
    left: Vec<Nonterminal>,
    /// The bytes that each rule's texts start with.
    first: Vec<Bytes>,
    /// Whether each rule derives the empty text.
    empty: Vec<bool>,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bytes([u64; 4]);

impl Bytes {
    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn has(self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Table {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let nullable = grammar.nullable();
        let mut table = Self {
            after: Vec::new(),
            starts: Vec::new(),
            literals: Vec::new(),
            classes: Vec::new(),
            alternatives: grammar.nonterminals().map(|n| grammar.alternatives(n)).collect(),
            left: grammar.rules().iter().map(|r| r.left).collect(),
            first: Vec::new(),
            empty: Vec::new(),
            nullable,
        };
        for (rule, id) in grammar.rules().iter().zip(0..) {
            table.rule(&rule.right, id);
        }
        let top = [Symbol::Nonterminal(grammar.start())];
        table.rule(&top, grammar.rules().len() as RuleId);
        table.find_first(grammar);
        table
    }

    fn rule(&mut self, right: &[Symbol], id: RuleId) {
        self.starts.push(self.after.len() as Dot);
        for symbol in right {
            let after = match symbol {
                Symbol::Nonterminal(n) => After::Nonterminal(*n),
                Symbol::Literal(text) => {
                    self.literals.push(text.clone().into_bytes());
                    After::Literal(self.literals.len() as u32 - 1)
                }
                Symbol::Class(class) => {
                    self.classes.push(class.clone());
                    After::Class(self.classes.len() as u32 - 1)
                }
            };
            self.after.push(after);
        }
        self.after.push(After::End(id));
    }

    fn find_first(&mut self, grammar: &Grammar) {
        let null = |symbol: &Symbol| symbol.nonterminal().is_some_and(|n| self.nullable[n.index()]);
        self.empty = grammar.rules().iter().map(|rule| rule.right.iter().all(null)).collect();
        let mut of: Vec<Bytes> = vec![Bytes::default(); grammar.names().len()];
        let first = |right: &[Symbol], of: &[Bytes]| {
            let mut bytes = Bytes::default();
            for symbol in right {
                match symbol {
                    Symbol::Nonterminal(n) => bytes = bytes.with(of[n.index()]),
                    Symbol::Literal(text) => text.bytes().take(1).for_each(|b| bytes.insert(b)),
                    Symbol::Class(class) => class.first_bytes().for_each(|b| bytes.insert(b)),
                }
                if !null(symbol) {
                    break;
                }
            }
            bytes
        };
        let mut changed = true;
        while changed {
            changed = false;
            for rule in grammar.rules() {
                let known = of[rule.left.index()];
                let more = known.with(first(&rule.right, &of));
                changed |= more != known;
                of[rule.left.index()] = more;
            }
        }
        self.first = grammar.rules().iter().map(|rule| first(&rule.right, &of)).collect();
    }

    /// The dot at the end of a rule.
    pub(super) fn end(&self, rule: RuleId) -> Dot {
        self.starts.get(rule as usize + 1).map_or(self.after.len() as Dot, |&next| next) - 1
    }

    /// The dot at the end of the rule above the start symbol.
    pub(super) fn top(&self) -> Dot {
        self.after.len() as Dot - 1
    }

    /// The rules of a nonterminal.
    pub(super) fn alternatives(&self, nonterminal: Nonterminal) -> Range<RuleId> {
        self.alternatives[nonterminal.index()].clone()
    }

    /// The nonterminal behind a dot, if one is there.
    pub(super) fn symbol(&self, dot: Dot) -> Option<Nonterminal> {
        match self.after[dot as usize] {
            After::Nonterminal(nonterminal) => Some(nonterminal),
            _ => None,
        }
    }

    /// Whether a class is behind a dot.
    pub(super) fn is_class(&self, dot: Dot) -> bool {
        matches!(self.after[dot as usize], After::Class(_))
    }

    /// How many bytes the terminal before `dot` has where it ends at `end`; `None` for a nonterminal.
    pub(super) fn terminal_before(&self, dot: Dot, text: &[u8], end: usize) -> Option<usize> {
        match self.after[dot as usize - 1] {
            After::Literal(literal) => Some(self.literals[literal as usize].len()),
            // Back to the first byte of a character.
            After::Class(_) => (1..=4).find(|length| text[end - length] & 0xc0 != 0x80),
            _ => None,
        }
    }

    /// The nonterminal that is complete at a dot, if one is; the start symbol's own end is none.
    pub(super) fn completed(&self, dot: Dot) -> Option<Nonterminal> {
        match self.after[dot as usize] {
            After::End(rule) => self.left.get(rule as usize).copied(),
            _ => None,
        }
    }
}

/// A dotted rule and where in the text it started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) dot: Dot,
    pub(super) origin: u32,
    /// The newest of its links, [`NONE`] where there is none.
    links: u32,
}

pub(super) const NONE: u32 = u32::MAX;

/// One way to move a dot over a nonterminal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Where the nonterminal's text starts: the set that has the item with the dot before it.
    pub(super) set: u32,
    /// For Leo's shortcut the nonterminal that was complete, with its text starting at `set`: the item is
    /// the topmost of a chain. Else [`NONE`].
    pub(super) shortcut: u32,
    next: u32,
}

/// What was recognised: the sets of items of one text.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) items: Vec<Item>,
    /// Where the items of each set end.
    ends: Vec<u32>,
    /// Items by set and the nonterminal behind their dot.
    waiting: Vec<(Nonterminal, u32)>,
    waiting_ends: Vec<u32>,
    links: Vec<Link>,
    /// The end of the longest prefix that the grammar accepts.
    pub(super) accepted: Option<u32>,
}

/// What is needed only while a chart is made.
struct Maker<'a> {
    table: &'a Table,
    text: &'a [u8],
    chart: Chart,
    with_links: bool,
    /// Items that terminals lead to, by how far ahead.
    ahead: VecDeque<Vec<Item>>,
    /// Which items, and which complete nonterminals, the present set has.
    seen: Seen,
    /// The last set that each nonterminal was predicted in, plus 1.
    predicted: Vec<u32>,
    /// For a set and a nonterminal the topmost item of the chain, if there is one.
    tops: HashMap<(u32, Nonterminal), (Dot, u32)>,
}

impl Chart {
    /// Recognises as much of `text` as can be.
    pub(super) fn new(table: &Table, text: &[u8], with_links: bool) -> Self {
        let mut maker = Maker {
            table,
            text,
            chart: Self {
                items: Vec::new(),
                ends: Vec::with_capacity(text.len() + 1),
                waiting: Vec::new(),
                waiting_ends: Vec::with_capacity(text.len() + 1),
                links: Vec::new(),
                accepted: None,
            },
            with_links,
            ahead: VecDeque::from([vec![Item { dot: table.top() - 1, origin: 0, links: NONE }]]),
            seen: Seen::default(),
            predicted: vec![0; table.nullable.len()],
            tops: HashMap::default(),
        };
        for at in 0..=text.len() as u32 {
            if maker.ahead.is_empty() {
                break;
            }
            maker.set(at);
        }
        maker.chart
    }

    /// The items of a set.
    pub(super) fn set(&self, set: u32) -> Range<usize> {
        range(&self.ends, set)
    }

    /// The items of a set that wait for a nonterminal, as places in `waiting`.
    fn waiting(&self, set: u32, nonterminal: Nonterminal) -> Range<usize> {
        let all = range(&self.waiting_ends, set);
        let waiting = &self.waiting[all.clone()];
        let from = waiting.partition_point(|w| w.0 < nonterminal);
        let count = waiting[from..].iter().take_while(|w| w.0 == nonterminal).count();
        all.start + from..all.start + from + count
    }

    /// The links of an item.
    pub(super) fn links(&self, item: Item) -> impl Iterator<Item = Link> {
        let link = |at: u32| self.links.get(at as usize).copied();
        std::iter::successors(link(item.links), move |l| link(l.next))
    }

    /// The only item of a set that waits for a nonterminal, if that ends its rule: what is complete then
    /// completes it, and that completes nothing else.
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

impl Maker<'_> {
    /// Makes the set at byte `at`; all before it are made.
    fn set(&mut self, at: u32) {
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
                        self.add(item.dot + 1, item.origin, at, NONE);
                    }
                }
                After::Literal(literal) => {
                    let literal = &self.table.literals[literal as usize];
                    if self.text[at as usize..].starts_with(literal) {
                        self.scan(item, literal.len());
                    }
                }
                After::Class(class) => {
                    let class = &self.table.classes[class as usize];
                    if let Some((_, length)) = class.read_from(&self.text[at as usize..]) {
                        self.scan(item, length);
                    }
                }
            }
            next += 1;
        }
        self.finish(first);
    }

    fn scan(&mut self, item: Item, length: usize) {
        while self.ahead.len() < length {
            self.ahead.push_back(Vec::new());
        }
        self.ahead[length - 1].push(Item { dot: item.dot + 1, origin: item.origin, links: NONE });
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
                self.chart.items.push(Item { dot, origin: at, links: NONE });
            }
        }
    }

    fn complete(&mut self, rule: RuleId, origin: u32, at: u32) {
        let Some(&left) = self.table.left.get(rule as usize) else {
            self.chart.accepted = Some(at);
            return;
        };
        // What is empty was moved over when it was predicted.
        if origin == at
            || self.seen.insert(u64::from(left.0) << 32 | u64::from(origin) | 1 << 63, 0).is_some()
        {
            return;
        }
        if let Some(only) = self.chart.only(self.table, origin, left) {
            let (dot, above) = self.top(origin, left, only);
            let direct = (dot, above) == (only.dot + 1, only.origin);
            return self.add(dot, above, origin, if direct { NONE } else { left.0 });
        }
        for place in self.chart.waiting(origin, left) {
            let item = self.chart.items[self.chart.waiting[place].1 as usize];
            self.add(item.dot + 1, item.origin, origin, NONE);
        }
    }

    /// The topmost item that a complete nonterminal leads to from `only`, the only item of `set` that waits
    /// for it, where every further step of the way is the only one too.
    fn top(&mut self, set: u32, nonterminal: Nonterminal, only: Item) -> (Dot, u32) {
        let mut way = Vec::new();
        let (mut set, mut nonterminal, mut item) = (set, nonterminal, only);
        let top = loop {
            if let Some(&known) = self.tops.get(&(set, nonterminal)) {
                break known;
            }
            way.push((set, nonterminal));
            let reached = (item.dot + 1, item.origin);
            let Some(left) = self.table.completed(item.dot + 1) else { break reached };
            (set, nonterminal) = (item.origin, left);
            let Some(next) = self.chart.only(self.table, set, nonterminal) else { break reached };
            item = next;
        };
        self.tops.extend(way.into_iter().map(|step| (step, top)));
        top
    }

    /// Adds an item whose dot has just passed a nonterminal, or a link to the one that is there.
    fn add(&mut self, dot: Dot, origin: u32, set: u32, shortcut: u32) {
        let new = self.chart.items.len() as u32;
        let known = self.seen.insert(u64::from(dot) << 32 | u64::from(origin), new);
        let item = known.unwrap_or(new) as usize;
        if known.is_none() {
            self.chart.items.push(Item { dot, origin, links: NONE });
        }
        if self.with_links {
            let next = std::mem::replace(&mut self.chart.items[item].links, self.chart.links.len() as u32);
            self.chart.links.push(Link { set, shortcut, next });
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

/// A small hash map from keys to indices that is cleared in O(1).
#[derive(Default)]
struct Seen {
    slots: Vec<(u64, u32, u32)>,
    count: usize,
    /// Slots of another age are free.
    age: u32,
}

impl Seen {
    fn clear(&mut self) {
        self.age += 1;
        self.count = 0;
    }

    /// What the key stands for, if it is known; else `value` from now on.
    fn insert(&mut self, key: u64, value: u32) -> Option<u32> {
        if self.count * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.1 != self.age {
                *slot = (key, self.age, value);
                self.count += 1;
                return None;
            }
            if slot.0 == key {
                return Some(slot.2);
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let larger = vec![(0, 0, 0); (self.slots.len() * 2).max(64)];
        let old = std::mem::replace(&mut self.slots, larger);
        let age = std::mem::replace(&mut self.age, 1);
        self.count = 0;
        for (key, _, value) in old.into_iter().filter(|slot| slot.1 == age) {
            self.insert(key, value);
        }
    }
}
