//! Builds the arena tree that passes see from the parser's tree.

use super::bounded;
use super::compiled::{Compiled, Marks};
use super::matching::DEEPEST;
use super::pieces::Piece;
use crate::role::Role;
use crate::tree::{Flags, Kind, NodeData, NodeId, Tree, TreeBuilder};
use std::ops::Range;
use tree_sitter::{Node, Parser, QueryCursor, StreamingIterator};

/// A longer text of a leaf stays a leaf, in bytes.
const LONGEST: usize = 1 << 14;

/// Builds the arena tree of a text, piece by piece.
pub(super) struct Arena<'a> {
    compiled: &'a Compiled,
    builder: TreeBuilder,
    /// The nodes whose children are being added, with their kinds.
    open: Vec<(NodeId, u16)>,
    /// Nodes in slots that take several children but require one, with parent and field: they become optional
    /// if the slot has at least two.
    shared: Vec<(NodeId, u16, NodeId)>,
    /// Parses the texts of leaves that are parts of programs.
    parser: Option<Parser>,
    /// The depth of the deepest node.
    depth: usize,
    /// Where the last piece's root ends.
    end: usize,
}

impl<'a> Arena<'a> {
    /// An empty arena.
    pub(super) fn new(compiled: &'a Compiled) -> Self {
        let builder = TreeBuilder::new(compiled.kinds, 0);
        Self { compiled, builder, open: Vec::new(), shared: Vec::new(), parser: None, depth: 0, end: 0 }
    }

    /// Adds the nodes of a piece. O(nodes).
    pub(super) fn add(&mut self, piece: &Piece<'_>) {
        let root = piece.tree.root_node();
        self.builder.reserve(root.descendant_count());
        // If an earlier piece has opened the root, this piece's root is a node of its own only if it is an
        // error.
        let is_part = !self.open.is_empty() && !root.is_error();
        if !is_part {
            self.enter(piece, &root, 0, None);
        }
        self.add_items(piece);
        if root.is_error() && self.open.len() > 1 {
            self.leave();
        }
        self.end = piece.range(&root).end;
        self.shared.sort_unstable();
        for slot in self.shared.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|s| s.len() > 1) {
            slot.iter().for_each(|&(_, _, id)| self.builder.flag(id, Flags::OPTIONAL));
        }
        self.shared.clear();
        self.mark_supertypes(piece, 0..piece.length, NodeId::ROOT);
    }

    /// The tree, with roles, and the depth of its deepest node.
    pub(super) fn finish(mut self, text: &[u8]) -> (Tree, usize) {
        self.builder.close(u32::try_from(self.end).ok());
        let compiled = self.compiled;
        let mut told = Vec::new();
        let tell = |node, pattern, capture| told.push((node, pattern, capture));
        compiled.roles.captures(self.builder.tree(), text, tell);
        // What takes fillers away begins at nodes above those whose own patterns give them.
        let texts = |pattern: usize| compiled.roles.patterns.patterns[pattern].texts;
        told.sort_by_key(|&(_, pattern, _)| texts(pattern).filler == Some(""));
        for (node, pattern, capture) in told {
            if let Some(role) = compiled.captures[capture] {
                self.builder.role(node, role);
            }
            let texts = texts(pattern);
            if let Some(filler) = texts.filler {
                self.builder.filler(node, filler);
            }
            if let Some(stub) = texts.stub {
                self.builder.stub(node, stub);
            }
        }
        (self.builder.finish(), self.depth)
    }

    fn add_items(&mut self, piece: &Piece<'_>) {
        let top = self.open.len();
        let mut cursor = piece.tree.walk();
        let mut items = piece.items;
        if items == 0 || !cursor.goto_first_child() {
            return;
        }
        loop {
            let field = cursor.field_id().map_or(0, |id| id.get());
            if self.enter(piece, &cursor.node(), field, None) {
                if cursor.goto_first_child() {
                    continue;
                }
                self.embed(piece, &cursor.node());
                self.leave();
            }
            loop {
                items -= u32::from(self.open.len() == top);
                if items == 0 {
                    return;
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                self.leave();
                cursor.goto_parent();
            }
        }
    }

    /// Adds the nodes of a leaf's text below it, if the text is a part of a program.
    fn embed(&mut self, piece: &Piece<'_>, leaf: &Node<'_>) {
        let Some(embedded) = self.compiled.embedded.get(&leaf.kind_id()) else { return };
        let parent = self.open.len().checked_sub(2).map_or(0, |at| self.open[at].1);
        if !embedded.parents.contains(&self.compiled.kinds.get(parent as usize).copied().unwrap_or_default())
        {
            return;
        }
        let text = &piece.text[leaf.byte_range()];
        if text.len() > LONGEST {
            return;
        }
        let parser = self.parser.get_or_insert_with(|| self.compiled.parser());
        for (before, behind) in embedded.around {
            let whole = [before.as_bytes(), text, behind.as_bytes()].concat();
            let Some(start) = (piece.start + leaf.start_byte()).checked_sub(before.len()) else { continue };
            let Some(tree) = bounded::parse(parser, &whole, None) else { return };
            if !tree.root_node().has_error() {
                let part = Piece { start, ..Piece::whole(&tree, &whole, piece.filled) };
                self.add_inside(&part, before.len()..before.len() + text.len());
                return;
            }
        }
    }

    /// Adds the nodes of a piece that lie in a range of its text below the open node.
    fn add_inside(&mut self, piece: &Piece<'_>, inside: Range<usize>) {
        let first = NodeId(self.builder.tree().len() as u32);
        let mut cursor = piece.tree.walk();
        // The number of open nodes of the piece.
        let mut open = 0;
        loop {
            let node = cursor.node();
            let is_inside = node.start_byte() >= inside.start && node.end_byte() <= inside.end;
            let outer = if open == 0 { node.parent() } else { None };
            let around = outer.map(|parent| parent.kind_id());
            let field = cursor.field_id().filter(|_| open > 0).map_or(0, |id| id.get());
            let is_entered = is_inside && self.enter(piece, &node, field, around);
            let goes_down = is_entered || (!is_inside && node.end_byte() > inside.start);
            if goes_down && cursor.goto_first_child() {
                open += usize::from(is_entered);
                continue;
            }
            if is_entered {
                self.leave();
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    self.mark_supertypes(piece, inside, first);
                    return;
                }
                if open > 0 {
                    self.leave();
                    open -= 1;
                }
            }
        }
    }

    /// Opens a node and returns true, unless the node consists only of a filled-in word. `around` is the kind of the parent
    /// in the grammar, if that is not the open node.
    fn enter(&mut self, piece: &Piece<'_>, node: &Node<'_>, field: u16, around: Option<u16>) -> bool {
        let range = piece.range(node);
        if range.is_empty() && !node.byte_range().is_empty() {
            return false;
        }
        let mut flags = Flags::default();
        if node.is_named() {
            flags = flags.with(Flags::NAMED);
        }
        if node.is_error() || node.is_missing() {
            flags = flags.with(Flags::ERROR);
        }
        let parent = around.or(self.open.last().map(|(_, kind)| *kind));
        let slot = parent.and_then(|kind| self.compiled.slots.get(&(kind, field)));
        let in_error = self.open.last().is_some_and(|(_, kind)| *kind == u16::MAX);
        if node.is_extra() || in_error || (node.is_named() && slot.is_some_and(|s| !s.required)) {
            flags = flags.with(Flags::OPTIONAL);
        }
        let name = self.compiled.marks.get(&node.kind_id()).map_or(range.clone(), |marks| marks.name(range));
        let id = self.builder.open(NodeData {
            start: name.start as u32,
            end: name.end as u32,
            kind: Kind(node.kind_id()),
            grammar_kind: node.grammar_id(),
            parse_state: node.parse_state(),
            flags,
        });
        self.builder.field(id, field);
        if let Some((parent, _)) = self.open.last().filter(|_| around.is_none())
            && node.is_named()
            && slot.is_some_and(|s| s.required && s.multiple)
        {
            self.shared.push((*parent, field, id));
        }
        self.open.push((id, node.kind_id()));
        self.depth = self.depth.max(self.open.len());
        true
    }

    fn leave(&mut self) {
        let left = self.open.pop();
        self.builder.close(None);
        let marks = left.and_then(|(id, kind)| Some((id, self.compiled.marks.get(&kind)?)));
        if let Some((id, marks)) = marks {
            self.add_mark(id, marks);
        }
    }

    /// Adds the mark behind a name, which is deleted with it.
    fn add_mark(&mut self, name: NodeId, marks: &Marks) {
        let range = self.builder.tree().range(name);
        if marks.behind == 0 || range.is_empty() {
            return;
        }
        let id = self.builder.open(NodeData {
            start: range.end as u32,
            end: (range.end + marks.behind) as u32,
            kind: Kind(marks.kind_behind),
            grammar_kind: marks.kind_behind,
            parse_state: 0,
            flags: Flags::default(),
        });
        self.builder.role(id, Role::Terminator);
        self.builder.close(None);
    }

    /// Marks the nodes of a piece that lie in a range of its text and are used as supertypes. Only the parser's own tree knows
    /// them. No such node comes before `near`.
    fn mark_supertypes(&mut self, piece: &Piece<'_>, inside: Range<usize>, mut near: NodeId) {
        // Captures come in the order of the text, so the next node is seldom far from the last one.
        let mut cursor = QueryCursor::new();
        // A query takes time proportional to the depth for each node.
        cursor.set_max_start_depth(Some(DEEPEST as u32));
        let root = piece.tree.root_node();
        let mut matches = cursor.matches(&self.compiled.supertypes_query, root, piece.text);
        while let Some(found) = matches.next() {
            let is_here = |node: &Node<'_>| {
                *node != root && node.start_byte() >= inside.start && node.end_byte() <= inside.end
            };
            for capture in found.captures().iter().filter(|capture| is_here(&capture.node)) {
                let (range, kind) = (piece.range(&capture.node), Kind(capture.node.kind_id()));
                if let Some(id) = self.builder.tree().find(range, kind, near) {
                    near = id;
                    self.builder.supertype(id, 1 << capture.index);
                }
            }
        }
    }
}
