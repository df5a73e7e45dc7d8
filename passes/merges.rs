//! Deletes a definition, and lets another one of the same sort replace it in all its uses.
//!
//! C-Reduce's authors and the LPR study (Zhang et al., "LPR: Large Language Models-Aided Program Reduction",
//! ISSTA 2024) call this identifier replacement.

use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "merges",
    summary: "deletes a definition, and lets its uses refer to another one of the same kind",
    examples: &[
        Example {
            language: "c",
            before: "char a; int b; int f(int p) { int v; v = g(p, a, b); return v; }\n",
            keep: &["g(", ", ", " = ", "return ", "int p"],
            after: "int b; int f(int p) { p = g(p, b, b); return p; }\n",
        },
        Example {
            language: "python",
            before: "def f(x, y):\n    z = 1\n    for y in x:\n        print(y, z)\n",
            keep: &["def f(", "for ", "print(", ", "],
            after: "def f(x, y):\n    for y in x:\n        print(y, y)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of other definitions that are tried in place of a definition, and how many definitions away
/// they may be.
const STAND_INS: usize = 2;
const NEAR: usize = 64;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let definitions = file.bindings().definitions();
        let near = move |i: usize| &definitions[i.saturating_sub(NEAR)..definitions.len().min(i + NEAR)];
        (0..definitions.len()).map(move |i| ways_to_merge(file, &definitions[i], near(i)))
    });
    vec![Group::choices(ways).doubtful()]
}

fn ways_to_merge(file: File<'_>, definition: &Definition, others: &[Definition]) -> Vec<Unit> {
    if definition.uses.is_empty() || definition.sort == Sort::Parameter {
        return Vec::new();
    }
    let others = others.iter().filter(|other| stands_in(file, other, definition));
    let typed = declared_type(file, definition);
    let distance = |other: &&Definition| other.places[0].name.0.abs_diff(definition.places[0].name.0);
    let mut others: Vec<&Definition> = others.collect();
    others.sort_by_key(|other| (declared_type(file, other) != typed, distance(other)));
    let merged = |other: &&Definition| {
        let by = Source::Node(other.places[0].name);
        let uses = file.uses(definition);
        let replaced = uses.map(|node| file.replace(node, by.clone()));
        let gone = file.places(definition).map(|place| file.drop(place.whole));
        Unit::together(replaced.chain(gone))
    };
    others.iter().take(STAND_INS).map(merged).collect()
}

/// Whether `other` has a similar sort and is visible wherever `definition` is.
fn stands_in(file: File<'_>, other: &Definition, definition: &Definition) -> bool {
    let sort = |sort| if sort == Sort::Parameter { Sort::Variable } else { sort };
    let whole = |d: &Definition| d.places[0].whole;
    sort(other.sort) == sort(definition.sort)
        && file.has(other.places[0].name, Role::Name)
        && other != definition
        && file.is_within(definition.scope, other.scope)
        && (definition.sort != Sort::Field || file.parent(whole(other)) == file.parent(whole(definition)))
        && file
            .places(other)
            .all(|place| file.places(definition).all(|p| !file.is_within(place.name, p.whole)))
}

/// The text of the type in a definition's declaration.
fn declared_type<'a>(file: File<'a>, definition: &Definition) -> Option<&'a [u8]> {
    let tree = file.tree();
    let is_type = |n: &NodeId| tree.has(*n, Role::Type);
    let around = std::iter::once(definition.places[0].name).chain(tree.ancestors(definition.places[0].name));
    let typed = around.take(4).find_map(|n| tree.children(n).find(is_type));
    typed.map(|n| file.node_text(n))
}
