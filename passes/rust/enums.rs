//! Makes a structure of an enumeration whose variants look alike: its values need no path, and no variant a name.

use super::{as_structure, meant};
use crate::c::{all, child, is};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "enums",
    summary: "makes a structure of an enum whose variants look alike, in all uses",
    languages: &["rust"],
    grain: Grain::Coarse,
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "enum E<T> where T: Copy { A(T), B(T) }\nimpl E<u8> {\n    fn f(self) -> u8 { match self { Self::A(a) => a, E::B(b) => 2 } }\n}\nfn g() -> E<u8> { E::<u8>::B(E::C) }\n",
            keep: &["=> a", "=> 2", "E::C"],
            after: "struct E<T>(T) where T: Copy;\nimpl E<u8> {\n    fn f(self) -> u8 { match self { Self(a) => a, E(b) => 2 } }\n}\nfn g() -> E<u8> { E::<u8>(E::C) }\n",
        },
        Example {
            language: "rust",
            before: "enum A { B { a: u8 } }\nuse A::B;\nenum C { D(u8), E }\nfn f() { g(B { a: 1 }, A::B { a: 2 }, C::E) }\n",
            keep: &["D(u8), E", "fn f() { g("],
            after: "struct A { a: u8 }\nenum C { D(u8), E }\nfn f() { g(A { a: 1 }, A { a: 2 }, C::E) }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let members = members(file);
        let of_enumeration = |enumeration| unit(file, enumeration, &members);
        all(file, "enum_item").filter_map(of_enumeration).collect::<Vec<_>>()
    });
    vec![Group::deletions(units).doubtful()]
}

/// The paths to what is in a type, by the definition of the type.
fn members(file: File<'_>) -> BTreeMap<usize, Vec<NodeId>> {
    let mut members: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    for path in all(file, "scoped_identifier").chain(all(file, "scoped_type_identifier")) {
        if let Some(owner) = file.children(path).next().and_then(|owner| meant(file, owner)) {
            members.entry(owner).or_default().push(path);
        }
    }
    members
}

fn unit(file: File<'_>, enumeration: NodeId, members: &BTreeMap<usize, Vec<NodeId>>) -> Option<Unit> {
    let list = child(&file, enumeration, "enum_variant_list")?;
    let variants: Vec<NodeId> = file.children(list).filter(|&n| is(&file, n, "enum_variant")).collect();
    let mut fields: Vec<&[u8]> = variants.iter().map(|&variant| fields(file, variant)).collect();
    fields.dedup();
    if fields.len() > 1 {
        return None;
    }
    let names = variants.iter().filter_map(|&n| child(&file, n, "identifier"));
    let names: BTreeSet<&[u8]> = names.map(|name| file.node_text(name)).collect();
    let own = child(&file, enumeration, "type_identifier")?;
    let mut units = vec![as_structure(file, enumeration, fields.first().unwrap_or(&&b""[..]))?];
    for &path in members.get(&file.bindings().of(own)?).into_iter().flatten() {
        let (Some(owner), Some(name)) = (file.children(path).next(), file.children(path).last()) else {
            continue;
        };
        if !names.contains(file.node_text(name)) {
            continue;
        }
        match file.parent(path).filter(|&n| is(&file, n, "use_declaration")) {
            None => units.push(file.cut(file.range(owner).end..file.range(name).end)),
            Some(import) => {
                let used = file.definition(name).map_or(vec![], |d| file.uses(d).collect());
                units.push(file.drop(import));
                units.extend(used.into_iter().map(|n| file.replace(n, file.node_text(own).to_vec())));
            }
        }
    }
    Some(Unit::together(units))
}

/// The fields of a variant, with their brackets.
fn fields(file: File<'_>, variant: NodeId) -> &[u8] {
    let list = file.children(variant).find(|&n| file.kind_name(n).ends_with("field_declaration_list"));
    list.map_or(b"", |list| file.node_text(list))
}
