//! A node gives way to the smallest text of its kind that the file has anywhere.

use crate::levels::levels;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{Kind, NodeId};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "substitutes",
    summary: "replaces a node by the smallest text of its kind in the file",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
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
};

fn plan(base: &Base) -> Vec<Group> {
    let smallest: Vec<_> = base.files.iter().map(|file| smallest(file)).collect();
    let shrinks = |(id, node): &(FileId, NodeId)| {
        let file = base.file(*id);
        let source = *smallest[*id as usize].get(&file.tree().kind(*node))?;
        let by = Source::Node(source);
        (size(file, source) < size(file, *node)).then_some(Unit::Replace { file: *id, node: *node, by })
    };
    let group = |level: Vec<_>| Group::deletions(level.iter().filter_map(shrinks).collect()).doubtful();
    levels(base, has_kin).into_iter().map(group).collect()
}

/// Whether other nodes may lend the node their text, and it may lend its own.
fn has_kin(file: &Parsed, node: NodeId) -> bool {
    let tree = file.tree();
    node != NodeId::ROOT && tree.is_named(node) && !tree.is_error(node) && !tree.has(node, Role::Comment)
}

/// For every kind of node the one with the fewest tokens, then bytes, then the least text.
fn smallest(file: &Parsed) -> BTreeMap<Kind, NodeId> {
    let tree = file.tree();
    let mut smallest: BTreeMap<Kind, NodeId> = BTreeMap::new();
    for node in tree.nodes().filter(|&n| has_kin(file, n)) {
        let best = smallest.entry(tree.kind(node)).or_insert(node);
        if size(file, node) < size(file, *best) {
            *best = node;
        }
    }
    smallest
}

fn size(file: &Parsed, node: NodeId) -> (usize, usize, &[u8]) {
    let text = file.node_text(node);
    (file.tokens_in(file.tree().range(node)).len(), text.len(), text)
}
