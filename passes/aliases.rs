//! A type's other name goes: each use becomes the type itself.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "aliases",
    summary: "expands a type's other name (a typedef) where it is used, and deletes it",
    grain: Grain::Fine,
    proves: false,
    pump: true,
    examples: &[Example {
        language: "c",
        before: "typedef long double real;\ntypedef real number;\nreal f(void);\nnumber n = 0;\n",
        keep: &["f(", "n = 0"],
        after: "long double f(void);\nlong double n = 0;\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (id, file) in base.files() {
        let aliases = file.tree().nodes().filter(|&n| file.tree().has(n, Role::Alias));
        units.extend(aliases.filter_map(|alias| expansion(file, id, alias)));
    }
    vec![Group::deletions(units).doubtful()]
}

/// The alias goes, and every other type of its name becomes what it stands for.
fn expansion(file: &Parsed, id: FileId, alias: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let child = |role| tree.children(alias).find(|&n| tree.has(n, role));
    let (aliased, name) = (child(Role::Aliased)?, child(Role::AliasName)?);
    let text = file.node_text(name);
    let is_use = |&n: &NodeId| tree.has(n, Role::Type) && file.node_text(n) == text;
    let uses = tree.nodes().filter(is_use).filter(|&n| !tree.is_within(n, alias));
    let expanded = uses.map(|node| Unit::Replace { file: id, node, by: Source::Node(aliased) });
    let gone = Unit::Drop { file: id, node: alias };
    Some(Unit::Together(std::iter::once(gone).chain(expanded).collect()))
}
