//! A compound statement gives way to one of its bodies: loops, branches, handlers, functions.

use crate::levels::{levels, nearest};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "bodies",
    summary: "replaces a compound statement by one of its bodies (if by then or else, loop by body)",
    grain: Grain::Coarse,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "python",
            before: "def f():\n    if a:\n        b()\n    else:\n        c = '''\n  x'''\n        with d:\n            e()\n",
            keep: &["c = '''\n  x'''", "e()"],
            after: "c = '''\n  x'''\ne()\n",
        },
        Example {
            language: "c",
            before: "int f() { while (a) { if (b) c(); else { d(); e(); } } }\n",
            keep: &["int f", "d();", "e();"],
            after: "int f() { d(); e(); }\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut bodies: BTreeMap<(FileId, NodeId), Vec<NodeId>> = BTreeMap::new();
    for (id, file) in base.files() {
        let tree = file.tree();
        for body in tree.nodes().filter(|&n| tree.has(n, Role::Body)) {
            if let Some(owner) = nearest(tree, body, |n| tree.has(n, Role::Statement)) {
                bodies.entry((id, owner)).or_default().push(body);
            }
        }
    }
    let levels = levels(base, |file, node| file.tree().has(node, Role::Statement));
    let owners = levels.into_iter().map(|level| {
        let choices = level.into_iter().filter_map(|(id, node)| {
            let tree = base.file(id).tree();
            let alternative = |&body: &NodeId| {
                let by = if tree.has(body, Role::Block) { Source::Inside(body) } else { Source::Node(body) };
                Unit::Replace { file: id, node, by }
            };
            bodies.get(&(id, node)).map(|bodies| bodies.iter().map(alternative).collect())
        });
        Group::choices(choices.collect())
    });
    owners.collect()
}
