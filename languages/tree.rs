//! The arena tree that every pass sees: nodes in pre-order, at most 32 bytes each.

use crate::role::{Role, Roles};
use std::ops::Range;

/// A node of a tree: its index in pre-order. The root is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: Self = Self(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node in its grammar: an index into the tree's table of kind names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub u16);

/// Boolean facts about a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// The node is named in the grammar; punctuation and keywords are not.
    pub const NAMED: Self = Self(1);
    /// The parser could not read the text of the node.
    pub const ERROR: Self = Self(2);
    /// The grammar allows the node to be absent from its parent.
    pub const OPTIONAL: Self = Self(4);

    /// The union of both sets of facts.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The data of a node when a language builds a tree.
#[derive(Clone, Copy, Debug)]
pub struct NodeData {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The kind in the grammar.
    pub kind: Kind,
    /// The grammar's own symbol, which differs from the kind if that is an alias; for queries to the grammar.
    pub grammar_kind: u16,
    /// The parser's state before the node; `u16::MAX` if it is not known.
    pub parse_state: u16,
    /// Boolean facts.
    pub flags: Flags,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    parent: u32,
    /// One past the last node of the subtree.
    last: u32,
    roles: Roles,
    kind: Kind,
    grammar_kind: u16,
    parse_state: u16,
    flags: Flags,
    /// An index into the tree's texts; 0 means none.
    texts: u8,
    /// The field of the parent that the node is in; 0 means none.
    field: u16,
    /// The supertypes of the grammar that the node is used as: bits, whose meaning the language knows.
    supertypes: u8,
}

const _: () = assert!(size_of::<Node>() <= 32);

/// A tree of one text. Built once per base, never changed.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    kinds: &'static [&'static str],
    texts: Vec<Texts>,
}

/// The texts that may replace a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Texts {
    filler: Option<&'static str>,
    stub: Option<&'static str>,
}

impl Tree {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: every tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in pre-order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The node's byte range.
    pub fn range(&self, node: NodeId) -> Range<usize> {
        let node = &self.nodes[node.index()];
        node.start as usize..node.end as usize
    }

    /// The nodes that start in a byte range, in pre-order. O(log nodes) to find the first.
    pub fn starting_in(&self, range: Range<usize>) -> impl Iterator<Item = NodeId> + use<> {
        let at = |byte: usize| self.nodes.partition_point(|n| (n.start as usize) < byte) as u32;
        (at(range.start)..at(range.end)).map(NodeId)
    }

    /// The first node with this range and kind. O(1) if it comes soon after `near`, otherwise O(log nodes).
    pub fn find(&self, range: Range<usize>, kind: Kind, near: NodeId) -> Option<NodeId> {
        const SOON: usize = 32;
        let is_before = |n: &Node| (n.start as usize) < range.start;
        let soon = self.nodes.get(near.index()..).unwrap_or(&[]).iter().take(SOON);
        let ahead = self.nodes.get(near.index()).is_some_and(is_before);
        let first = soon.take_while(|n| is_before(n)).count() + near.index();
        let first = if ahead && self.nodes.get(first).is_some_and(|n| !is_before(n)) {
            first
        } else {
            self.nodes.partition_point(is_before)
        };
        let here = self.nodes[first..].iter().take_while(|n| n.start as usize == range.start);
        let at = here.clone().position(|n| n.end as usize == range.end && n.kind == kind)?;
        Some(NodeId((first + at) as u32))
    }

    /// The outermost node with exactly this range. O(log nodes), plus the nodes with the same start.
    pub fn at(&self, range: Range<usize>) -> Option<NodeId> {
        self.starting_in(range.start..range.start + 1).find(|&n| self.range(n) == range)
    }

    /// The innermost node with exactly this range. As fast as [`Self::at`].
    pub fn innermost_at(&self, range: Range<usize>) -> Option<NodeId> {
        self.starting_in(range.start..range.start + 1).filter(|&n| self.range(n) == range).last()
    }

    /// The parent; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.nodes[node.index()].parent))
    }

    /// The ancestors, nearest first.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |&n| self.parent(n))
    }

    /// The children in order, punctuation included.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.nodes[node.index()].last;
        let first = (node.0 + 1 < end).then_some(NodeId(node.0 + 1));
        std::iter::successors(first, move |&child| {
            let next = self.nodes[child.index()].last;
            (next < end).then_some(NodeId(next))
        })
    }

    /// The named children (without punctuation and keywords), in order.
    pub fn named_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(node).filter(|&child| self.is_named(child))
    }

    /// The next sibling, if any.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        let next = self.nodes[node.index()].last;
        (next < self.nodes[parent.index()].last).then_some(NodeId(next))
    }

    /// The previous sibling, if any. O(depth below it).
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        let last = (node.0 - 1 > parent.0).then_some(NodeId(node.0 - 1))?;
        std::iter::once(last).chain(self.ancestors(last)).find(|&n| self.parent(n) == Some(parent))
    }

    /// The first leaf of the node, or the node itself if it is a leaf. O(depth below it).
    pub fn first_leaf(&self, node: NodeId) -> NodeId {
        let leaf = (node.0..self.nodes[node.index()].last).map(NodeId).find(|&n| self.is_leaf(n));
        leaf.unwrap_or(node)
    }

    /// The last leaf of the node, or the node itself if it is a leaf. O(1).
    pub fn last_leaf(&self, node: NodeId) -> NodeId {
        NodeId(self.nodes[node.index()].last - 1)
    }

    /// The first leaf after the node, if any.
    pub fn following_leaf(&self, node: NodeId) -> Option<NodeId> {
        let mut next = self.nodes[node.index()].last;
        while next as usize + 1 < self.nodes.len() && !self.is_leaf(NodeId(next)) {
            next += 1;
        }
        ((next as usize) < self.nodes.len()).then_some(NodeId(next))
    }

    /// All nodes below `node`, without itself, in pre-order.
    pub fn descendants(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (node.0 + 1..self.nodes[node.index()].last).map(NodeId)
    }

    /// Whether `node` is `ancestor` or lies below it.
    pub fn is_within(&self, node: NodeId, ancestor: NodeId) -> bool {
        ancestor <= node && node.0 < self.nodes[ancestor.index()].last
    }

    /// Whether the node has no children.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.nodes[node.index()].last == node.0 + 1
    }

    /// The kind of the node in its grammar.
    pub fn kind(&self, node: NodeId) -> Kind {
        self.nodes[node.index()].kind
    }

    /// The name of the node's kind. For languages and messages; a generic pass asks for roles.
    pub fn kind_name(&self, node: NodeId) -> &'static str {
        let kind = self.kind(node).0 as usize;
        self.kinds.get(kind).copied().unwrap_or("ERROR")
    }

    /// The grammar's own symbol, which differs from the kind if that is an alias.
    pub fn grammar_kind(&self, node: NodeId) -> u16 {
        self.nodes[node.index()].grammar_kind
    }

    /// The field of its parent that the node is in; 0 if it is in none.
    pub(crate) fn field(&self, node: NodeId) -> u16 {
        self.nodes[node.index()].field
    }

    /// The supertypes that the node is used as, as bits.
    pub(crate) fn supertypes(&self, node: NodeId) -> u8 {
        self.nodes[node.index()].supertypes
    }

    /// The parser's state before the node; `u16::MAX` if it is not known.
    pub fn parse_state(&self, node: NodeId) -> u16 {
        self.nodes[node.index()].parse_state
    }

    /// Whether the node has `role`.
    pub fn has(&self, node: NodeId, role: Role) -> bool {
        self.nodes[node.index()].roles.has(role)
    }

    /// The first child with `role`.
    pub fn child_with(&self, node: NodeId, role: Role) -> Option<NodeId> {
        self.children(node).find(|&n| self.has(n, role))
    }

    /// Whether the grammar names the node's kind (it is not punctuation or a keyword).
    pub fn is_named(&self, node: NodeId) -> bool {
        self.nodes[node.index()].flags.has(Flags::NAMED)
    }

    /// Whether the parser could not read the node.
    pub fn is_error(&self, node: NodeId) -> bool {
        self.nodes[node.index()].flags.has(Flags::ERROR)
    }

    /// Whether the grammar and the language allow the node to be absent from its parent.
    pub fn is_optional(&self, node: NodeId) -> bool {
        self.nodes[node.index()].flags.has(Flags::OPTIONAL) && !self.has(node, Role::Needed)
    }

    /// The shortest text that may replace the node if it cannot be absent.
    pub fn filler(&self, node: NodeId) -> Option<&'static str> {
        self.texts(node).filler
    }

    /// The shortest body that a function may have in the place of this one whatever its type is, if that is not its filler.
    pub fn stub(&self, node: NodeId) -> Option<&'static str> {
        self.texts(node).stub
    }

    fn texts(&self, node: NodeId) -> Texts {
        (self.nodes[node.index()].texts as usize)
            .checked_sub(1)
            .map_or_else(Texts::default, |at| self.texts[at])
    }
}

/// Builds a tree in pre-order: `open` adds a node, then its children follow, then `close` ends it.
#[derive(Debug)]
pub struct TreeBuilder {
    tree: Tree,
    open: Vec<u32>,
}

impl TreeBuilder {
    /// A builder for a tree with these kind names and about so many nodes.
    pub fn new(kinds: &'static [&'static str], count: usize) -> Self {
        Self { tree: Tree { nodes: Vec::with_capacity(count), kinds, texts: Vec::new() }, open: Vec::new() }
    }

    /// Reserves memory for so many further nodes.
    pub fn reserve(&mut self, count: usize) {
        self.tree.nodes.reserve(count);
    }

    /// Opens a node below the innermost open one.
    pub fn open(&mut self, data: NodeData) -> NodeId {
        let id = self.tree.nodes.len() as u32;
        self.tree.nodes.push(Node {
            start: data.start,
            end: data.end,
            parent: self.open.last().copied().unwrap_or(0),
            last: id + 1,
            roles: Roles::NONE,
            kind: data.kind,
            grammar_kind: data.grammar_kind,
            parse_state: data.parse_state,
            flags: data.flags,
            texts: 0,
            field: 0,
            supertypes: 0,
        });
        self.open.push(id);
        NodeId(id)
    }

    /// Closes the innermost open node; `end`, if given, replaces its end.
    pub fn close(&mut self, end: Option<u32>) {
        if let Some(id) = self.open.pop() {
            let last = self.tree.nodes.len() as u32;
            let node = &mut self.tree.nodes[id as usize];
            node.last = last;
            node.end = end.unwrap_or(node.end);
        }
    }

    /// Gives a node a role.
    pub fn role(&mut self, node: NodeId, role: Role) {
        self.tree.nodes[node.index()].roles.insert(role);
    }

    /// Sets the field that a node is in.
    pub(crate) fn field(&mut self, node: NodeId, field: u16) {
        self.tree.nodes[node.index()].field = field;
    }

    /// Marks a node as used as a supertype.
    pub(crate) fn supertype(&mut self, node: NodeId, bit: u8) {
        self.tree.nodes[node.index()].supertypes |= bit;
    }

    /// Sets a flag of a node.
    pub fn flag(&mut self, node: NodeId, flag: Flags) {
        let flags = &mut self.tree.nodes[node.index()].flags;
        *flags = flags.with(flag);
    }

    /// Sets the text that may replace the node if it cannot be absent; none if it is empty.
    pub fn filler(&mut self, node: NodeId, filler: &'static str) {
        self.texts(node, |texts| texts.filler = (!filler.is_empty()).then_some(filler));
    }

    /// Sets the body that may replace the node, which is the body of a function; none if it is empty.
    pub fn stub(&mut self, node: NodeId, stub: &'static str) {
        self.texts(node, |texts| texts.stub = (!stub.is_empty()).then_some(stub));
    }

    /// Changes the texts that may replace a node. The nodes of a tree have at most 255 different ones; a node that would have
    /// further ones loses its own.
    fn texts(&mut self, node: NodeId, change: impl FnOnce(&mut Texts)) {
        let mut now = self.tree.texts(node);
        change(&mut now);
        let known = &mut self.tree.texts;
        let at = known.iter().position(|&texts| texts == now).unwrap_or_else(|| {
            known.push(now);
            known.len() - 1
        });
        self.tree.nodes[node.index()].texts = u8::try_from(at + 1).unwrap_or(0);
    }

    /// The nodes built so far, before `finish`.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The finished tree; nodes that are still open are closed. A builder without any node gives a tree with
    /// an empty root.
    pub fn finish(mut self) -> Tree {
        if self.tree.nodes.is_empty() {
            self.open(NodeData {
                start: 0,
                end: 0,
                kind: Kind(0),
                grammar_kind: 0,
                parse_state: u16::MAX,
                flags: Flags::NAMED,
            });
        }
        while !self.open.is_empty() {
            self.close(None);
        }
        self.tree.nodes.shrink_to_fit();
        self.tree
    }
}
