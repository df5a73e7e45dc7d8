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
        Example {
            language: "rust",
            before: "struct A<'a> { a: u8, b: &'a str }\nfn f<'a>() -> A<'a> { loop {} }\nfn g() { f().h() }\n",
            keep: &["struct A<'a> { a: u8, b: &'a str }\n", "fn g() { ", ".h() }\n", "A<'a> {"],
            after: "struct A<'a> { a: u8, b: &'a str }\nfn g() { A { a: 0, b: \"\" }.h() }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let program = Program { file, structures: structures(file), calls: calls(file) };
        let of_function = |function| program.ways(function).unwrap_or_default();
        all(file, "function_item").map(of_function).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// What a file defines and calls.
struct Program<'a> {
    file: File<'a>,
    /// The structures, by their definitions.
    structures: BTreeMap<usize, NodeId>,
    /// The calls of functions: by the definition of the function, or by that of the type it belongs to and its name.
    calls: BTreeMap<(usize, &'a [u8]), Vec<Made>>,
}

fn structures(file: File<'_>) -> BTreeMap<usize, NodeId> {
    let own = |structure| {
        let name = child(&file, structure, "type_identifier")?;
        Some((file.bindings().of(name)?, structure))
    };
    all(file, "struct_item").filter_map(own).collect()
}

fn calls(file: File<'_>) -> BTreeMap<(usize, &[u8]), Vec<Made>> {
    let mut calls: BTreeMap<(usize, &[u8]), Vec<Made>> = BTreeMap::new();
    for call in file.bindings().calls() {
        let path = file.parent(call.callee).filter(|&n| is(&file, n, "scoped_identifier"));
        let typed = path.and_then(|path| file.children(path).next());
        let owner = match typed {
            Some(typed) => meant(file, typed),
            None => file.bindings().of(call.callee),
        };
        if let Some(owner) = owner {
            let made = Made { call: call.whole, typed };
            calls.entry((owner, file.node_text(call.callee))).or_default().push(made);
        }
    }
    calls
}

/// A call, with the path of the type in it, if there is one.
struct Made {
    call: NodeId,
    typed: Option<NodeId>,
}

impl Program<'_> {
    /// The function goes, or it stays if it must.
    fn ways(&self, function: NodeId) -> Option<Vec<Unit>> {
        let file = self.file;
        let returned = file.children(function).skip_while(|&n| file.node_text(n) != b"->").nth(1)?;
        let made = meant(file, returned)?;
        let structure = *self.structures.get(&made)?;
        let name = child(&file, function, "identifier")?;
        let (owner, fields) = match file.ancestors(function).find(|&n| is(&file, n, "impl_item")) {
            Some(owner) => {
                let of = implemented(file, owner).filter(|&of| meant(file, of) == Some(made))?;
                (made, fields(file, structure, of))
            }
            None => (file.bindings().of(name)?, fields(file, structure, returned)),
        };
        let parameters = items_of(&file, child(&file, function, "parameters")?);
        let places = places(file, &fields, &parameters);
        // Nobody knows what a function made whose body is gone.
        let is_gone = || {
            file.child_with(function, Role::Body).is_some_and(|n| file.tokens_in(file.range(n)).len() <= GONE)
        };
        (places.iter().all(Option::is_some) || is_gone()).then_some(())?;
        let mut units = Vec::new();
        for Made { call, typed } in self.calls.get(&(owner, file.node_text(name)))? {
            let range = file.range(*call);
            let arguments = items_of(&file, child(&file, *call, "arguments")?);
            let value_of = |(place, field): (&Option<usize>, &Field<'_>)| match *place {
                Some(place) => arguments.get(place).map(|&n| file.node_text(n)),
                None => Some(default_of(field)),
            };
            let values = places.iter().zip(&fields).map(value_of);
            let value = value(&fields, &values.collect::<Option<Vec<_>>>()?);
            units.push(match typed {
                Some(typed) => file.write(file.range(*typed).end..range.end, value),
                None => {
                    let name = child(&file, structure, "type_identifier")?;
                    file.write(range, [file.node_text(name), &value].concat())
                }
            });
        }
        let gone = file.drop(function);
        let all = Unit::together(units.iter().cloned().chain([gone]));
        let is_owed = file.has(function, Role::Override);
        Some(if is_owed { vec![Unit::together(units)] } else { vec![all, Unit::together(units)] })
    }
}

/// The number of tokens of `{ loop {} }`.
const GONE: usize = 5;

/// A value for a field that no parameter is for. What stands behind `loop {}` is never reached, so that a failure may need a
/// real value.
fn default_of(field: &Field<'_>) -> &'static [u8] {
    // A reference with its lifetime.
    let words = field.typed.strip_prefix(b"&").map(|referent| referent.rsplit(|&c| c == b' ').next());
    match (field.typed, words.flatten()) {
        (_, Some(b"str" | b"&str")) => b"\"\"",
        (typed, Some(_)) if typed.ends_with(b"]") && !typed.contains(&b';') => b"&[]",
        (
            b"u8" | b"u16" | b"u32" | b"u64" | b"u128" | b"usize" | b"i8" | b"i16" | b"i32" | b"i64"
            | b"i128" | b"isize",
            _,
        ) => b"0",
        (b"f32" | b"f64", _) => b"0.0",
        (b"bool", _) => b"true",
        (b"char", _) => b"' '",
        (b"()", _) => b"()",
        (typed, _) if typed.starts_with(b"Option<") => b"None",
        (typed, _) if typed.starts_with(b"Vec<") => b"vec![]",
        _ => b"loop {}",
    }
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

/// For each field, the place of a parameter that has its type. A single parameter may become one, as `impl Into<u8>`.
fn places(file: File<'_>, fields: &[Field<'_>], parameters: &[NodeId]) -> Vec<Option<usize>> {
    let typed = |&n: &NodeId| file.named_children(n).last().map_or(&b""[..], |n| file.node_text(n));
    let types: Vec<&[u8]> = parameters.iter().map(typed).collect();
    if fields.len() == 1 && types.len() == 1 {
        return vec![Some(0)];
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
