//! A comparison becomes one that holds in more cases, or in fewer: what stands in its way may then go.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::role::Role;

pub(crate) const PASS: Pass = Pass {
    name: "comparisons",
    summary: "makes a comparison hold in more cases, or in fewer, if that lets something go",
    grain: Grain::Branch,
    proves: false,
    reaches: false,
    pump: true,
    examples: &[Example {
        language: "c",
        before: "int f() { return a >= b && c != d; }\n",
        keep: &["return a", "= b", "c !="],
        after: "int f() { return a <= b && c != d; }\n",
    }],
    plan,
};

/// Each operator with those, no shorter, that differ from it in one of the three ways two things compare.
const NEAR: [(&[u8], &[&str]); 5] = [
    (b"==", &["<=", ">="]),
    (b"<", &["<=", "!="]),
    (b">", &[">=", "!="]),
    (b"<=", &["=="]),
    (b">=", &["=="]),
];

fn plan(base: &Base) -> Vec<Group> {
    let mut choices = Vec::new();
    for (id, file) in base.files() {
        let tree = file.tree();
        let is_compared = |&n: &_| tree.parent(n).is_some_and(|n| tree.has(n, Role::Expression));
        for node in tree.nodes().filter(|&n| tree.is_leaf(n) && !tree.is_named(n)).filter(is_compared) {
            let near = NEAR.iter().filter(|(operator, _)| *operator == file.node_text(node));
            let changed = |by: &'static str| Unit::Replace { file: id, node, by: Source::text(by) };
            choices.push(near.flat_map(|(_, near)| near.iter().map(|by| changed(by))).collect());
        }
    }
    vec![Group::choices(choices)]
}
