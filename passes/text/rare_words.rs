//! Deletes all parts of a text that mention a rare word: a member of an interface, and the one that implements it.

use super::defined::{SMALL, places};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "rare-words",
    summary: "deletes all parts of a text that mention a rare word",
    languages: &["text"],
    examples: &[Example {
        language: "text",
        before: "interface A {\n  int f(int n);\n  int g();\n}\nclass B : A {\n  int f(int n) { return n; }\n  int g() { }\n}\n",
        keep: &["interface A {", "int g();", "class B : A {", "int g() { }"],
        after: "interface A {\n  int g();\n}\nclass B : A {\n  int g() { }\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// A word with more places is not rare.
const MOST: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let small = PASS.files(base).filter(|file| file.tokens().len() <= SMALL);
    let ways = small.flat_map(|file| {
        let rare = places(file).into_values().filter(|places| (2..=MOST).contains(&places.len()));
        rare.map(move |places| ways(file, &places)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The smallest parts, and the smallest statements, around these tokens go.
fn ways(file: File<'_>, tokens: &[usize]) -> Vec<Unit> {
    let around = |is_whole: &dyn Fn(NodeId) -> bool| {
        let mut parts: Vec<NodeId> = Vec::new();
        for &at in tokens {
            let word = file.innermost_at(file.tokens()[at].range());
            let part = word.and_then(|word| file.ancestors(word).find(|&n| is_whole(n)));
            // The first of two nested parts is the outer one.
            if let Some(part) = part.filter(|&part| !parts.iter().any(|&outer| file.is_within(part, outer))) {
                parts.retain(|&inner| !file.is_within(inner, part));
                parts.push(part);
            }
        }
        parts
    };
    let mut all = vec![
        around(&|n| file.is_optional(n) && n != NodeId::ROOT),
        around(&|n| file.has(n, Role::Statement)),
    ];
    all.dedup();
    // All in one part: other passes delete that.
    let several = all.into_iter().filter(|parts| parts.len() > 1);
    several.map(|parts| Unit::together(parts.into_iter().map(|part| file.drop(part)))).collect()
}
