//! Replaces a node by one of the smallest texts of its kind in the file.

use crate::levels::levels;
use crate::{Base, Example, File, Group, Pass};
use lopper_languages::role::Role;
use lopper_languages::tree::{Kind, NodeId};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "substitutes",
    summary: "replaces a node by one of the smallest nodes of the same kind in the file",
    examples: &[
        Example {
            language: "c",
            before: "int longer;\nint f(int b) { g(1 + 2, longer, h(b)); }\n",
            keep: &["f(", "g(", " + "],
            after: "int b;\nint f(int b) { g(1 + 1, b, b(b)); }\n",
        },
        Example {
            language: "python",
            before: "first = 1\nfirst, second = second, third.fourth\n",
            keep: &["first = 1", " = ", ", "],
            after: "first = 1\nfirst, first = first, first.first\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of texts that are tried for a node: this many, and one more for each few tokens of the node.
const SOURCES: usize = 1;
const TOKENS: usize = 3;
/// The number of texts of each kind that are collected.
const MOST: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let smallest: BTreeMap<_, _> = PASS.files(base).map(|file| (file.id, smallest(file))).collect();
    let smaller = |(file, node): (File<'_>, NodeId)| {
        let own = size(file, node);
        let sources = smallest[&file.id].get(&file.kind(node)).into_iter().flatten();
        let few = sources.take(SOURCES + own.0 / TOKENS).filter(|&&source| size(file, source) < own);
        few.map(|&source| file.replace(node, source)).collect::<Vec<_>>()
    };
    let group = |level: Vec<_>| Group::choices(level.into_iter().map(smaller)).doubtful();
    levels(PASS.files(base), has_kin).into_iter().map(group).collect()
}

/// Whether the node may be replaced by another node's text, and its text may replace others.
fn has_kin(file: File<'_>, node: NodeId) -> bool {
    node != NodeId::ROOT && file.is_named(node) && !file.is_error(node) && !file.has(node, Role::Comment)
}

/// For each kind of node, the nodes with the fewest tokens, then bytes, then the least text; each text once.
fn smallest(file: File<'_>) -> BTreeMap<Kind, Vec<NodeId>> {
    let mut kinds: BTreeMap<Kind, Vec<NodeId>> = BTreeMap::new();
    for node in file.nodes().filter(|&n| has_kin(file, n)) {
        kinds.entry(file.kind(node)).or_default().push(node);
    }
    for nodes in kinds.values_mut() {
        nodes.sort_by_cached_key(|&node| size(file, node));
        nodes.dedup_by_key(|node| file.node_text(*node));
        nodes.truncate(MOST);
    }
    kinds
}

fn size(file: File<'_>, node: NodeId) -> (usize, usize, &[u8]) {
    let text = file.node_text(node);
    (file.tokens_in(file.range(node)).len(), text.len(), text)
}
