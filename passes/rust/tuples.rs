//! Gives the fields of a structure no names: places say as much in fewer tokens.

use super::{as_structure, implemented, meant};
use crate::c::{all, child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "tuples",
    summary: "makes a tuple of a structure with named fields, in all uses",
    languages: &["rust"],
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "struct S<T> where T: Copy { a: T, pub b: u8 }\nfn f(x: S<u8>) -> u8 {\n    let S { b, a: y } = S { a: 1, b: x.b };\n    match x { S { a: 2, .. } => x.a + y + b }\n}\n",
            keep: &["fn f(x: S<u8>) -> u8"],
            after: "struct S<T>(T, pub u8) where T: Copy;\nfn f(x: S<u8>) -> u8 {\n    let S(y, b) = S(1, x.1);\n    match x { S(2, ..) => x.0 + y + b }\n}\n",
        },
        Example {
            language: "rust",
            before: "struct A {}\nstruct B { a: u8 }\nstruct C { a: u8, b: u8 }\nimpl B { fn f(&self, c: C) -> C { C { a: self.a, ..c } } }\nfn g() -> A { A {} }\n",
            keep: &["..c"],
            after: "struct A;\nstruct B(u8);\nstruct C { a: u8, b: u8 }\nimpl B { fn f(&self, c: C) -> C { C { a: self.0, ..c } } }\nfn g() -> A { A }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of accesses that may be to fields of several structures, up to which all of them are replaced.
pub(super) const SHARED: usize = 64;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let values = values(file);
        let of_structure = |structure| ways(file, structure, &values).unwrap_or_default();
        all(file, "struct_item").map(of_structure).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The expressions and patterns that name fields, by the definition of the structure.
fn values(file: File<'_>) -> BTreeMap<usize, Vec<NodeId>> {
    let mut values: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    for node in all(file, "struct_expression").chain(all(file, "struct_pattern")) {
        if let Some(structure) = file.children(node).next().and_then(|path| meant(file, path)) {
            values.entry(structure).or_default().push(node);
        }
    }
    values
}

/// Names of fields that belong to several structures are replaced behind `self` only, or everywhere.
fn ways(file: File<'_>, structure: NodeId, values: &BTreeMap<usize, Vec<NodeId>>) -> Option<Vec<Unit>> {
    let list = child(&file, structure, "field_declaration_list")?;
    let fields: Vec<Field> = file.children(list).filter_map(|n| Field::new(file, n)).collect();
    let own = meant(file, child(&file, structure, "type_identifier")?)?;
    let types: Vec<&[u8]> = fields.iter().map(|field| &field.unnamed[..]).collect();
    let tuple =
        if fields.is_empty() { Vec::new() } else { [b"(", &types.join(&b", "[..])[..], b")"].concat() };
    let names: Vec<&[u8]> = fields.iter().map(|field| file.node_text(field.name)).collect();
    let mut units = vec![as_structure(file, structure, &tuple)?];
    for &value in values.get(&own).into_iter().flatten() {
        units.push(unnamed(file, value, &names)?);
    }
    let (mut certain, mut others) = (Vec::new(), Vec::new());
    for (place, field) in fields.iter().enumerate() {
        let Some(definition) = file.definition(field.name) else { continue };
        let is_shared = definition.places.len() > 1;
        for used in file.uses(definition) {
            let Some(access) = file.parent(used).filter(|&n| is_access(file, n)) else { continue };
            let is_certain = !is_shared || owner(file, access) == Some(own);
            let accesses = if is_certain { &mut certain } else { &mut others };
            let object = file.children(access).next().unwrap_or(access);
            let behind = file.range(object).end..file.range(used).end;
            accesses.push(file.write(behind, format!(".{place}").into_bytes()));
        }
    }
    units.extend(certain);
    let mut ways = vec![Unit::together(units.iter().cloned())];
    if (1..=SHARED).contains(&others.len()) {
        ways.push(Unit::together(units.into_iter().chain(others)));
    }
    Some(ways)
}

struct Field {
    name: NodeId,
    /// The declaration without the name.
    unnamed: Vec<u8>,
}

impl Field {
    fn new(file: File<'_>, declaration: NodeId) -> Option<Self> {
        let name = child(&file, declaration, "field_identifier")?;
        let typed = file.named_children(declaration).last()?;
        let (whole, before) = (file.range(declaration), file.range(name).start);
        let unnamed = [&file.text()[whole.start..before], &file.text()[file.range(typed).start..whole.end]];
        Some(Self { name, unnamed: unnamed.concat() })
    }
}

/// Whether a field is read or set, and not a method called that has its name.
pub(super) fn is_access(file: File<'_>, node: NodeId) -> bool {
    let called = file.parent(node).filter(|&n| is(&file, n, "call_expression"));
    let is_called = called.is_some_and(|call| file.children(call).next() == Some(node));
    is(&file, node, "field_expression") && !is_called
}

/// The definition of the type whose own field is accessed, as in `self.a`.
pub(super) fn owner(file: File<'_>, access: NodeId) -> Option<usize> {
    file.children(access).next().filter(|&n| file.node_text(n) == b"self")?;
    let owner = file.ancestors(access).find(|&n| is(&file, n, "impl_item"))?;
    meant(file, implemented(file, owner)?)
}

/// An expression or pattern with its fields in the order of these names, and without them.
fn unnamed(file: File<'_>, value: NodeId, names: &[&[u8]]) -> Option<Unit> {
    let path = file.range(file.children(value).next()?).end;
    let end = file.range(value).end;
    let list = child(&file, value, "field_initializer_list").unwrap_or(value);
    let mut parts: Vec<(&[u8], NodeId, NodeId)> = Vec::new();
    let mut rest = None;
    for item in items_of(&file, list).into_iter().filter(|&n| file.range(n).start >= path) {
        match file.kind_name(item) {
            "field_initializer" | "field_pattern" | "shorthand_field_initializer" => {
                let name = file.named_children(item).find(|&n| file.has(n, Role::Name))?;
                let last = file.named_children(item).last().filter(|&n| n != name);
                parts.push((file.node_text(name), item, last.unwrap_or(item)));
            }
            "remaining_field_pattern" => rest = Some(item),
            _ => return None,
        }
    }
    if names.is_empty() {
        return Some(file.cut(path..end));
    }
    let is_whole = rest.is_some() || parts.len() == names.len();
    let is_in_order = parts.iter().map(|(name, ..)| name).eq(names.iter().take(parts.len()));
    let text = |n: NodeId| file.node_text(n);
    if !is_in_order || !is_whole {
        let places = names.iter().map(|name| {
            let part = parts.iter().find(|(other, ..)| other == name);
            part.map(|&(_, _, part)| text(part)).or(rest.map(|_| &b"_"[..]))
        });
        let places: Vec<&[u8]> = places.collect::<Option<_>>()?;
        return Some(file.write(path..end, [b"(", &places.join(&b", "[..])[..], b")"].concat()));
    }
    // Small edits leave what is inside to other edits.
    let starts = parts.iter().map(|&(_, item, part)| (item, file.range(part).start));
    let starts: Vec<(NodeId, usize)> =
        starts.chain(rest.map(|rest| (rest, file.range(rest).start))).collect();
    let (&(_, first), &(last, _)) = starts.first().zip(starts.last())?;
    let inner = starts.iter().skip(1).map(|&(item, start)| (file.range(item).start, start));
    let cuts = inner.filter(|(item, start)| item < start).map(|(item, start)| file.cut(item..start));
    let brackets = [file.write(path..first, *b"("), file.write(file.range(last).end..end, *b")")];
    Some(Unit::together(cuts.chain(brackets).collect::<Vec<_>>()))
}
