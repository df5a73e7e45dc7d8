//! Moves what a `where` clause demands of a type parameter to the parameter itself.

use crate::c::{all, child};
use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "bounds",
    summary: "moves the bounds of a where clause to the type parameters",
    languages: &["rust"],
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "impl<T> A for B<T> where T: C + D {}\n",
            keep: &["A for B<T>", "T: C + D"],
            after: "impl<T: C + D> A for B<T> {}\n",
        },
        Example {
            language: "rust",
            before: "trait A<T, U: B> where T: C, Self: D, T: E, U: F {\n    fn f<'a, 'b>(x: T) where T: G, 'a: 'b;\n}\n",
            keep: &["trait A<T", "Self: D", "where T: G"],
            after: "trait A<T: C + E, U: B + F> where Self: D {\n    fn f<'a: 'b, 'b>(x: T) where T: G;\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways =
        PASS.files(base).flat_map(|file| all(file, "where_clause").map(move |clause| ways(file, clause)));
    vec![Group::choices(ways).doubtful()]
}

/// All bounds that have a parameter to move to, or one of them.
fn ways(file: File<'_>, clause: NodeId) -> Vec<Unit> {
    let list = file.parent(clause).and_then(|owner| child(&file, owner, "type_parameters"));
    let parameters = list.map_or(vec![], |list| items_of(&file, list));
    let named = |parameter: NodeId| Some((file.node_text(file.named_children(parameter).next()?), parameter));
    let named: BTreeMap<&[u8], NodeId> = parameters.into_iter().filter_map(named).collect();
    let predicates = items_of(&file, clause);
    let count = predicates.len();
    let moved = predicates.into_iter().filter_map(|predicate| {
        let mut parts = file.named_children(predicate);
        let (parameter, bounds) = (named.get(file.node_text(parts.next()?))?, parts.last()?);
        Some(Moved { predicate, parameter: *parameter, bounds })
    });
    let moved: Vec<Moved> = moved.collect();
    let all = (moved.len() > 1).then(|| moving(file, clause, count, &moved));
    all.into_iter().chain(moved.chunks(1).map(|one| moving(file, clause, count, one))).collect()
}

struct Moved {
    predicate: NodeId,
    parameter: NodeId,
    bounds: NodeId,
}

fn moving(file: File<'_>, clause: NodeId, count: usize, moved: &[Moved]) -> Unit {
    let mut added: BTreeMap<NodeId, Vec<u8>> = BTreeMap::new();
    for Moved { parameter, bounds, .. } in moved {
        let text = file.node_text(*bounds).strip_prefix(b":").unwrap_or_default().trim_ascii();
        let is_bounded = child(&file, *parameter, "trait_bounds").is_some();
        let by = added.entry(*parameter).or_default();
        by.extend_from_slice(if is_bounded || !by.is_empty() { b" + " } else { b": " });
        by.extend_from_slice(text);
    }
    let added = added.into_iter().filter_map(|(parameter, text)| {
        let place =
            child(&file, parameter, "trait_bounds").or_else(|| file.named_children(parameter).next())?;
        let end = file.range(place).end;
        Some(file.write(end..end, text))
    });
    let mut units: Vec<Unit> = added.collect();
    match moved.len() == count {
        true => units.push(file.drop(clause)),
        false => units.extend(moved.iter().map(|moved| file.drop(moved.predicate))),
    }
    Unit::together(units)
}
