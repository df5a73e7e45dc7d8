//! The shape of a grammar's trees: lists and their separators, optional parts, shortest texts.
//!
//! A rule that is recursive at the edge of its own nonterminal defines a list: `a -> item ";" a | item`. A
//! chain of such rules becomes one node with items, so a list of a thousand items is as flat as in any other
//! language.

use super::derivation::{Derivation, Spot};
use super::rules::{Grammar, Nonterminal, Rule, RuleId, Symbol};
use super::units::Units;
use crate::role::Role;
use crate::tree::{Flags, Kind, NodeData, NodeId, Tree, TreeBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The edge of a rule at which its nonterminal recurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A rule that adds an item to a list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    side: Side,
    /// The item, as a range of the rule's symbols.
    item: Range<usize>,
    /// The symbols between the item and the rest of the list.
    separator: Range<usize>,
    /// Whether the item alone is an alternative of the nonterminal, too, so that the list may end with any
    /// item.
    ends_anywhere: bool,
}

/// Facts about a grammar, computed once, that determine its trees.
#[derive(Debug)]
pub(super) struct Shapes {
    kinds: &'static [&'static str],
    nullable: Vec<bool>,
    steps: Vec<Option<Step>>,
    /// The parts of each rule that can be removed to get another alternative; nested or disjoint.
    parts: Vec<Vec<Range<usize>>>,
    terminals: BTreeMap<Symbol, Kind>,
    /// The shortest text of each nonterminal, unless that is too long.
    shortest: Vec<Option<&'static str>>,
    units: Units,
}

/// The form of the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Chains of recursive rules become lists, and symbols that are optional together get a node of their
    /// own.
    Lists,
    /// A node for every nonterminal and every terminal, including empty ones. A nonterminal with an empty
    /// rule is optional.
    Derivation,
}

/// A longer text is not used as a filler.
const LONG: usize = 256;

/// Rules with more symbols than this are not searched for optional parts.
const WIDE: usize = 32;

impl Shapes {
    /// Facts about `grammar`. Names and shortest texts are leaked.
    pub(super) fn new(grammar: &Grammar) -> Self {
        let leaked = |text: String| -> &'static str { text.leak() };
        let names = grammar.names();
        let mut kinds: Vec<&'static str> = Vec::new();
        for what in ["", " item", " part", " separator"] {
            kinds.extend(names.iter().map(|name| leaked(format!("{name}{what}"))));
        }
        let mut terminals = BTreeMap::new();
        for symbol in grammar.rules().iter().flat_map(|r| &r.right).filter(|s| s.nonterminal().is_none()) {
            let next = Kind(kinds.len() as u16);
            terminals.entry(symbol.clone()).or_insert_with(|| {
                kinds.push(leaked(match symbol {
                    Symbol::Class(class) => format!("[{}]", class.source),
                    Symbol::Literal(text) => text.clone(),
                    Symbol::Nonterminal(_) => String::new(),
                }));
                next
            });
        }
        let (steps, parts) = grammar.nonterminals().flat_map(|n| forms(grammar, n)).unzip();
        let shortest = shortest(grammar).into_iter().map(|text| text.map(leaked)).collect();
        Self {
            kinds: kinds.leak(),
            nullable: grammar.nullable(),
            steps,
            parts,
            terminals,
            shortest,
            units: Units::new(grammar.units()),
        }
    }

    /// The nonterminal of a node's kind, and whether the kind is that of an item of a list or of a part.
    fn nonterminal(&self, kind: Kind) -> Option<(Nonterminal, usize)> {
        let count = self.nullable.len();
        let (of, what) = (usize::from(kind.0) % count.max(1), usize::from(kind.0) / count.max(1));
        (what < 4).then_some((Nonterminal(of as u32), what))
    }

    /// Whether a text of kind `node` can replace one of kind `slot`.
    pub(super) fn derives(&self, slot: Kind, node: Kind) -> bool {
        match (self.nonterminal(slot), self.nonterminal(node)) {
            (Some((slot, 0)), Some((node, what))) if what < 2 => self.units.derives(slot, node),
            _ => false,
        }
    }

    /// The tree of a derivation, in this form; the rest of `text` is an error, except for a final line end.
    /// O(nodes).
    pub(super) fn tree(
        &self,
        grammar: &Grammar,
        derivation: Option<&Derivation>,
        text: &[u8],
        form: Form,
    ) -> (Tree, usize) {
        let (spots, spelled) = derivation.map(|d| d.spots(grammar)).unwrap_or_default();
        let rest = &text[spelled.len()..];
        let errors = errors(derivation.map(|_| spelled.len()), text);
        let mut builder = TreeBuilder::new(self.kinds, spots.len() + 2);
        let error = |builder: &mut TreeBuilder, start: usize, flags: Flags| {
            builder.open(NodeData {
                start: start as u32,
                end: text.len() as u32,
                kind: Kind(u16::MAX),
                grammar_kind: u16::MAX,
                parse_state: u16::MAX,
                flags: flags.with(Flags::NAMED).with(Flags::ERROR),
            });
        };
        if errors > 0 {
            error(&mut builder, 0, Flags::default());
        }
        if !spots.is_empty() {
            let mut emitter = Emitter { shapes: self, grammar, spots: &spots, builder: &mut builder };
            match form {
                Form::Lists => emitter.emit(),
                Form::Derivation => emitter.emit_derivation(),
            }
        }
        if errors > 0 && !rest.is_empty() {
            error(&mut builder, spelled.len(), Flags::OPTIONAL);
            builder.close(None);
        }
        (builder.finish(), errors)
    }
}

/// The number of bytes in error if the grammar accepts so many bytes of a text, or none. A final line end is
/// not an error, since editors add it.
pub(super) fn errors(accepted: Option<usize>, text: &[u8]) -> usize {
    match accepted {
        Some(end) if matches!(&text[end..], b"" | b"\n" | b"\r\n") => 0,
        Some(end) => text.len() - end,
        None => text.len().max(1),
    }
}

/// The list step and the optional parts of each rule of a nonterminal.
fn forms(grammar: &Grammar, nonterminal: Nonterminal) -> Vec<(Option<Step>, Vec<Range<usize>>)> {
    let rules = &grammar.rules()[grammar.alternatives(nonterminal).start as usize..];
    let rules = &rules[..grammar.alternatives(nonterminal).len()];
    let all: BTreeSet<Vec<&Symbol>> = rules.iter().map(|rule| rule.right.iter().collect()).collect();
    rules.iter().map(|rule| (step(rule, &all), parts(rule, &all))).collect()
}

fn step(rule: &Rule, all: &BTreeSet<Vec<&Symbol>>) -> Option<Step> {
    let own = |s: &Symbol| s.nonterminal() == Some(rule.left);
    let count = rule.right.len();
    let side = match &rule.right[..] {
        [.., last] if own(last) => Side::Right,
        [first, ..] if own(first) => Side::Left,
        _ => return None,
    };
    let rest = if side == Side::Right { 0..count - 1 } else { 1..count };
    if rest.is_empty() || rule.right[rest.clone()].iter().any(own) {
        return None;
    }
    let is_end = |item: &Range<usize>| all.contains(&rule.right[item.clone()].iter().collect::<Vec<_>>());
    let mut items = (1..=rest.len()).rev().map(|length| match side {
        Side::Right => 0..length,
        Side::Left => count - length..count,
    });
    let item = items.find(is_end);
    let ends_anywhere = item.is_some();
    let item = item.unwrap_or(rest.clone());
    let separator = if side == Side::Right { item.end..rest.end } else { rest.start..item.start };
    Some(Step { side, item, separator, ends_anywhere })
}

/// The parts whose removal turns a rule into another, non-empty one of `all`.
fn parts(rule: &Rule, all: &BTreeSet<Vec<&Symbol>>) -> Vec<Range<usize>> {
    let count = rule.right.len();
    let mut chosen: Vec<Range<usize>> = Vec::new();
    if count > WIDE {
        return chosen;
    }
    for length in 1..count {
        for start in (0..=count - length).rev() {
            let part = start..start + length;
            let rest: Vec<&Symbol> = rule.right[..start].iter().chain(&rule.right[part.end..]).collect();
            let apart = |c: &Range<usize>| {
                c.end <= part.start || part.end <= c.start || (part.start <= c.start && c.end <= part.end)
            };
            if all.contains(&rest) && chosen.iter().all(apart) {
                chosen.push(part);
            }
        }
    }
    chosen
}

/// The shortest text of each nonterminal, and of several equally short ones the least; `None` if it is too
/// long.
fn shortest(grammar: &Grammar) -> Vec<Option<String>> {
    let texts = grammar.least(|rule, known| {
        let mut text = String::new();
        for symbol in &rule.right {
            match symbol {
                Symbol::Literal(literal) => text.push_str(literal),
                Symbol::Class(class) => text.push(class.nth(0)),
                Symbol::Nonterminal(n) => {
                    let (_, below): (usize, String) = known(*n)?;
                    text.push_str(&below);
                }
            }
            if text.len() > LONG {
                return None;
            }
        }
        Some((text.len(), text))
    });
    texts.into_iter().map(|t| t.map(|(_, text)| text)).collect()
}

/// A part of the tree that is still to be built.
enum Task {
    /// A node of the derivation, with all nodes below it.
    Spot {
        spot: u32,
        optional: bool,
        separator: bool,
    },
    /// A node that is not in the derivation, around the tasks up to its `Close`.
    Open {
        kind: Kind,
        range: Range<u32>,
        optional: bool,
        separator: bool,
    },
    Close,
}

struct Emitter<'a> {
    shapes: &'a Shapes,
    grammar: &'a Grammar,
    spots: &'a [Spot<'a>],
    builder: &'a mut TreeBuilder,
}

impl Emitter<'_> {
    /// Builds the tree of the derivation itself.
    fn emit_derivation(&mut self) {
        // The ends of the open nodes, innermost last.
        let mut open: Vec<u32> = Vec::new();
        for (spot, at) in self.spots.iter().zip(0..) {
            while open.pop_if(|last| *last <= at).is_some() {
                self.builder.close(None);
            }
            open.push(spot.last);
            match spot.rule {
                None => self.terminal(spot, false, false),
                Some((left, _)) => {
                    let filler = self.shapes.shortest[left.index()];
                    self.named(spot, left, self.has_empty_rule(left), filler)
                }
            };
        }
        open.iter().for_each(|_| self.builder.close(None));
    }

    fn has_empty_rule(&self, nonterminal: Nonterminal) -> bool {
        let mut rules = self.grammar.alternatives(nonterminal);
        rules.any(|rule| self.grammar.rule(rule).right.is_empty())
    }

    fn emit(&mut self) {
        let mut todo = vec![Task::Spot { spot: 0, optional: false, separator: false }];
        while let Some(task) = todo.pop() {
            match task {
                Task::Close => self.builder.close(None),
                Task::Open { kind, range, optional, separator } => {
                    self.open(kind, range, !separator, optional, separator);
                }
                Task::Spot { spot, optional, separator } => {
                    let known = self.spots[spot as usize];
                    match known.rule {
                        _ if known.start == known.end && spot > 0 => {}
                        None => {
                            self.terminal(&known, optional, separator);
                            self.builder.close(None);
                        }
                        Some((left, rule)) => {
                            todo.push(Task::Close);
                            self.nonterminal(spot, left, rule, optional, &mut todo);
                        }
                    }
                }
            }
        }
    }

    /// Opens the node of a terminal.
    fn terminal(&mut self, spot: &Spot, optional: bool, separator: bool) -> NodeId {
        let kind = spot.symbol.and_then(|s| self.shapes.terminals.get(s));
        let kind = kind.copied().unwrap_or(Kind(u16::MAX));
        self.open(kind, spot.start..spot.end, false, optional, separator)
    }

    /// Opens the node of a nonterminal.
    fn named(
        &mut self,
        spot: &Spot,
        left: Nonterminal,
        optional: bool,
        filler: Option<&'static str>,
    ) -> NodeId {
        let id = self.open(self.kind(left, 0), spot.start..spot.end, true, optional, false);
        if let Some(filler) = filler {
            self.builder.filler(id, filler);
        }
        if self.grammar.is_lexical(left) {
            self.builder.role(id, Role::Literal);
        }
        id
    }

    fn open(
        &mut self,
        kind: Kind,
        range: Range<u32>,
        named: bool,
        optional: bool,
        separator: bool,
    ) -> NodeId {
        let named = if named { Flags::NAMED } else { Flags::default() };
        let flags = if optional { named.with(Flags::OPTIONAL) } else { named };
        let (start, end) = (range.start, range.end);
        let data = NodeData { start, end, kind, grammar_kind: kind.0, parse_state: u16::MAX, flags };
        let id = self.builder.open(data);
        if separator {
            self.builder.role(id, Role::Separator);
        }
        id
    }

    fn children(&self, spot: u32) -> Vec<u32> {
        let last = self.spots[spot as usize].last;
        let child = |at: u32| (at < last).then_some(at);
        std::iter::successors(child(spot + 1), |&c| child(self.spots[c as usize].last)).collect()
    }

    /// Opens the node of a nonterminal and schedules its children.
    fn nonterminal(
        &mut self,
        spot: u32,
        left: Nonterminal,
        rule: RuleId,
        optional: bool,
        todo: &mut Vec<Task>,
    ) {
        let null = self.shapes.nullable[left.index()] && spot > 0;
        let filler = self.shapes.shortest[left.index()].filter(|text| !text.is_empty());
        let id = self.named(&self.spots[spot as usize], left, optional || null, filler);
        let tasks = match &self.shapes.steps[rule as usize] {
            None => self.symbols(spot, rule, 0..self.grammar.rule(rule).right.len()),
            Some(step) => {
                self.builder.role(id, Role::Block);
                self.list(spot, left, step.side)
            }
        };
        todo.extend(tasks.into_iter().rev());
    }

    /// The kind of a nonterminal (0), of an item in its lists (1), of its parts (2), or of its separators
    /// (3).
    fn kind(&self, nonterminal: Nonterminal, what: usize) -> Kind {
        Kind((what * self.grammar.names().len() + nonterminal.index()) as u16)
    }

    /// Some of the children of a node, with a node around those that are optional together.
    fn symbols(&self, spot: u32, rule: RuleId, range: Range<usize>) -> Vec<Task> {
        let children = self.children(spot);
        let left = self.grammar.rule(rule).left;
        let is_inside = |p: &&Range<usize>| range.start <= p.start && p.end <= range.end && **p != range;
        let mut parts: Vec<&Range<usize>> =
            self.shapes.parts[rule as usize].iter().filter(is_inside).collect();
        parts.sort_by_key(|p| (p.start, std::cmp::Reverse(p.end)));
        let mut tasks = Vec::new();
        for at in range {
            let around = |p: &&&Range<usize>| p.len() > 1 && !self.range(&children, p).is_empty();
            for part in parts.iter().filter(|p| p.start == at).filter(around) {
                let range = self.range(&children, part);
                tasks.push(Task::Open { kind: self.kind(left, 2), range, optional: true, separator: false });
            }
            let optional = parts.contains(&&(at..at + 1));
            tasks.push(Task::Spot { spot: children[at], optional, separator: false });
            tasks.extend(parts.iter().filter(|p| p.end == at + 1).filter(around).map(|_| Task::Close));
        }
        tasks
    }

    /// The byte range of neighbouring children.
    fn range(&self, children: &[u32], of: &Range<usize>) -> Range<u32> {
        let spots = children.get(of.clone()).unwrap_or(&[]).iter().map(|&c| &self.spots[c as usize]);
        let start = spots.clone().map(|s| s.start).min().unwrap_or(0);
        start..spots.map(|s| s.end).max().unwrap_or(start)
    }

    /// The items and separators of a list whose first step is on this side.
    fn list(&self, spot: u32, left: Nonterminal, side: Side) -> Vec<Task> {
        let mut pieces: Vec<Vec<Task>> = Vec::new();
        let mut base = spot;
        let mut ends_anywhere = false;
        while let Some((_, rule)) = self.spots[base as usize].rule
            && let Some(step) = self.shapes.steps[rule as usize].as_ref().filter(|s| s.side == side)
        {
            let children = self.children(base);
            let item = self.item(base, rule, left, step.item.clone(), true);
            let separator = self.separator(&children, left, step.separator.clone());
            pieces.push(match side {
                Side::Right => item.into_iter().chain(separator).collect(),
                Side::Left => separator.into_iter().chain(item).collect(),
            });
            ends_anywhere = step.ends_anywhere;
            let next = if side == Side::Right { children.last() } else { children.first() };
            let Some(&next) = next else { break };
            base = next;
        }
        pieces.push(match self.spots[base as usize].rule {
            Some((_, rule)) if ends_anywhere => {
                self.item(base, rule, left, 0..self.grammar.rule(rule).right.len(), true)
            }
            _ => vec![Task::Spot { spot: base, optional: false, separator: false }],
        });
        if side == Side::Left {
            pieces.reverse();
        }
        pieces.into_iter().flatten().collect()
    }

    /// An item of a list: a node of its own if it has several symbols.
    fn item(
        &self,
        spot: u32,
        rule: RuleId,
        left: Nonterminal,
        of: Range<usize>,
        optional: bool,
    ) -> Vec<Task> {
        let children = self.children(spot);
        let range = self.range(&children, &of);
        if let [only] = children[of.clone()] {
            return vec![Task::Spot { spot: only, optional, separator: false }];
        }
        if range.is_empty() {
            return Vec::new();
        }
        let mut tasks = vec![Task::Open { kind: self.kind(left, 1), range, optional, separator: false }];
        tasks.extend(self.symbols(spot, rule, of));
        tasks.push(Task::Close);
        tasks
    }

    fn separator(&self, children: &[u32], left: Nonterminal, of: Range<usize>) -> Vec<Task> {
        let range = self.range(children, &of);
        match children[of] {
            [only] if self.spots[only as usize].rule.is_none() => {
                vec![Task::Spot { spot: only, optional: false, separator: true }]
            }
            _ if range.is_empty() => Vec::new(),
            ref several => {
                let below =
                    several.iter().map(|&spot| Task::Spot { spot, optional: false, separator: false });
                let open = Task::Open { kind: self.kind(left, 3), range, optional: false, separator: true };
                std::iter::once(open).chain(below).chain([Task::Close]).collect()
            }
        }
    }
}
