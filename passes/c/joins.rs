//! Declarations with the same type become one: `int a; int b;` becomes `int a, b;`.

use super::{child, declarators, is, specifiers};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::tree::{Kind, NodeId};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "joins",
    summary: "makes declarations with the same type one",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "c",
        before: "int a; int b = 1;\nint f() { struct s { char c; char *d; } e; a(); struct s g; int h; return 0; }\nint i;\n",
        keep: &["a", "f() {", "e", "a();", "h;"],
        after: "int a, b = 1, i;\nint f() { struct s { char c, *d; } e; a(); struct s g; int h; return 0; }\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (id, file) in base.files() {
        let tree = file.tree();
        // The last declaration of each block and type.
        let mut last: BTreeMap<(NodeId, Kind, &[u8]), NodeId> = BTreeMap::new();
        let is_declaration = |n: &NodeId| is(tree, *n, "declaration") || is(tree, *n, "field_declaration");
        for node in tree.nodes().filter(is_declaration) {
            let Some(parent) = tree.parent(node) else { continue };
            let Some(typed) = specifiers(file, node).filter(|typed| !typed.is_empty()) else { continue };
            let before = last.insert((parent, tree.kind(node), typed), node);
            units.extend(before.and_then(|before| joined(file, id, before, node)));
        }
    }
    vec![Group::deletions(units).doubtful()]
}

fn joined(file: &Parsed, id: FileId, before: NodeId, node: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let (end_before, end) = (child(tree, before, ";")?, child(tree, node, ";")?);
    let first = tree.range(declarators(tree, node).next()?).start;
    let comma = |by: Source| Unit::Replace { file: id, node: end_before, by };
    let units = if tree.next_sibling(before) == Some(node) {
        let between = tree.range(end_before).end as u32..first as u32;
        [comma(Source::text(", ")), Unit::Cut { file: id, range: between }]
    } else {
        let declarators = &file.text[first..tree.range(end).end];
        [comma(Source::made([b", ", declarators].concat())), Unit::Drop { file: id, node }]
    };
    Some(Unit::Together(units.into()))
}
