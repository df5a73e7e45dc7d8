//! Deletes all parts of a text that mention a rare word: a member of an interface, and the one that implements it.

use super::defined::{SMALL, places};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "rare-words",
    summary: "deletes all parts of a text that mention a rare word",
    languages: &["text"],
    examples: &[
        Example {
            language: "text",
            before: "interface A {\n  int f(int n);\n  int g();\n}\nclass B : A {\n  int f(int n) { return n; }\n  int g() { }\n}\n",
            keep: &["interface A {", "int g();", "class B : A {", "int g() { }"],
            after: "interface A {\n  int g();\n}\nclass B : A {\n  int g() { }\n}\n",
        },
        Example {
            language: "text",
            before: "package p;\nendpackage\nmodule m import p::*; #(parameter n = 1);\nendmodule\n",
            keep: &["module m ", "#(parameter n = 1);"],
            after: "module m #(parameter n = 1);\nendmodule\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A word with more places is not rare.
const MOST: usize = 4;
/// The most tokens of a clause, from the rare word on.
const CLAUSE: usize = 8;

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
    let dropped = |parts: Vec<NodeId>| Unit::together(parts.into_iter().map(|part| file.drop(part)));
    with_clauses(file, tokens).into_iter().chain(several.map(dropped)).collect()
}

/// The statement around the statement of the first of these tokens goes, or that statement, and of the statements around the others only
/// the clauses that mention the word: from the word before it to the next semicolon, as `import p::*;` in `module m import p::*; (`.
fn with_clauses(file: File<'_>, tokens: &[usize]) -> Vec<Unit> {
    let Some((&first, others)) = tokens.split_first() else { return Vec::new() };
    let all = file.tokens();
    let clause = |&at: &usize| {
        let end = (at..all.len()).take(CLAUSE).find(|&at| &file.text()[all[at].range()] == b";")?;
        Some(deletion(file.parsed, all[at.checked_sub(1)?].range().start..all[end].range().end))
    };
    let Some(clauses) = others.iter().map(clause).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let word = file.innermost_at(all[first].range());
    let around = word.into_iter().flat_map(|word| file.ancestors(word));
    let statements: Vec<NodeId> = around.filter(|&n| file.has(n, Role::Statement)).take(2).collect();
    let is_apart = |n: &NodeId| clauses.iter().all(|clause| file.range(*n).end <= clause.start);
    let are_apart = clauses.windows(2).all(|pair| pair[0].end <= pair[1].start);
    let cuts = || clauses.iter().map(|clause| file.cut(clause.clone()));
    statements
        .into_iter()
        .rev()
        .filter(|n| are_apart && is_apart(n))
        .map(|n| Unit::together(cuts().chain([file.drop(n)])))
        .collect()
}
