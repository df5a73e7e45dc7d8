//! Deletes a field of a tuple structure, or of a variant of an enum, with its values: the places of the others move up. Where none is
//! left, the brackets go.

use super::newtypes::own_values;
use super::tuples::{SHARED, owner};
use crate::c::{all, child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "tuple-fields",
    summary: "deletes a field of a tuple structure or of a variant, with its values",
    languages: &["rust"],
    grain: Grain::Coarse,
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "struct S<const N: u8>();\nenum E { A(), B }\nfn f(a: S<0>, E::A(): E) { g(S::<0>(), S, E::A()) }\n",
            keep: &[
                "struct S<const N: u8>",
                "enum E { A",
                ", B }",
                "fn f(a: S<0>, E::A",
                ": E) { g(S::<0>",
                ", S, E::A",
            ],
            after: "struct S<const N: u8>;\nenum E { A, B }\nfn f(a: S<0>, E::A: E) { g(S::<0>, S, E::A) }\n",
        },
        Example {
            language: "rust",
            before: "struct S<T>(pub u8, T);\nenum E { A(u8, S<u8>) }\nimpl S<u8> { fn f(self) -> u8 { Self(1, 2); self.1 } }\nfn g(E::A(x, S(y, z)): E) { h(S::<u8>(y, z).1, E::A(x, S(1, 2))) }\n",
            keep: &["T);", "S<u8>)", "self.", "h(", "z"],
            after: "struct S<T>(T);\nenum E { A(S<u8>) }\nimpl S<u8> { fn f(self) -> u8 { Self(2); self.0 } }\nfn g(E::A(S(z)): E) { h(S::<u8>(z).0, E::A(S(2))) }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let (own, accesses) = (own_values(file), accesses(file));
        let owners = all(file, "struct_item").chain(all(file, "enum_variant"));
        owners.flat_map(|item| units(file, item, &own, &accesses).unwrap_or_default()).collect::<Vec<_>>()
    });
    vec![Group::choices(ways.map(|unit| vec![unit])).doubtful()]
}

/// A place that is read or set, with its number.
type Access = (NodeId, usize);

/// The accesses to places, by the definition of the type if they are behind `self`.
fn accesses(file: File<'_>) -> BTreeMap<Option<usize>, Vec<Access>> {
    let mut accesses: BTreeMap<Option<usize>, Vec<Access>> = BTreeMap::new();
    for access in all(file, "field_expression") {
        let Some(place) = file.children(access).last() else { continue };
        let number = std::str::from_utf8(file.node_text(place)).ok().and_then(|text| text.parse().ok());
        if let Some(number) = number {
            accesses.entry(owner(file, access)).or_default().push((place, number));
        }
    }
    accesses
}

/// A unit for each field.
fn units(
    file: File<'_>,
    item: NodeId,
    own_values: &BTreeMap<usize, Vec<NodeId>>,
    accesses: &BTreeMap<Option<usize>, Vec<Access>>,
) -> Option<Vec<Unit>> {
    let list = child(&file, item, "ordered_field_declaration_list")?;
    let name = child(&file, item, "type_identifier").or_else(|| child(&file, item, "identifier"))?;
    let own = file.bindings().of(name)?;
    let uses = file.uses(&file.bindings().definitions()[own]);
    let uses: Vec<NodeId> = uses.chain(own_values.get(&own).into_iter().flatten().copied()).collect();
    let values: Vec<Vec<NodeId>> = uses.iter().filter_map(|&used| values(file, used)).collect();
    let is_variant = is(&file, item, "enum_variant");
    let of = |owner| accesses.get(&owner).filter(|_| !is_variant).map_or(&[][..], |list| &list[..]);
    // A tuple does not tell whose place is accessed.
    let others = Some(of(None)).filter(|others| others.len() <= SHARED).unwrap_or_default();
    let accesses = [of(Some(own)), others].concat();
    let fields: Vec<NodeId> =
        items_of(&file, list).into_iter().filter(|&n| file.has(n, Role::Type)).collect();
    let unit = |(place, &field): (usize, &NodeId)| {
        let shown = file.children(list).take_while(|&n| n != field).last();
        let shown = shown.filter(|&n| is(&file, n, "visibility_modifier"));
        let drops = std::iter::once(field).chain(values.iter().filter_map(|items| items.get(place).copied()));
        let behind = accesses.iter().filter(|(_, number)| *number > place);
        let moved = behind.map(|&(node, number)| file.replace(node, (number - 1).to_string().into_bytes()));
        Unit::together(drops.chain(shown).map(|n| file.drop(n)).chain(moved).collect::<Vec<_>>())
    };
    if items_of(&file, list).is_empty() {
        let made = uses.iter().filter_map(|&used| made(file, used));
        let brackets = made.map(|(path, whole)| file.cut(file.range(path).end..file.range(whole).end));
        return Some(vec![Unit::together(brackets.chain([file.cut(file.range(list))]).collect::<Vec<_>>())]);
    }
    Some(fields.iter().enumerate().map(unit).collect())
}

/// The values or patterns behind a use of a structure's name.
fn values(file: File<'_>, used: NodeId) -> Option<Vec<NodeId>> {
    let (path, whole) = made(file, used)?;
    Some(match child(&file, whole, "arguments") {
        Some(arguments) => items_of(&file, arguments),
        None => items_of(&file, whole).into_iter().filter(|&n| n != path).collect(),
    })
}

/// The path that ends with a use of a structure's name, and the value or pattern with values behind the path.
fn made(file: File<'_>, used: NodeId) -> Option<(NodeId, NodeId)> {
    let path_around = |node: NodeId| {
        file.parent(node).filter(|&around| match file.kind_name(around) {
            kind if kind.starts_with("generic") => file.children(around).next() == Some(node),
            kind if kind.starts_with("scoped") => file.children(around).last() == Some(node),
            _ => false,
        })
    };
    let path = std::iter::successors(Some(used), |&node| path_around(node)).last()?;
    let around = file.parent(path).filter(|&n| file.children(n).next() == Some(path))?;
    matches!(file.kind_name(around), "call_expression" | "tuple_struct_pattern").then_some((path, around))
}
