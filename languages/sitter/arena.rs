//! Builds the arena tree that passes see from the parser's tree.

use super::compiled::{Compiled, Marks};
use super::matching::DEEPEST;
use super::pieces::Piece;
use crate::role::Role;
use crate::tree::{Flags, Kind, NodeData, NodeId, Tree, TreeBuilder};
use tree_sitter::{Node, QueryCursor, StreamingIterator};

/// Builds the arena tree of a text, piece by piece.
pub(super) struct Arena<'a> {
    compiled: &'a Compiled,
    builder: TreeBuilder,
    /// The nodes whose children are being added, with their kinds.
    open: Vec<(NodeId, u16)>,
    /// Nodes in slots that take several children but require one, with parent and field: they become optional
    /// if the slot has at least two.
    shared: Vec<(NodeId, u16, NodeId)>,
    /// The depth of the deepest node.
    depth: usize,
    /// Where the last piece's root ends.
    end: usize,
}

impl<'a> Arena<'a> {
    /// An empty arena.
    pub(super) fn new(compiled: &'a Compiled) -> Self {
        let builder = TreeBuilder::new(compiled.kinds, 0);
        Self { compiled, builder, open: Vec::new(), shared: Vec::new(), depth: 0, end: 0 }
    }

    /// Adds the nodes of a piece. O(nodes).
    pub(super) fn add(&mut self, piece: &Piece<'_>) {
        let root = piece.tree.root_node();
        self.builder.reserve(root.descendant_count());
        // If an earlier piece has opened the root, this piece's root is a node of its own only if it is an
        // error.
        let is_part = !self.open.is_empty() && !root.is_error();
        if !is_part {
            self.enter(piece, &root, 0);
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
        self.mark_supertypes(piece);
    }

    /// The tree, with roles, and the depth of its deepest node.
    pub(super) fn finish(mut self, text: &[u8]) -> (Tree, usize) {
        self.builder.close(u32::try_from(self.end).ok());
        let compiled = self.compiled;
        let mut told = Vec::new();
        let tell = |node, pattern, capture| told.push((node, pattern, capture));
        compiled.roles.captures(self.builder.tree(), text, tell);
        for (node, pattern, capture) in told {
            if let Some(role) = compiled.captures[capture] {
                self.builder.role(node, role);
            }
            let texts = compiled.roles.patterns.patterns[pattern].texts;
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
            if self.enter(piece, &cursor.node(), field) {
                if cursor.goto_first_child() {
                    continue;
                }
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

    /// Opens a node and returns true, unless the node consists only of a filled-in word.
    fn enter(&mut self, piece: &Piece<'_>, node: &Node<'_>, field: u16) -> bool {
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
        let slot = self.open.last().and_then(|(_, kind)| self.compiled.slots.get(&(*kind, field)));
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
        if let Some((parent, _)) = self.open.last()
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

    /// Marks the nodes of a piece that are used as supertypes. Only the parser's own tree knows them.
    fn mark_supertypes(&mut self, piece: &Piece<'_>) {
        // Captures come in the order of the text, so the next node is seldom far from the last one.
        let mut near = NodeId::ROOT;
        let mut cursor = QueryCursor::new();
        // A query takes time proportional to the depth for each node.
        cursor.set_max_start_depth(Some(DEEPEST as u32));
        let root = piece.tree.root_node();
        let mut matches = cursor.matches(&self.compiled.supertypes_query, root, piece.text);
        while let Some(found) = matches.next() {
            let is_here = |node: &Node<'_>| *node != root && node.end_byte() <= piece.length;
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
