//! Replaces the calls of a function that makes a value of its own type by such values, so that the function may go.
//!
//! Often its body is gone already, and only its parameters say what the fields were.

use super::{implemented, meant};
use crate::c::{all, child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "makers",
    summary: "replaces the calls of a function that makes a value of its type by values",
    languages: &["rust"],
    grain: Grain::Coarse,
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "struct S<T> { a: u8, b: T }\nimpl<U> S<U> {\n    fn new(b: U, c: bool, a: u8) -> Self { loop {} }\n    fn f(&self) { S::new(2, true, 3); }\n}\nfn g() { S::<u8>::new(f(1), false, 0).f() }\n",
            keep: &["fn f(&self) {", "S::<u8>", "f(1)"],
            after: "struct S<T> { a: u8, b: T }\nimpl<U> S<U> {\n    fn f(&self) { S { a: 3, b: 2 }; }\n}\nfn g() { S::<u8> { a: 0, b: f(1) }.f() }\n",
        },
        Example {
            language: "rust",
            before: "struct A(u8);\nstruct B;\nimpl A {\n    fn f(a: u8) -> A { A(a) }\n    fn g(a: bool, b: bool) -> A { A(1) }\n}\nimpl Default for B { fn default() -> Self { h() } }\nfn h() { i(A::f(1), A::g(true, false), B::default()) }\n",
            keep: &["A::g(true", "default() -> Self"],
            after: "struct A(u8);\nstruct B;\nimpl A {\n    fn g(a: bool, b: bool) -> A { A(1) }\n}\nimpl Default for B { fn default() -> Self { h() } }\nfn h() { i(A(1), A::g(true, false), B) }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let (structures, calls) = (structures(file), calls(file));
        let of_function = |function| ways(file, function, &structures, &calls).unwrap_or_default();
        all(file, "function_item").map(of_function).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The structures of a file, by their definitions.
fn structures(file: File<'_>) -> BTreeMap<usize, NodeId> {
    let own = |structure| {
        let name = child(&file, structure, "type_identifier")?;
        Some((file.bindings().of(name)?, structure))
    };
    all(file, "struct_item").filter_map(own).collect()
}

/// The calls of what belongs to a type, by the definition of the type and the name of what is called.
fn calls(file: File<'_>) -> BTreeMap<(usize, &[u8]), Vec<Made>> {
    let mut calls: BTreeMap<(usize, &[u8]), Vec<Made>> = BTreeMap::new();
    for call in file.bindings().calls() {
        let path = file.parent(call.callee).filter(|&n| is(&file, n, "scoped_identifier"));
        let Some(typed) = path.and_then(|path| file.children(path).next()) else { continue };
        if let Some(owner) = meant(file, typed) {
            let made = Made { call: call.whole, typed };
            calls.entry((owner, file.node_text(call.callee))).or_default().push(made);
        }
    }
    calls
}

/// A call, with the path of the type in it.
struct Made {
    call: NodeId,
    typed: NodeId,
}

/// The function goes, or it stays if it must.
fn ways(
    file: File<'_>,
    function: NodeId,
    structures: &BTreeMap<usize, NodeId>,
    calls: &BTreeMap<(usize, &[u8]), Vec<Made>>,
) -> Option<Vec<Unit>> {
    let owner = file.ancestors(function).find(|&n| is(&file, n, "impl_item"))?;
    let of = implemented(file, owner)?;
    let own = meant(file, of)?;
    let returned = file.children(function).skip_while(|&n| file.node_text(n) != b"->").nth(1)?;
    if meant(file, returned) != Some(own) {
        return None;
    }
    let fields = fields(file, *structures.get(&own)?, of);
    let parameters = items_of(&file, child(&file, function, "parameters")?);
    let places = places(file, &fields, &parameters)?;
    let name = file.node_text(child(&file, function, "identifier")?);
    let mut units = Vec::new();
    for Made { call, typed } in calls.get(&(own, name))? {
        let end = file.range(*call).end;
        let arguments = items_of(&file, child(&file, *call, "arguments")?);
        let values = places.iter().map(|&place| arguments.get(place).map(|&n| file.node_text(n)));
        let value = value(&fields, &values.collect::<Option<Vec<_>>>()?);
        units.push(file.write(file.range(*typed).end..end, value));
    }
    let gone = file.drop(function);
    let all = Unit::together(units.iter().cloned().chain([gone]));
    let is_owed = file.has(function, Role::Override);
    Some(if is_owed { vec![Unit::together(units)] } else { vec![all, Unit::together(units)] })
}

/// A field of a structure: its name, if it has one, and its type.
struct Field<'a> {
    name: Option<&'a [u8]>,
    typed: &'a [u8],
}

/// The fields of a structure, with the type parameters that an `impl` gives to it.
fn fields<'a>(file: File<'a>, structure: NodeId, of: NodeId) -> Vec<Field<'a>> {
    let list =
        |node: NodeId, kind: &str| child(&file, node, kind).map_or(vec![], |list| items_of(&file, list));
    let names = list(structure, "type_parameters").into_iter().map(|n| file.named_children(n).next());
    let names = names.map(|name| name.map(|n| file.node_text(n)));
    let arguments = list(of, "type_arguments").into_iter().map(|n| file.node_text(n));
    let arguments: BTreeMap<Option<&[u8]>, &[u8]> = names.zip(arguments).collect();
    let typed = |n: NodeId| {
        let text = file.node_text(n);
        arguments.get(&Some(text)).copied().unwrap_or(text)
    };
    let field = |n| {
        let name = child(&file, n, "field_identifier")?;
        Some(Field { name: Some(file.node_text(name)), typed: typed(file.named_children(n).last()?) })
    };
    let places = list(structure, "ordered_field_declaration_list").into_iter();
    let places = places.filter(|&n| file.has(n, Role::Type)).map(|n| Field { name: None, typed: typed(n) });
    list(structure, "field_declaration_list").into_iter().filter_map(field).chain(places).collect()
}

/// The places of the parameters that have the types of the fields. A single parameter may become one, as `impl Into<u8>`.
fn places(file: File<'_>, fields: &[Field<'_>], parameters: &[NodeId]) -> Option<Vec<usize>> {
    let typed = |&n: &NodeId| file.named_children(n).last().map_or(&b""[..], |n| file.node_text(n));
    let types: Vec<&[u8]> = parameters.iter().map(typed).collect();
    if fields.len() == 1 && types.len() == 1 {
        return Some(vec![0]);
    }
    let mut taken = vec![false; types.len()];
    let place = |field: &Field<'_>| {
        let place = (0..types.len()).find(|&at| !taken[at] && types[at] == field.typed)?;
        taken[place] = true;
        Some(place)
    };
    fields.iter().map(place).collect()
}

/// What stands behind the name of the structure.
fn value(fields: &[Field<'_>], values: &[&[u8]]) -> Vec<u8> {
    let (open, close): (&[u8], &[u8]) = match fields.first() {
        None => return Vec::new(),
        Some(Field { name: None, .. }) => (b"(", b")"),
        Some(_) => (b" { ", b" }"),
    };
    let named = fields.iter().zip(values).map(|(field, value)| match field.name {
        Some(name) if name != *value => [name, b": ", value].concat(),
        _ => value.to_vec(),
    });
    [open, &named.collect::<Vec<_>>().join(&b", "[..]), close].concat()
}
