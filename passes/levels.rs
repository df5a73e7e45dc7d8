//! Sorts the nodes of a tree into levels, or picks the outermost ones, so that units are disjoint.

use crate::File;
use lopper_languages::layout::Layout;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::BTreeSet;

/// The nodes that `wanted` picks, by their number of picked ancestors, so no two nodes of a level contain
/// each other. A node that spans the same bytes as a picked ancestor is left out, since its unit would equal
/// the ancestor's. O(nodes).
pub(crate) fn levels<'a>(
    files: impl Iterator<Item = File<'a>>,
    wanted: impl Fn(File<'a>, NodeId) -> bool,
) -> Vec<Vec<(File<'a>, NodeId)>> {
    let mut levels: Vec<Vec<(File<'_>, NodeId)>> = Vec::new();
    for file in files {
        let mut open: Vec<NodeId> = Vec::new();
        for node in file.nodes() {
            while open.last().is_some_and(|&o| !file.is_within(node, o)) {
                open.pop();
            }
            let repeats = open.last().is_some_and(|&o| file.range(o) == file.range(node));
            if repeats || !wanted(file, node) {
                continue;
            }
            if levels.len() == open.len() {
                levels.push(Vec::new());
            }
            levels[open.len()].push((file, node));
            open.push(node);
        }
    }
    levels
}

/// The same, except in a language whose nodes may be parts of tokens: there, the nodes that are `slight`,
/// since no whole token is deleted with them, come last, in levels of their own. Every level of a deep tree
/// has some.
pub(crate) fn levels_with_slight_last<'a, I: Iterator<Item = File<'a>>>(
    files: impl Fn() -> I,
    wanted: impl Fn(File<'a>, NodeId) -> bool,
    slight: impl Fn(File<'a>, NodeId) -> bool,
) -> Vec<Vec<(File<'a>, NodeId)>> {
    let is_slight = |file: File<'a>, node| file.language().layout() == Layout::Exact && slight(file, node);
    let mut all = levels(files(), |file, node| wanted(file, node) && !is_slight(file, node));
    all.extend(levels(files(), |file, node| wanted(file, node) && is_slight(file, node)));
    all
}

/// Whether the node has at least `count` tokens. In a language whose nodes may be parts of tokens, bytes are
/// counted instead.
pub(crate) fn has_tokens(file: File<'_>, node: NodeId, count: usize) -> bool {
    let range = file.range(node);
    match file.language().layout() {
        Layout::Exact => range.len() >= count,
        Layout::Free | Layout::Lines | Layout::Indented => file.tokens_in(range).len() >= count,
    }
}

/// The nearest ancestor that `wanted` picks.
pub(crate) fn nearest(tree: &Tree, node: NodeId, wanted: impl Fn(NodeId) -> bool) -> Option<NodeId> {
    tree.ancestors(node).find(|&n| wanted(n))
}

/// The nodes that lie in no other one of these, in the order of the text. O(nodes).
pub(crate) fn outermost(file: File<'_>, nodes: BTreeSet<NodeId>) -> Vec<NodeId> {
    let mut outer: Vec<NodeId> = Vec::new();
    for node in nodes {
        if outer.last().is_none_or(|&last| !file.is_within(node, last)) {
            outer.push(node);
        }
    }
    outer
}
