//! Deletes blank lines, except inside strings.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "blank-lines",
    summary: "deletes blank lines",
    examples: &[Example {
        language: "python",
        before: "\na = '''\n\n'''\n  \n\nb\n\n",
        keep: &[],
        after: "a = '''\n\n'''\nb\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    vec![Group::deletions(PASS.files(base).flat_map(blank_lines))]
}

fn blank_lines(file: File<'_>) -> Vec<Unit> {
    let verbatim: Vec<Range<usize>> = file.with(Role::Verbatim).map(|n| file.range(n)).collect();
    let is_blank = |line: &Range<usize>| {
        let enclosing = verbatim.partition_point(|r| r.start < line.start).checked_sub(1);
        let inside = enclosing.is_some_and(|i| line.start < verbatim[i].end);
        file.text()[line.clone()].trim_ascii().is_empty() && !inside
    };
    file.lines().filter(is_blank).map(|line| file.cut(line)).collect()
}
