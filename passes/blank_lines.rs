//! Blank lines go, but not inside strings.

use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "blank-lines",
    summary: "deletes blank lines",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "python",
        before: "\na = '''\n\n'''\n  \n\nb\n\n",
        keep: &[],
        after: "a = '''\n\n'''\nb\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (id, file) in base.files() {
        let tree = file.tree();
        let is_verbatim = |node: &_| tree.has(*node, Role::Verbatim);
        let verbatim: Vec<Range<usize>> = tree.nodes().filter(is_verbatim).map(|n| tree.range(n)).collect();
        let mut start = 0;
        for line in file.text.split_inclusive(|&c| c == b'\n') {
            let end = start + line.len();
            let enclosing = verbatim.partition_point(|r| r.start < start).checked_sub(1);
            let inside = enclosing.is_some_and(|i| start < verbatim[i].end);
            if line.trim_ascii().is_empty() && !inside {
                units.push(Unit::Cut { file: id, range: start as u32..end as u32 });
            }
            start = end;
        }
    }
    vec![Group::deletions(units)]
}
