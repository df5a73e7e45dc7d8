//! Deletes the constructors of a class together with what is passed to them.

use super::is_in;
use super::objects::{constructor, whole_name};
use crate::c::{all, child, is};
use crate::levels::outermost;
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "default-objects",
    summary: "deletes the constructors of a class with the arguments of all creations of its objects",
    languages: &["cpp"],
    proves: true,
    examples: &[Example {
        language: "cpp",
        before: "struct a { a(int x) : b(x) { } a(); int b; };\nstruct c : a { c() : a(1), d(2) { } a d; a *e = new a(3); };\nint f(a);\nint g = f(a(4));\na h(5), i = a{6}, j[2];\na::a() { }\n",
        keep: &[
            "struct a { ",
            "int b; };",
            "struct c : a { ",
            "c() ",
            "{ }",
            " a d; a *e = new a",
            "int f(a);",
            "f(a",
            "a h",
            ", i",
            ", j[2];",
        ],
        after: "struct a { int b; };\nstruct c : a { c() : d(2) { } a d; a *e = new a; };\nint f(a);\nint g = f(a());\na h, i, j[2];\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        // The initialisers of bases and fields, by name.
        let mut initializers: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
        for initializer in all(file, "field_initializer") {
            let name = file.named_children(initializer).next().map(|n| file.node_text(n));
            initializers.entry(name.unwrap_or_default()).or_default().push(initializer);
        }
        let classes = file.definitions().filter_map(|definition| without(file, definition, &initializers));
        classes.collect::<Vec<_>>()
    });
    vec![Group::deletions(units).doubtful()]
}

fn without(
    file: File<'_>,
    definition: &Definition,
    initializers: &BTreeMap<&[u8], Vec<NodeId>>,
) -> Option<Unit> {
    let place = file.places(definition).next()?;
    let class = file.parent(place.name)?;
    child(&file, class, "field_declaration_list")?;
    let mut gone: BTreeSet<NodeId> = file
        .uses(definition)
        .filter_map(|name| constructor(file, name))
        .map(|n| statement(&file, n))
        .collect();
    if gone.is_empty() {
        return None;
    }
    gone.extend(initializers.get(file.node_text(place.name)).into_iter().flatten());
    let gone = outermost(file, gone);
    let passed =
        file.uses(definition).filter(|&name| !is_in(file, name, &gone)).flat_map(|name| passed(file, name));
    let mut changes: BTreeMap<NodeId, Unit> = passed.collect();
    // What is passed to one object may create another one.
    let outer = outermost(file, changes.keys().copied().collect());
    let changes = outer.into_iter().filter_map(|node| changes.remove(&node)).collect::<Vec<Unit>>();
    Some(Unit::together(gone.iter().map(|&node| file.drop(node)).chain(changes)))
}

/// Deletes what is passed where this name of a class creates objects: the nodes that change.
fn passed(file: File<'_>, name: NodeId) -> Vec<(NodeId, Unit)> {
    let Some(around) = file.parent(whole_name(file, name)) else { return Vec::new() };
    let list = |kind| child(&file, around, kind).filter(|&n| file.named_children(n).next().is_some());
    match file.kind_name(around) {
        "call_expression" => list("argument_list").map(|n| (n, file.replace(n, "()"))).into_iter().collect(),
        "compound_literal_expression" => {
            list("initializer_list").map(|n| (n, file.replace(n, "{}"))).into_iter().collect()
        }
        "new_expression" => {
            let passed = list("argument_list").or_else(|| list("initializer_list"));
            passed.map(|n| (n, file.drop(n))).into_iter().collect()
        }
        "declaration" => {
            let declared = file.children(around).filter(|&n| is(&file, n, "init_declarator"));
            let plain = declared.filter_map(|n| {
                let object = file.children(n).next()?;
                is(&file, object, "identifier").then(|| (n, file.replace(n, object)))
            });
            plain.collect()
        }
        _ => Vec::new(),
    }
}
