//! A node gives way to the smallest text of its kind that the file has anywhere.

use crate::levels::levels;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{Kind, NodeId};
use lopper_languages::{Fit, Parsed};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "substitutes",
    summary: "replaces a node by the smallest text of its kind in the file",
    grain: Grain::Fine,
    proves: false,
    examples: &[
        Example {
            language: "c",
            before: "typedef char octet;\noctet f(octet b) { g(1 + 2, b); }\n",
            keep: &["typedef char", " f(", "g(", " + "],
            after: "typedef char char;\nchar f(char b) { g(1 + 1, 1); }\n",
        },
        Example {
            language: "python",
            before: "first = 1\nfirst, second = second, third.fourth\n",
            keep: &["first = 1", " = ", ", "],
            after: "first = 1\nfirst, first = 1, 1\n",
        },
    ],
    plan,
};

/// How many kinds a node may borrow from, beside its own.
const KINDS: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    let smallest: Vec<_> = base.files.iter().map(|file| smallest(file)).collect();
    let choices = |level: Vec<(FileId, NodeId)>| {
        let units =
            level.into_iter().map(|(id, n)| alternatives(base.file(id), id, n, &smallest[id as usize]));
        Group::choices(units.filter(|units| !units.is_empty()).collect()).doubtful()
    };
    levels(base, has_kin).into_iter().map(choices).collect()
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

fn alternatives(file: &Parsed, id: FileId, node: NodeId, smallest: &BTreeMap<Kind, NodeId>) -> Vec<Unit> {
    let tree = file.tree();
    let own = smallest.get(&tree.kind(node)).copied();
    let fits = |other: &NodeId| file.language.fit(file, node, *other) <= Fit::Related;
    let others = smallest.values().copied().filter(|&n| Some(n) != own).filter(fits);
    let mut others: Vec<NodeId> = others.collect();
    others.sort_by_key(|&n| size(file, n));
    let mut sources: Vec<NodeId> = own.into_iter().chain(others.into_iter().take(KINDS)).collect();
    sources.retain(|&source| size(file, source) < size(file, node));
    sources.sort_by_key(|&n| size(file, n));
    sources.into_iter().map(|source| Unit::Replace { file: id, node, by: Source::Node(source) }).collect()
}
