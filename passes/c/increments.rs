//! Replaces an augmented assignment by an increment: `a += b` becomes `a++`.

use super::{FAMILY, all, first};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "increments",
    summary: "replaces an augmented assignment by an increment",
    languages: FAMILY,
    examples: &[
        Example {
            language: "c",
            before: "int f() { a.b += c(1); d = 2; e <<= 3; }\n",
            keep: &["a.b +", "d = 2", "e <<"],
            after: "int f() { a.b ++; d = 2; e <<= 3; }\n",
        },
        Example {
            language: "cpp",
            before: "int f(s &a) { a.b += c(1); }\n",
            keep: &["a.b +"],
            after: "int f(s &a) { a.b ++; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let increments = PASS
        .files(base)
        .flat_map(|file| all(file, "assignment_expression").filter_map(move |n| increment(file, n)));
    vec![Group::deletions(increments)]
}

fn increment(file: File<'_>, assignment: NodeId) -> Option<Unit> {
    let target = first(&file, assignment)?;
    let operator = file.next_sibling(target).filter(|&n| file.node_text(n) != b"=")?;
    let value = file.range(operator).end..file.range(assignment).end;
    let increment = file.replace(operator, "++");
    Some(Unit::together([increment, file.cut(value)]))
}
