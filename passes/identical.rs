//! Deletes all copies of a subtree together, or replaces them by the simplest constant.

use crate::levels::levels;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::{Kind, NodeId};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "identical",
    summary: "deletes all copies of a subtree at once, or replaces them by a constant",
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
    ..Pass::DEFAULT
};

type Place<'a> = (File<'a>, NodeId);

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(PASS.files(base), |file, node| {
        file.is_named(node)
            && !file.has(node, Role::Comment)
            && (file.is_optional(node) || file.has(node, Role::Expression))
    });
    let mut copies: BTreeMap<(Kind, &[u8]), Vec<Place<'_>>> = BTreeMap::new();
    for (file, node) in levels.into_iter().flatten() {
        copies.entry((file.kind(node), file.node_text(node))).or_default().push((file, node));
    }
    let several = copies.into_iter().filter(|(_, nodes)| nodes.len() > 1);
    vec![Group::choices(several.map(|((_, text), nodes)| alternatives(text, &nodes))).doubtful()]
}

fn alternatives(text: &[u8], nodes: &[Place<'_>]) -> Vec<Unit> {
    let all = |units: Vec<Unit>| (units.len() > 1).then(|| Unit::together(units));
    let optional = nodes.iter().filter(|(file, node)| file.is_optional(*node));
    let gone = all(optional.map(|(file, node)| file.drop(*node)).collect());
    let constant = nodes[0].0.language().constants().first().filter(|c| c.as_bytes() != text);
    let simpler = constant.and_then(|&constant| {
        let expressions = nodes.iter().filter(|(file, node)| file.has(*node, Role::Expression));
        all(expressions.map(|(file, node)| file.replace(*node, constant)).collect())
    });
    gone.into_iter().chain(simpler).collect()
}
