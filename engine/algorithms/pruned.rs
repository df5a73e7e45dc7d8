//! A file's tree with some nodes deleted, filled or replaced by descendants; and its text.
//!
//! The published algorithms change a tree and print it. Here the base stays unchanged and the changes are
//! kept beside it, so that copies are cheap, and commas and lines are deleted with their nodes as everywhere
//! else.

use lopper_languages::Parsed;
use lopper_languages::edit::{Candidate, Edit};
use lopper_languages::layout::{Layout, indentation, line_start};
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use lopper_passes::{Base, Group, Source, Unit, inside};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The fate of a node of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The node is deleted.
    Gone,
    /// This text replaces the node.
    Text(Cow<'static, [u8]>),
    /// This descendant replaces the node.
    By(NodeId),
    /// The content of this block, a descendant, replaces the node.
    Inside(NodeId),
}

/// A pruned tree; see the module. A *place* is a visible node of the base. Its *content* is the node that
/// stands there now, which may be a descendant.
#[derive(Clone, Debug)]
pub(super) struct Pruned {
    /// A base with the file alone.
    base: Arc<Base>,
    fates: BTreeMap<NodeId, Fate>,
}

/// The shortest text that can replace a required node: its filler, or a constant for an expression.
pub(super) fn fragment(file: &Parsed, node: NodeId) -> Option<&'static str> {
    let tree = file.tree();
    let constant = || file.language.constants().first().filter(|_| tree.has(node, Role::Expression));
    tree.filler(node).or_else(|| constant().copied())
}

impl Pruned {
    /// The unchanged tree of a file.
    pub(super) fn new(file: Arc<Parsed>) -> Self {
        Self { base: Arc::new(Base { files: vec![file] }), fates: BTreeMap::new() }
    }

    pub(super) fn file(&self) -> &Parsed {
        self.base.file(0)
    }

    /// The file, as passes see it.
    pub(super) fn base(&self) -> &Base {
        &self.base
    }

    fn tree(&self) -> &Tree {
        self.file().tree()
    }

    /// The content of a place.
    pub(super) fn content(&self, place: NodeId) -> NodeId {
        self.followed(place).0
    }

    /// The content of a place, and whether only the inside of that block stands there.
    fn followed(&self, place: NodeId) -> (NodeId, bool) {
        let (mut node, mut encloses) = (place, false);
        while let Some(fate @ (Fate::By(from) | Fate::Inside(from))) = self.fates.get(&node) {
            (node, encloses) = (*from, matches!(fate, Fate::Inside(_)));
        }
        (node, encloses)
    }

    fn is_gone(&self, place: NodeId) -> bool {
        self.fates.get(&place) == Some(&Fate::Gone)
    }

    fn is_text(&self, content: NodeId) -> bool {
        matches!(self.fates.get(&content), Some(Fate::Text(_)))
    }

    /// The places directly below a place's content, without the deleted ones.
    pub(super) fn children(&self, place: NodeId) -> impl Iterator<Item = NodeId> {
        let content = self.content(place);
        let leaf = self.is_text(content);
        let children = self.tree().children(content).filter(move |_| !leaf);
        children.filter(|&child| !self.is_gone(child))
    }

    /// The places with `depth` places above them.
    pub(super) fn at_depth(&self, depth: usize) -> Vec<NodeId> {
        let mut places: Vec<NodeId> =
            Some(NodeId::ROOT).filter(|&root| !self.is_gone(root)).into_iter().collect();
        for _ in 0..depth {
            places = places.into_iter().flat_map(|place| self.children(place)).collect();
        }
        places
    }

    /// A place and all places below it, in pre-order.
    fn subtree(&self, place: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut open: Vec<NodeId> = vec![place];
        while let Some(next) = open.pop() {
            let from = open.len();
            open.extend(self.children(next));
            open[from..].reverse();
            found.push(next);
        }
        found
    }

    /// All places below a place, in pre-order.
    pub(super) fn descendants(&self, place: NodeId) -> impl Iterator<Item = NodeId> {
        self.subtree(place).into_iter().skip(1)
    }

    /// The number of places below a place that have no places below them; 1 if there are none. In a
    /// derivation tree, a deleted place counts as a nonterminal without children.
    pub(super) fn leaves(&self, place: NodeId) -> usize {
        let gone_counts = self.file().language.parser().is_some();
        let count = |place| {
            let content = self.content(place);
            let below = if self.is_text(content) { 0 } else { self.tree().children(content).count() };
            let left = self.children(place).count();
            let gone = if gone_counts { below - left } else { 0 };
            gone + usize::from(left + gone == 0)
        };
        self.subtree(place).into_iter().map(count).sum()
    }

    /// Approximately the number of tokens that remain in a place. O(nodes below).
    pub(super) fn tokens(&self, place: NodeId) -> usize {
        let of = |place: NodeId| {
            let content = self.content(place);
            if self.is_text(content) {
                1
            } else if self.tree().is_leaf(content) {
                self.file().tokens_in(self.tree().range(content)).len()
            } else {
                0
            }
        };
        self.subtree(place).into_iter().map(of).sum()
    }

    /// This tree without these places.
    pub(super) fn without(&self, places: impl IntoIterator<Item = NodeId>) -> Self {
        self.with(places.into_iter().map(|place| (place, Fate::Gone)))
    }

    /// This tree with each of these places deleted if the grammar allows it, otherwise replaced by its
    /// fragment.
    pub(super) fn pruned(&self, places: impl IntoIterator<Item = NodeId>) -> Self {
        let fate = |place| {
            if self.may_go(place) {
                return (place, Fate::Gone);
            }
            // A fragment replaces the content; a deletion concerns the place, and deletes its comma.
            let content = self.content(place);
            let text = fragment(self.file(), content).unwrap_or_default();
            (content, Fate::Text(Cow::Borrowed(text.as_bytes())))
        };
        self.with(places.into_iter().map(fate).collect::<Vec<_>>())
    }

    /// This tree with `place` replaced by the content of `from`, a place below it.
    pub(super) fn replaced(&self, place: NodeId, from: NodeId) -> Self {
        self.with([(place, Fate::By(self.content(from)))])
    }

    fn with(&self, fates: impl IntoIterator<Item = (NodeId, Fate)>) -> Self {
        let mut other = self.clone();
        other.fates.extend(fates);
        other
    }

    /// This tree with these fates of nodes of the base. If a node has several fates, the first one counts.
    pub(super) fn reduced<'a>(&self, fates: impl IntoIterator<Item = &'a (NodeId, Fate)>) -> Self {
        let mut other = self.clone();
        for (node, fate) in fates {
            other.fates.entry(*node).or_insert_with(|| fate.clone());
        }
        other
    }

    /// Whether a place is optional in the grammar.
    pub(super) fn may_go(&self, place: NodeId) -> bool {
        self.tree().is_optional(place)
    }

    /// Whether a place may have an empty text: it is optional, or its content can derive the empty text.
    pub(super) fn may_vanish(&self, place: NodeId) -> bool {
        self.may_go(place) || fragment(self.file(), self.content(place)) == Some("")
    }

    /// Whether `pruned` would make a place smaller.
    pub(super) fn may_shrink(&self, place: NodeId) -> bool {
        let content = self.content(place);
        let text = self.file().node_text(content);
        let size = |text: &[u8], tokens: usize| (tokens, text.len(), text.to_vec());
        let fragment = fragment(self.file(), content).filter(|_| !self.is_text(content));
        self.may_go(place) || fragment.is_some_and(|f| size(f.as_bytes(), 1) < size(text, self.tokens(place)))
    }

    /// The text; `None` if the changes conflict.
    pub(super) fn text(&self) -> Option<Vec<u8>> {
        if self.is_gone(NodeId::ROOT) {
            return Some(Vec::new());
        }
        self.text_of(&[NodeId::ROOT], 0..self.file().text.len())
    }

    /// The text of neighbouring nodes that span `range` in the base.
    fn text_of(&self, nodes: &[NodeId], range: Range<usize>) -> Option<Vec<u8>> {
        let (mut units, mut edits) = (Vec::new(), Vec::new());
        let mut open = nodes.to_vec();
        while let Some(node) = open.pop() {
            let (content, encloses) = self.followed(node);
            match self.fates.get(&content) {
                Some(Fate::Gone) => units.push(Unit::Drop { file: 0, node }),
                Some(Fate::Text(text)) => {
                    units.push(Unit::Replace { file: 0, node, by: Source::Text(text.clone()) });
                }
                _ if content == node => open.extend(self.tree().children(node)),
                _ => {
                    let tree = self.tree();
                    let range = if encloses { inside(&self.base, 0, content) } else { tree.range(content) };
                    let from = range.start;
                    let text = self.text_of(&tree.children(content).collect::<Vec<_>>(), range)?;
                    edits.push(Edit::replace(0, tree.range(node), self.moved(&text, from, node)));
                }
            }
        }
        if !units.is_empty() {
            let all: Vec<usize> = (0..units.len()).collect();
            edits.extend(Group::deletions(units).render(&self.base, &all).ok()?.edits().iter().cloned());
        }
        let mut edits: Vec<Edit> = edits.into_iter().filter_map(|edit| clipped(edit, &range)).collect();
        edits.retain(|edit| edit.start < edit.end || !edit.text.is_empty());
        let whole = &self.file().text;
        if edits.is_empty() {
            return Some(whole[range].to_vec());
        }
        let text = self.file().spaced(0, Candidate::merge(edits).ok()?).apply(0, whole);
        let end = text.len() - (whole.len() - range.end);
        Some(text[range.start..end].to_vec())
    }

    /// A text from offset `from`, indented for the place of `to`, without the blanks that deletions have left
    /// at its ends.
    fn moved(&self, text: &[u8], from: usize, to: NodeId) -> Vec<u8> {
        let file = self.file();
        if file.language.layout() == Layout::Exact {
            return text.to_vec();
        }
        let text = text.trim_ascii();
        let old = indentation(&file.text, from).unwrap_or(b"");
        let to = file.tree().range(to).start;
        let line = &file.text[line_start(&file.text, to)..to];
        let new = &line[..line.iter().take_while(|c| matches!(c, b' ' | b'\t')).count()];
        if matches!(file.language.layout(), Layout::Free | Layout::Lines) || old == new {
            return text.to_vec();
        }
        let mut out = Vec::with_capacity(text.len());
        for (i, line) in text.split_inclusive(|&c| c == b'\n').enumerate() {
            match line.strip_prefix(old) {
                Some(rest) if i > 0 => out.extend([new, rest].concat()),
                _ => out.extend(line),
            }
        }
        out
    }
}

/// The part of an edit inside a range: a node's separator may lie outside of its parent.
fn clipped(edit: Edit, range: &Range<usize>) -> Option<Edit> {
    let (start, end) = (edit.start.max(range.start), edit.end.min(range.end));
    (start <= end).then_some(Edit { start, end, ..edit })
}
