//! A function in the old style, with its parameters declared after the list, becomes one with a prototype;
//! one with a prototype becomes one in the old style, where `int` need not be said.

use super::{all, child, declarators, is, specifiers};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "prototypes",
    summary: "moves declarations of parameters into the list, or out of it: old-style functions and back",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "int f(a, b, c) float a; char *c; { return a; }\n",
            keep: &["float a", "b"],
            after: "int f(float a, b, char *c) { return a; }\n",
        },
        Example {
            language: "c",
            before: "int f(int a, int b) { return a; }\nint g(float a, int b) { return a; }\n",
            keep: &["f(", "g(float"],
            after: "int f(a, b) { return a; }\nint g(float a, int b) { return a; }\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let functions = all(file, "function_definition");
        functions.filter_map(|n| modern(file, id, n).or_else(|| old(file, id, n))).collect::<Vec<_>>()
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
    let list = tree.child_with(declarator, Role::Parameters)?;
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

/// The function with nothing but names in its list, and declarations of those that are no `int`.
fn old(file: &Parsed, id: FileId, function: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let list = tree.descendants(function).find(|&n| tree.has(n, Role::Parameters))?;
    let replaced = |node, by: Vec<u8>| Unit::Replace { file: id, node, by: Source::made(by) };
    let mut declarations: Vec<u8> = Vec::new();
    let mut units = Vec::new();
    for item in tree.children(list).filter(|&n| tree.is_named(n)) {
        let declarator = declarators(tree, item).next()?;
        let (name, _) = file.bindings().within(tree, declarator).next()?;
        if declarator != name || specifiers(file, item)? != b"int" {
            declarations.extend(file.node_text(item));
            declarations.extend(b"; ");
        }
        units.push(replaced(item, file.node_text(name).to_vec()));
    }
    if units.is_empty() {
        return None;
    }
    let open = child(tree, child(tree, function, "compound_statement")?, "{")?;
    units.push(replaced(open, [&declarations, &b"{"[..]].concat()));
    Some(Unit::Together(units.into()))
}
