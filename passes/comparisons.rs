//! Replaces a comparison by one that holds in more cases, or in fewer, so that code that depends on it may be
//! deleted.

use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "comparisons",
    summary: "weakens or strengthens a comparison, if that makes a deletion possible",
    grain: Grain::Branch,
    pump: true,
    examples: &[Example {
        language: "c",
        before: "int f() { return a >= b && c != d; }\n",
        keep: &["return a", "= b", "c !="],
        after: "int f() { return a <= b && c != d; }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// For each operator, those that differ from it for one of the outcomes less, equal and greater, and are not
/// shorter.
const NEAR: [(&[u8], &[&str]); 5] = [
    (b"==", &["<=", ">="]),
    (b"<", &["<=", "!="]),
    (b">", &[">=", "!="]),
    (b"<=", &["=="]),
    (b">=", &["=="]),
];

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| file.tree().nodes().map(move |node| ways(file, node)));
    vec![Group::choices(ways)]
}

fn ways(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let is_operator = file.is_leaf(node) && !file.is_named(node);
    if !is_operator || !file.parent(node).is_some_and(|n| file.has(n, Role::Expression)) {
        return Vec::new();
    }
    let near = NEAR.iter().filter(|(operator, _)| *operator == file.node_text(node));
    near.flat_map(|(_, near)| near.iter().map(|&by| file.replace(node, by))).collect()
}
