//! Replaces a pattern by one of its names, and the value that it is for by a part of the value: `for i, a in enumerate(b)` becomes
//! `for a in b`.

use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "elements",
    summary: "replaces a pattern of several names by one of them, and its value by a part of the value",
    proves: true,
    examples: &[
        Example {
            language: "python",
            before: "for i, a in enumerate(b): f(a)\nc, d = g(1), h(2)\nd()\n",
            keep: &["for ", "a in ", "b", ": f(a)", "d = ", "g(1)", "d()"],
            after: "for a in b: f(a)\nd = g(1)\nd()\n",
        },
        Example {
            language: "rust",
            before: "fn f() { for (i, a) in b.iter().enumerate() { g(a) } }\n",
            keep: &["fn f() { for ", "a", "in b", "{ g(a) } }"],
            after: "fn f() { for a in b { g(a) } }\n",
        },
        Example {
            language: "javascript",
            before: "for (const [i, a] of b.entries()) f(a);\n",
            keep: &["for (const ", "a", " of b", ") f(a);"],
            after: "for (const a of b) f(a);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How many names of a pattern and how many parts of a value are tried, the outermost first.
const PARTS: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let names = file.definitions().filter(|d| d.sort != Sort::Import).flat_map(move |d| file.places(d));
        let mut patterns: Vec<NodeId> = names.filter_map(|place| file.parent(place.name)).collect();
        patterns.sort_unstable();
        patterns.dedup();
        patterns.into_iter().map(move |pattern| ways(file, pattern))
    });
    vec![Group::choices(ways).doubtful()]
}

fn ways(file: File<'_>, pattern: NodeId) -> Vec<Unit> {
    let items = items_of(&file, pattern);
    let is_list = items.len() > 1 && items.iter().all(|&n| file.has(n, Role::Name));
    let behind = std::iter::successors(file.next_sibling(pattern), |&n| file.next_sibling(n));
    let is_value = |&n: &NodeId| file.has(n, Role::Expression) || file.has(n, Role::Value);
    let Some(value) = behind.take(2).find(is_value).filter(|_| is_list) else { return Vec::new() };
    let is_used = |n: &NodeId| file.definition(*n).is_some_and(|d| !d.uses.is_empty());
    let names = items.into_iter().rev().filter(is_used).take(PARTS);
    let is_part = |n: &NodeId| file.has(*n, Role::Expression) && !file.has(*n, Role::Literal);
    let parts: Vec<NodeId> = file.descendants(value).filter(is_part).take(PARTS).collect();
    let unit = |name, part| Unit::together([file.replace(pattern, name), file.replace(value, part)]);
    names.flat_map(|name| parts.iter().rev().map(move |&part| unit(name, part)).collect::<Vec<_>>()).collect()
}
