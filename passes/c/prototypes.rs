//! Turns an old-style function, whose parameters are declared behind the list, into one with a prototype, and
//! a function with a prototype into an old-style one, where `int` can be omitted.

use super::{all, child, declarators, is, specifiers};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "prototypes",
    summary: "moves parameter declarations into the parameter list, or out of it (old-style functions)",
    languages: &["c"],
    proves: true,
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
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS.files(base).flat_map(|file| {
        let functions = all(file, "function_definition");
        functions.filter_map(move |n| modern(file, n).or_else(|| old(file, n)))
    });
    vec![Group::deletions(functions).doubtful()]
}

fn modern(file: File<'_>, function: NodeId) -> Option<Unit> {
    let bindings = file.bindings();
    let declarations = || file.children(function).filter(|&n| is(&file, n, "declaration"));
    let mut declared: BTreeMap<usize, &[u8]> = BTreeMap::new();
    for declaration in declarations() {
        let text = file.node_text(declaration).strip_suffix(b";")?;
        let names = bindings.within(&file, declaration);
        let is_place =
            |name, d: usize| file.places(&bindings.definitions()[d]).any(|place| place.name == name);
        let mut parameters = names.filter(|&(name, d)| is_place(name, d));
        // A declaration of several names would have to be repeated for each.
        let (_, only) = parameters.next().filter(|_| parameters.next().is_none())?;
        declared.insert(only, text);
    }
    let declarator = child(&file, function, "function_declarator")?;
    let list = file.child_with(declarator, Role::Parameters)?;
    let items = file.named_children(list);
    let moved = items.filter_map(|item| {
        let (_, parameter) = bindings.within(&file, item).next()?;
        let by = Source::made(*declared.get(&parameter)?);
        Some(file.replace(item, by))
    });
    let moved: Vec<Unit> = moved.collect();
    if moved.is_empty() {
        return None;
    }
    let gone = declarations().map(|node| file.drop(node));
    Some(Unit::together(moved.into_iter().chain(gone)))
}

/// The function with only names in its list, and declarations of those that are not `int`.
fn old(file: File<'_>, function: NodeId) -> Option<Unit> {
    let list = file.descendants(function).find(|&n| file.has(n, Role::Parameters))?;
    let mut declarations: Vec<u8> = Vec::new();
    let mut units = Vec::new();
    for item in file.named_children(list) {
        let declarator = declarators(&file, item).next()?;
        let (name, _) = file.bindings().within(&file, declarator).next()?;
        if declarator != name || specifiers(file, item)? != b"int" {
            declarations.extend(file.node_text(item));
            declarations.extend(b"; ");
        }
        units.push(file.replace(item, file.node_text(name).to_vec()));
    }
    if units.is_empty() {
        return None;
    }
    let open = child(&file, child(&file, function, "compound_statement")?, "{")?;
    units.push(file.replace(open, [&declarations, &b"{"[..]].concat()));
    Some(Unit::together(units))
}
