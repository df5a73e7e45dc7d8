//! Deletes a concept together with the constraints that name it: a constrained parameter becomes a plain one.

use super::is_in;
use crate::c::is;
use crate::levels::outermost;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "concepts",
    summary: "deletes a concept with the constraints that name it",
    languages: &["cpp"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "cpp",
        before: "template <class T> concept c = true;\ntemplate <class T> concept d = n::c<T> && true;\ntemplate <c T, d<int> U> struct s;\ntemplate <class T> requires c<T> void f(c auto a, T b) requires (d<T> || c<int>);\ntemplate <class T> concept e = requires (T a) { { a.f() } -> c; a.g(); };\n",
        keep: &[
            "concept d = ",
            "&& true",
            " T, d<int> U> struct s;",
            "auto a, T b) requires (d<T> || ",
            "concept e = ",
            "{ a.f() }",
            "a.g();",
        ],
        after: "template <class T> concept d = true && true;\ntemplate <class T, d<int> U> struct s;\ntemplate <class T> void f(auto a, T b) requires (d<T> || true);\ntemplate <class T> concept e = requires (T a) { { a.f() }; a.g(); };\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let gone = PASS.files(base).flat_map(|file| {
        let is_concept = move |d: &&Definition| {
            let mut places = file.places(d);
            places.any(|place| file.parent(place.name).is_some_and(|n| is(&file, n, "concept_definition")))
        };
        file.definitions().filter(is_concept).filter_map(move |definition| gone(file, definition))
    });
    vec![Group::deletions(gone).doubtful()]
}

fn gone(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let mut drops: BTreeSet<NodeId> =
        file.places(definition).map(|place| statement(&file, place.name)).collect();
    let mut changes: BTreeMap<NodeId, Unit> = BTreeMap::new();
    for name in file.uses(definition) {
        let constraint = constraint(file, name);
        let around = file.parent(constraint)?;
        let change = match file.kind_name(around) {
            "parameter_declaration" | "optional_parameter_declaration" | "variadic_parameter_declaration" => {
                file.replace(constraint, "class")
            }
            "placeholder_type_specifier" => {
                let next = file.next_sibling(constraint)?;
                file.cut(file.range(constraint).start..file.range(next).start)
            }
            "requires_clause" | "trailing_return_type" => {
                drops.insert(around);
                continue;
            }
            _ => file.replace(constraint, "true"),
        };
        changes.insert(constraint, change);
    }
    let drops = outermost(file, drops);
    let changed = outermost(file, changes.keys().copied().collect());
    let changes = changed.into_iter().filter(|&n| !is_in(file, n, &drops)).filter_map(|n| changes.remove(&n));
    let changes: Vec<Unit> = changes.collect();
    Some(Unit::together(drops.iter().map(|&n| file.drop(n)).chain(changes)))
}

/// A concept's name with its arguments, and with what stands before it.
fn constraint(file: File<'_>, name: NodeId) -> NodeId {
    let mut node = name;
    while let Some(around) = file.parent(node) {
        let is_all = match file.kind_name(around) {
            "template_type" | "template_function" => file.children(around).next() == Some(node),
            "qualified_identifier" => file.named_children(around).last() == Some(node),
            "type_descriptor" => true,
            _ => false,
        };
        if !is_all {
            break;
        }
        node = around;
    }
    node
}
