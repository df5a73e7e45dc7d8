//! Reparses candidates: counts the errors of a text after some edits, without reading what they leave
//! unchanged.

use super::matching::DEEPEST;
use super::pieces::Piece;
use super::{Container, Filled, Grammar, State, bounded};
use crate::Parsed;
use crate::edit::Edit;
use crate::layout::Layout;
use crate::tree::{NodeId, Tree};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use tree_sitter::{InputEdit, Point};

/// How the candidates of a base are parsed.
pub(super) enum Reading {
    /// The parser continues from its own tree of the base. The time is proportional to the change and to the
    /// depth.
    Onwards {
        /// The parser's tree of the base.
        tree: tree_sitter::Tree,
        /// The starts of the lines of the base's text.
        lines: Vec<usize>,
        /// The base's text as the parser saw it, if words were filled in.
        full: Option<Vec<u8>>,
    },
    /// The base is too long for that: only the items that change are parsed, each by itself.
    Items(Items),
    /// The base is too deep: only brackets are counted.
    Brackets,
}

/// If the changed items have more bytes than this together, they are not parsed: that would take longer than
/// one run of most tests.
const LONGEST: usize = 1 << 16;

/// From this length on, the parser continues from its tree of an item, which is kept for the next candidates that
/// change the same item.
const KEPT: usize = 1 << 12;

/// In texts with containers, items are parsed by themselves from this length on.
const CONTAINED: usize = 1 << 15;

/// In candidates longer than this, implied words are filled in only if the base has some.
const FILLED: usize = 1 << 15;

/// The items of a long text: the children of the root and of the containers in it.
pub(super) struct Items {
    /// The root and the containers, in the order of the text, so that inner ones come behind outer ones.
    lists: Vec<List>,
    /// The long items that were parsed last, in the order of their use; together they have no more bytes than the
    /// items of one candidate may have. They save time and change no result.
    kept: Mutex<Vec<Arc<Kept>>>,
}

/// A long part of the base's text that was parsed by itself.
struct Kept {
    /// Its range in the base's text.
    range: Range<usize>,
    /// The index of its list.
    list: usize,
    /// What the parser saw.
    text: Vec<u8>,
    /// The parser's tree of it, unless that was too much work.
    tree: Option<tree_sitter::Tree>,
    errors: usize,
}

/// The items of the root or of a container.
struct List {
    /// The range between the brackets of the container, or that of the whole text.
    inside: Range<usize>,
    /// The texts between which an item is parsed.
    around: (&'static str, &'static str),
    items: Vec<Range<u32>>,
}

/// A part of a text that is parsed by itself.
struct Region {
    range: Range<usize>,
    /// The index of the list whose items it consists of.
    list: usize,
    /// The number of edits inside it.
    edits: usize,
}

impl Items {
    fn new(tree: &Tree, containers: &[Container]) -> Self {
        let items = |node| {
            let ranges = tree.children(node).map(|item| tree.range(item));
            ranges.map(|range| range.start as u32..range.end as u32).collect::<Vec<_>>()
        };
        let whole = List { inside: 0..usize::MAX, around: ("", ""), items: items(NodeId::ROOT) };
        let list = |node| {
            let container = containers.iter().find(|container| container.kind == tree.kind_name(node))?;
            let (around, items, range) = (container.around, items(node), tree.range(node));
            let inside = range.start + 1..range.end.saturating_sub(1);
            let inner = items.get(1..items.len().saturating_sub(1))?.to_vec();
            (!tree.is_error(node) && inside.start <= inside.end).then_some(List {
                inside,
                around,
                items: inner,
            })
        };
        let nodes = if containers.is_empty() { 0..0 } else { 0..tree.len() as u32 };
        let lists = [whole].into_iter().chain(nodes.filter_map(|node| list(NodeId(node)))).collect();
        Self { lists, kept: Mutex::default() }
    }

    /// The part of the base that `region` is, from those that are kept, or else from `parse`.
    fn kept(&self, region: &Region, parse: impl FnOnce() -> Kept) -> Arc<Kept> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |kept: &Arc<Kept>| kept.range == region.range && kept.list == region.list;
        let known = lock().iter().find(|kept| is_it(kept)).cloned();
        // The parser works without the lock.
        let found = known.unwrap_or_else(|| Arc::new(parse()));
        let mut all = lock();
        all.retain(|kept| !is_it(kept));
        all.push(Arc::clone(&found));
        let mut room = LONGEST;
        let fits = |kept: &&Arc<Kept>| {
            let left = room.checked_sub(kept.range.len());
            room = left.unwrap_or(0);
            left.is_some()
        };
        let count = all.iter().rev().take_while(fits).count();
        let old = all.len() - count;
        all.drain(..old);
        found
    }

    /// The index of the innermost list that an edit is in.
    fn list(&self, edit: &Edit) -> usize {
        let before = self.lists.partition_point(|list| list.inside.start <= edit.start);
        let holds = |list: &List| edit.end <= list.inside.end;
        self.lists[..before].iter().rposition(holds).unwrap_or(0)
    }
}

impl Reading {
    /// How to parse the candidates of a base with this tree. `whole` is the parser's own tree of `text`, if
    /// the text was parsed in one piece.
    pub(super) fn new(
        grammar: &Grammar,
        tree: &Tree,
        depth: usize,
        whole: Option<tree_sitter::Tree>,
        text: &[u8],
        filled: &Filled,
    ) -> Self {
        let containers = grammar.containers;
        match whole {
            _ if depth > DEEPEST => Self::Brackets,
            Some(tree) if containers.is_empty() || text.len() < CONTAINED => {
                let full = (!filled.is_empty()).then(|| text.to_vec());
                Self::Onwards { tree, lines: line_starts(text), full }
            }
            _ => Self::Items(Items::new(tree, containers)),
        }
    }
}

impl Grammar {
    pub(super) fn reparse_whole(
        &self,
        state: &State,
        tree: &tree_sitter::Tree,
        (lines, full): (&[usize], Option<&[u8]>),
        edits: &[Edit],
        text: &[u8],
    ) -> usize {
        if let Some(full) = full {
            return self.errors_after(tree, full, &self.fill(text, state.masks).1);
        }
        // Short texts that get their first implied words are parsed from scratch; in long texts such words are rare.
        if text.len() < FILLED {
            let (now, full) = self.fill(text, state.masks);
            if !now.is_empty() {
                return self.errors(&full);
            }
        }
        let mut old = tree.clone();
        // From the last edit to the first, so that the base's positions stay valid for the edits before.
        for edit in edits.iter().rev() {
            let start = point(lines, edit.start);
            old.edit(&InputEdit {
                start_byte: edit.start,
                old_end_byte: edit.end,
                new_end_byte: edit.start + edit.text.len(),
                start_position: start,
                old_end_position: point(lines, edit.end),
                new_end_position: advance(start, &edit.text),
            });
        }
        let text = &*self.hide(text, state.masks).1;
        bounded::parse(&mut self.parser(), text, Some(&old)).map_or(usize::MAX, |new| errors(&new, text))
    }

    /// The errors of a text that is parsed by itself.
    fn errors(&self, text: &[u8]) -> usize {
        bounded::parse(&mut self.parser(), text, None).map_or(usize::MAX, |tree| errors(&tree, text))
    }

    pub(super) fn reparse_items(&self, base: &Parsed, items: &Items, edits: &[Edit], masks: usize) -> usize {
        let mut sum = base.syntax().errors;
        let mut room = LONGEST;
        let mut rest = edits;
        while let Some(region) = self.region(&base.text, items, rest) {
            let (here, later) = rest.split_at(region.edits);
            rest = later;
            let old = &base.text[region.range.clone()];
            let mut text = Vec::with_capacity(old.len());
            let mut at = region.range.start;
            for edit in here {
                text.extend_from_slice(&base.text[at..edit.start]);
                text.extend_from_slice(&edit.text);
                at = edit.end;
            }
            text.extend_from_slice(&base.text[at..region.range.end]);
            let Some(left) = room.checked_sub(text.len()) else {
                return Self::compare_brackets(base, edits);
            };
            room = left;
            let around = items.lists[region.list].around;
            let keep = || {
                (old.len() >= KEPT).then(|| items.kept(&region, || self.keep(around, old, &region, masks)))
            };
            // A text of less than half the length is read faster from scratch.
            let kept = if text.len() > old.len() / 2 { keep() } else { None };
            let now = match &kept {
                Some(kept) => {
                    let text = self.between(around, &text, masks);
                    text.map_or(0, |text| self.errors_from(kept, &text))
                }
                None => self.errors_between(around, &text, masks),
            };
            let known =
                if base.syntax().errors > 0 { errors_in(base.tree(), region.range.clone()) } else { 0 };
            // By itself, the region may have errors that it does not have in its place, unless it is long: then it
            // consists of many whole items.
            let before = if now <= known || old.len() > LONGEST {
                known
            } else {
                known.max(match kept.or_else(keep) {
                    Some(kept) => kept.errors,
                    None => self.errors_between(around, old, masks),
                })
            };
            sum = sum.saturating_add(now).saturating_sub(before);
        }
        sum
    }

    /// The errors of an item's text.
    fn errors_between(&self, around: (&str, &str), text: &[u8], masks: usize) -> usize {
        self.between(around, text, masks).map_or(0, |text| self.errors(&text))
    }

    /// An item's text as the parser sees it; `None` if there is nothing but blanks.
    fn between(&self, (before, after): (&str, &str), text: &[u8], masks: usize) -> Option<Vec<u8>> {
        let is_blank = text.trim_ascii().is_empty();
        let full = (!is_blank).then(|| [before.as_bytes(), text, after.as_bytes()].concat())?;
        Some(self.fill(&full, masks).1.into_owned())
    }

    /// Parses a part of the base by itself.
    fn keep(&self, around: (&str, &str), text: &[u8], region: &Region, masks: usize) -> Kept {
        let text = self.between(around, text, masks).unwrap_or_default();
        let tree = bounded::parse(&mut self.parser(), &text, None);
        let errors = tree.as_ref().map_or(usize::MAX, |tree| errors(tree, &text));
        Kept { range: region.range.clone(), list: region.list, text, tree, errors }
    }

    /// The errors of a text that takes the place of a kept one; the parser goes on from the tree of that one.
    fn errors_from(&self, kept: &Kept, text: &[u8]) -> usize {
        kept.tree.as_ref().map_or_else(|| self.errors(text), |tree| self.errors_after(tree, &kept.text, text))
    }

    /// The errors of a text; the parser goes on from its tree of an older one.
    fn errors_after(&self, tree: &tree_sitter::Tree, old: &[u8], text: &[u8]) -> usize {
        let mut tree = tree.clone();
        tree.edit(&difference(old, text));
        bounded::parse(&mut self.parser(), text, Some(&tree)).map_or(usize::MAX, |new| errors(&new, text))
    }

    /// What must be parsed again for the first of `edits`; `None` if there are no edits.
    fn region(&self, text: &[u8], items: &Items, edits: &[Edit]) -> Option<Region> {
        let first = edits.first()?;
        let mut region = Region { range: first.start..first.end, list: usize::MAX, edits: 0 };
        for edit in edits {
            let list = items.list(edit);
            let touched = self.touched(text, &items.lists[list].items, edit);
            let (from, to) = match &items.lists[list].items[touched] {
                [] => (edit.start, edit.end),
                [first, .., last] => (edit.start.min(first.start as usize), edit.end.max(last.end as usize)),
                [only] => (edit.start.min(only.start as usize), edit.end.max(only.end as usize)),
            };
            if region.edits > 0 && from >= region.range.end {
                break;
            }
            // An item that overlaps the region and is in another list contains the region, or is in it.
            region.range = region.range.start.min(from)..region.range.end.max(to);
            region.list = region.list.min(list);
            region.edits += 1;
        }
        Some(region)
    }

    /// The items that must be parsed after an edit: those that it changes, and the neighbours that the rest
    /// of them may merge with.
    fn touched(&self, text: &[u8], items: &[Range<u32>], edit: &Edit) -> Range<usize> {
        let mut from = items.partition_point(|item| item.end as usize <= edit.start);
        let mut to = items.partition_point(|item| (item.start as usize) < edit.end).max(from);
        let begins = items.get(from).is_none_or(|item| edit.start <= item.start as usize);
        let ends = to == from || items[to - 1].end as usize <= edit.end;
        let is_apart =
            |from: usize| from == 0 || self.separates(text, items[from - 1].end as usize..edit.start);
        let is_alone = begins && (is_apart(from) || edit.text.contains(&b'\n'));
        let is_followed = |to: usize| {
            items.get(to).is_some_and(|item| !self.separates(text, edit.end..item.start as usize))
        };
        // An item that has lost its end may go on in the next one.
        let is_open = !begins && to < items.len();
        if ends && (is_open || is_followed(to) && !(is_alone && edit.text.is_empty())) {
            to += 1;
        }
        if begins && !is_alone {
            from = from.saturating_sub(1);
        }
        // Items on one line, such as those between semicolons, belong together.
        let meets = |i: usize| !self.separates(text, items[i - 1].end as usize..items[i].start as usize);
        while from > 0 && from < to && meets(from) {
            from -= 1;
        }
        while to < items.len() && from < to && meets(to) {
            to += 1;
        }
        from..to
    }

    /// Whether an item may begin behind this gap, which follows another item.
    fn separates(&self, text: &[u8], gap: Range<usize>) -> bool {
        let before = gap.start.checked_sub(1).map(|at| text[at]);
        let gap = text.get(gap).unwrap_or(&[]);
        match self.layout {
            Layout::Indented | Layout::Lines => gap.contains(&b'\n'),
            Layout::Free | Layout::Exact => {
                gap.iter().any(u8::is_ascii_whitespace) || matches!(before, None | Some(b';' | b'}'))
            }
        }
    }

    /// The errors of the base, plus one if the edits leave brackets without partners.
    pub(super) fn compare_brackets(base: &Parsed, edits: &[Edit]) -> usize {
        base.syntax().errors + usize::from(!base.keeps_balance(edits))
    }
}

fn errors(tree: &tree_sitter::Tree, text: &[u8]) -> usize {
    Piece::whole(tree, text, &super::Filled::default()).errors()
}

/// Bytes inside the errors that begin in a range, plus missing nodes.
fn errors_in(tree: &Tree, range: Range<usize>) -> usize {
    let mut end = 0;
    let mut sum = 0;
    for node in tree.starting_in(range.start..range.end + 1).filter(|&node| tree.is_error(node)) {
        let own = tree.range(node);
        if own.start >= end && (own.start < range.end || own.is_empty()) {
            sum += own.len().max(1);
            end = own.end;
        }
    }
    sum
}

/// The shortest change of one text that gives the other.
fn difference(old: &[u8], new: &[u8]) -> InputEdit {
    let alike = |(a, b): &(&u8, &u8)| a == b;
    let start = old.iter().zip(new).take_while(alike).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(alike).count();
    let (old_end, new_end) = (old.len() - end, new.len() - end);
    let from = advance(Point::new(0, 0), &old[..start]);
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: from,
        old_end_position: advance(from, &old[start..old_end]),
        new_end_position: advance(from, &new[start..new_end]),
    }
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let ends = text.iter().enumerate().filter(|(_, c)| **c == b'\n');
    std::iter::once(0).chain(ends.map(|(i, _)| i + 1)).collect()
}

fn point(lines: &[usize], at: usize) -> Point {
    let row = lines.partition_point(|&start| start <= at).saturating_sub(1);
    Point::new(row, at - lines[row])
}

/// The end of a text that starts at `from`.
fn advance(from: Point, text: &[u8]) -> Point {
    let rows = text.iter().filter(|c| **c == b'\n').count();
    match text.iter().rposition(|c| *c == b'\n') {
        Some(last) => Point::new(from.row + rows, text.len() - last - 1),
        None => Point::new(from.row, from.column + text.len()),
    }
}
