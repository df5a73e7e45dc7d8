//! Splits an assignment of several values to several variables: `a, b = 1, 2` becomes `a = 1` and `b = 2`.

use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "unpackings",
    summary: "splits an assignment of several values to several variables",
    languages: &["python"],
    pump: true,
    examples: &[Example {
        language: "python",
        before: "if x:\n    a, (b.c, *d) = e(1), (f, 2)\ng, h = i\n",
        keep: &["if x:", "a", "(b.c, *d)", "e(1)", "(f, 2)", "g, h = i"],
        after: "if x:\n    a = e(1)\n    (b.c, *d) = (f, 2)\ng, h = i\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let split = PASS
        .files(base)
        .flat_map(|file| file.with(Role::Target).filter_map(move |target| split(file, target)));
    vec![Group::deletions(split).doubtful()]
}

fn split(file: File<'_>, target: NodeId) -> Option<Unit> {
    let assignment = file.parent(target)?;
    let value = file.child_with(assignment, Role::Value)?;
    let items = |list: NodeId| {
        let is_list = file.children(list).any(|n| file.has(n, Role::Separator));
        is_list.then(|| file.named_children(list).collect::<Vec<_>>())
    };
    let (targets, values) = (items(target)?, items(value)?);
    if targets.len() != values.len() {
        return None;
    }
    let to = layout::indentation(file.text(), file.range(assignment).start)?;
    let pairs = targets.iter().zip(&values);
    let lines =
        pairs.map(|(&target, &value)| [file.node_text(target), b" = ", file.node_text(value)].concat());
    let lines: Vec<Vec<u8>> = lines.collect();
    Some(file.replace(assignment, Source::made(lines.join(&[b"\n", to].concat()[..]))))
}
