//! Subtrees that are the same change together: all go, or all become the simplest constant.

use crate::levels::levels;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{Kind, NodeId};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "identical",
    summary: "deletes all copies of a subtree together, or replaces them by a constant",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "python",
            before: "f(a.b, 1)\ng(a.b, 1)\n",
            keep: &["f(", "g(", "1)"],
            after: "f(1)\ng(1)\n",
        },
        Example {
            language: "c",
            before: "int a = b + 1, c = b + 1;\n",
            keep: &["a =", "c ="],
            after: "int a = 0, c = 0;\n",
        },
    ],
    plan,
};

type Place = (FileId, NodeId);

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(base, |file, node| {
        let tree = file.tree();
        tree.is_named(node)
            && !tree.has(node, Role::Comment)
            && (tree.is_optional(node) || tree.has(node, Role::Expression))
    });
    let mut copies: BTreeMap<(Kind, &[u8]), Vec<Place>> = BTreeMap::new();
    for (id, node) in levels.into_iter().flatten() {
        let file = base.file(id);
        copies.entry((file.tree().kind(node), file.node_text(node))).or_default().push((id, node));
    }
    let several = copies.into_iter().filter(|(_, nodes)| nodes.len() > 1);
    let choices = several.map(|((_, text), nodes)| alternatives(base, text, &nodes));
    vec![Group::choices(choices.collect()).doubtful()]
}

fn alternatives(base: &Base, text: &[u8], nodes: &[Place]) -> Vec<Unit> {
    let all = |wanted: &dyn Fn(FileId, NodeId) -> bool, unit: &dyn Fn(FileId, NodeId) -> Unit| {
        let units = nodes.iter().filter(|(file, node)| wanted(*file, *node));
        let units: Box<[Unit]> = units.map(|(file, node)| unit(*file, *node)).collect();
        (units.len() > 1).then_some(Unit::Together(units))
    };
    let optional = |file, node| base.file(file).tree().is_optional(node);
    let expression = |file, node| base.file(file).tree().has(node, Role::Expression);
    let constant = base.file(nodes[0].0).language.constants().first().filter(|c| c.as_bytes() != text);
    let gone = all(&optional, &|file, node| Unit::Drop { file, node });
    let constant = constant.and_then(|constant| {
        all(&expression, &|file, node| Unit::Replace { file, node, by: Source::text(constant) })
    });
    gone.into_iter().chain(constant).collect()
}
