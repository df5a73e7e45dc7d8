//! A function in the old style, with its parameters declared after the list, becomes one with a prototype.

use super::{all, child, is};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "prototypes",
    summary: "moves the parameter declarations of an old-style function into its list",
    grain: Grain::Fine,
    proves: false,
    pump: false,
    examples: &[Example {
        language: "c",
        before: "int f(a, b, c) float a; char *c; { return a; }\n",
        keep: &["float a", "b"],
        after: "int f(float a, b, char *c) { return a; }\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        all(file, "function_definition").filter_map(move |n| modern(file, id, n)).collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

fn modern(file: &Parsed, id: FileId, function: NodeId) -> Option<Unit> {
    let (tree, bindings) = (file.tree(), file.bindings());
    let declarations = || tree.children(function).filter(|&n| is(tree, n, "declaration"));
    let mut declared: BTreeMap<usize, &[u8]> = BTreeMap::new();
    for declaration in declarations() {
        let text = file.node_text(declaration).strip_suffix(b";")?;
        let names = bindings.within(tree, declaration);
        let mut parameters = names
            .filter(|&(name, d)| bindings.definitions()[d].places.iter().any(|place| place.name == name));
        // What declares several would have to be written several times.
        let (_, only) = parameters.next().filter(|_| parameters.next().is_none())?;
        declared.insert(only, text);
    }
    let declarator = child(tree, function, "function_declarator")?;
    let list = tree.children(declarator).find(|&n| tree.has(n, Role::Parameters))?;
    let items = tree.children(list).filter(|&n| tree.is_named(n));
    let moved = items.filter_map(|item| {
        let (_, parameter) = bindings.within(tree, item).next()?;
        let by = Source::made(*declared.get(&parameter)?);
        Some(Unit::Replace { file: id, node: item, by })
    });
    let moved: Vec<Unit> = moved.collect();
    if moved.is_empty() {
        return None;
    }
    let gone = declarations().map(|node| Unit::Drop { file: id, node });
    Some(Unit::Together(moved.into_iter().chain(gone).collect()))
}
