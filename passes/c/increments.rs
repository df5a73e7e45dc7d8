//! An assignment with an operator becomes an increment: `a += b` becomes `a++`.

use super::{all, first};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "increments",
    summary: "makes an assignment with an operator an increment",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "c",
        before: "int f() { a.b += c(1); d = 2; e <<= 3; }\n",
        keep: &["a.b +", "d = 2", "e <<"],
        after: "int f() { a.b ++; d = 2; e <<= 3; }\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        all(file, "assignment_expression").filter_map(move |n| increment(file, id, n)).collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect())]
}

fn increment(file: &Parsed, id: FileId, assignment: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let target = first(tree, assignment)?;
    let operator = tree.next_sibling(target).filter(|&n| file.node_text(n) != b"=")?;
    let value = tree.range(operator).end as u32..tree.range(assignment).end as u32;
    let increment = Unit::Replace { file: id, node: operator, by: Source::text("++") };
    Some(Unit::Together([increment, Unit::Cut { file: id, range: value }].into()))
}
