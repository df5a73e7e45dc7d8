//! A type's other name goes: each use becomes the type itself.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "aliases",
    summary: "expands a type's other name (a typedef) where it is used, and deletes it",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "typedef long double real;\ntypedef real number;\nreal f(void);\nnumber n = 0;\n",
            keep: &["f(", "n = 0"],
            after: "long double f(void);\nlong double n = 0;\n",
        },
        Example {
            language: "c",
            before: "typedef struct s { int a; } t;\nt x;\n",
            keep: &[" x;"],
            after: "struct s { int a; };\nstruct s x;\n",
        },
    ],
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
    let child = |role| tree.child_with(alias, role);
    let (aliased, name) = (child(Role::Aliased)?, child(Role::AliasName)?);
    let text = file.node_text(name);
    let is_use = |&n: &NodeId| tree.has(n, Role::Type) && file.node_text(n) == text;
    let uses = tree.nodes().filter(is_use).filter(|&n| !tree.is_within(n, alias));
    let (by, gone) = match head(tree, aliased) {
        None => (Source::Node(aliased), vec![Unit::Drop { file: id, node: alias }]),
        // The type is defined here: that stays, and the uses call it by its own name.
        Some(head) => {
            let cut = |from: usize, to: usize| Unit::Cut { file: id, range: from as u32..to as u32 };
            let (whole, defined) = (tree.range(alias), tree.range(aliased));
            let gone = vec![cut(whole.start, defined.start), cut(defined.end, tree.range(name).end)];
            (Source::made(&file.text[defined.start..head]), gone)
        }
    };
    let expanded = uses.map(|node| Unit::Replace { file: id, node, by: by.clone() });
    Some(Unit::Together(gone.into_iter().chain(expanded).collect()))
}

/// Where the name ends in a type that is defined under a name of its own.
pub(crate) fn head(tree: &Tree, aliased: NodeId) -> Option<usize> {
    let mut parts = tree.children(aliased).filter(|&n| tree.is_named(n));
    let (name, _body) = (parts.next().filter(|&n| tree.has(n, Role::Name))?, parts.next()?);
    Some(tree.range(name).end)
}
