//! Lets one use of a type name another type, of the file or of a library, so that what only the first one has may go.
//!
//! A step of its own gains nothing, so it is a pump: once a function returns `std::suspend_always`, the class that it returned before needs
//! no members for that.

use crate::library_types::foreign;
use crate::uses::whole_type;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;

pub(crate) const PASS: Pass = Pass {
    name: "type-exchanges",
    summary: "lets one use of a type name another type",
    pump: true,
    examples: &[
        Example {
            language: "cpp",
            before: "struct awaiter { int m(); };\nawaiter f();\nstring g(awaiter a);\n",
            keep: &["struct awaiter { int m(); };", " f();", "string g(awaiter a);"],
            after: "struct awaiter { int m(); };\nstring f();\nstring g(awaiter a);\n",
        },
        Example {
            language: "java",
            before: "class A {\n    A b;\n    void f(B c) { }\n}\nclass B { B(A d) { } }\n",
            keep: &["class A {", " b;", "void f(", " c) { }", "class B { B(A d)"],
            after: "class A {\n    A b;\n    void f(A c) { }\n}\nclass B { B(A d) { } }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A type with more uses stays whatever one of them becomes.
const FEW: usize = 4;
/// The number of types of libraries that are tried in the place of a use: the most frequent ones.
const FOREIGN: usize = 3;

fn plan(base: &Base) -> Vec<Group> {
    if !base.is_small() {
        return Vec::new();
    }
    vec![Group::choices(PASS.files(base).flat_map(ways)).doubtful()]
}

/// The other types for each use of the types that a file defines. The file's own type that is used most often is one of them.
fn ways(file: File<'_>) -> Vec<Vec<Unit>> {
    let foreign = foreign(file);
    let is_type = |d: &&Definition| {
        let whole = d.places[0].whole;
        matches!(d.sort, Sort::Type | Sort::Tag) && file.has(whole, Role::Statement)
    };
    let mut own: Vec<&Definition> = file.definitions().filter(is_type).collect();
    own.sort_by_key(|definition| Reverse(definition.uses.len()));
    let most = own.first().copied();
    let ways = own.into_iter().flat_map(|definition| {
        let name = |other: &'_ Definition| file.node_text(other.places[0].name);
        let most = most.map(name).filter(|&most| most != name(definition));
        let others: Vec<&[u8]> = most.into_iter().chain(foreign.iter().take(FOREIGN).copied()).collect();
        let wholes = file.uses(definition).map(|name| whole_type(file, name));
        let types: Vec<NodeId> = wholes.filter(|(_, is_type)| *is_type).map(|(whole, _)| whole).collect();
        let types = if types.len() > FEW { Vec::new() } else { types };
        types.into_iter().map(|whole| ways_of(file, whole, &others)).collect::<Vec<_>>()
    });
    ways.collect()
}

/// What names each of these types in the place of another one.
fn ways_of(file: File<'_>, whole: NodeId, others: &[&[u8]]) -> Vec<Unit> {
    let others = others.iter().filter(|&&other| other != file.node_text(whole));
    others.map(|other| file.replace(whole, other.to_vec())).collect()
}
