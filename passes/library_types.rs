//! Deletes a type, and lets its uses name a type that the program does not define, such as one of a library.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "library-types",
    summary: "deletes a type, and lets its uses name a type that is defined elsewhere",
    examples: &[
        Example {
            language: "cpp",
            before: "std::suspend_always f();\nstruct s { int await_ready() noexcept; };\ns g() { return s(1); }\n",
            keep: &["f()", "g() {", "(1)"],
            after: "std::suspend_always f();\nstd::suspend_always g() { return std::suspend_always(1); }\n",
        },
        Example {
            language: "java",
            before: "class A {\n    Runnable a;\n    class B { int b; }\n    B c;\n}\n",
            keep: &["class A", "Runnable a", " c"],
            after: "class A {\n    Runnable a;\n    Runnable c;\n}\n",
        },
        Example {
            language: "rust",
            before: "struct S { a: u8, b: u8 }\nfn f(s: S, t: String) { g(s); }\n",
            keep: &["fn f(s: ", ", t: String", "g(s)"],
            after: "fn f(s: String, t: String) { g(s); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of types that are tried in the place of one.
const TYPES: usize = 3;
/// A type with more tokens is left alone.
const LONGEST: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let types = foreign(file);
        file.definitions().map(move |definition| ways(file, definition, &types)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The types in a file that have names, but none of the file's own definitions, the most frequent ones first. Built-in types are
/// the shortest texts that may stand for a type, which other passes try. O(nodes log nodes).
pub(crate) fn foreign(file: File<'_>) -> Vec<&[u8]> {
    let own: BTreeSet<&[u8]> = file.definitions().map(|d| file.node_text(d.places[0].name)).collect();
    let has_name =
        |node| std::iter::once(node).chain(file.descendants(node)).any(|n| file.has(n, Role::Name));
    let is_foreign = |&node: &NodeId| {
        let tokens = file.tokens_in(file.range(node));
        let is_short = tokens.len() <= LONGEST;
        is_short && has_name(node) && tokens.iter().all(|token| !own.contains(&file.text()[token.range()]))
    };
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    for node in file.with(Role::Type).filter(is_foreign) {
        *counts.entry(file.node_text(node)).or_default() += 1;
    }
    let mut types: Vec<(&[u8], usize)> = counts.into_iter().collect();
    types.sort_by_key(|(text, count)| (Reverse(*count), text.len()));
    types.into_iter().map(|(text, _)| text).collect()
}

fn ways(file: File<'_>, definition: &Definition, types: &[&[u8]]) -> Vec<Unit> {
    if definition.sort != Sort::Type || definition.uses.is_empty() {
        return Vec::new();
    }
    let name = |text: &&&[u8]| {
        let uses = file.uses(definition).map(|used| file.replace(used, text.to_vec()));
        Unit::together(uses.chain(file.places(definition).map(|place| file.drop(place.whole))))
    };
    types.iter().take(TYPES).map(|text| name(&text)).collect()
}
