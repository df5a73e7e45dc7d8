//! Deletes blanks at the ends of lines, except inside strings that span lines.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "trailing-blanks",
    summary: "deletes blanks at the ends of lines",
    examples: &[Example {
        language: "python",
        before: "a = 1  \nb = '''  \n'''\nc = 2\t\n",
        keep: &["a", "c = 2\t"],
        after: "a = 1\nb = '''  \n'''\nc = 2\t\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    vec![Group::deletions(PASS.files(base).flat_map(trailing_blanks))]
}

fn trailing_blanks(file: File<'_>) -> Vec<Unit> {
    let verbatim: Vec<Range<usize>> = file.with(Role::Verbatim).map(|n| file.range(n)).collect();
    let blanks = file.lines().filter_map(|line| {
        let text = &file.text()[line.clone()];
        let kept = line.start + text.trim_ascii_end().len();
        let end = line.start + text.strip_suffix(b"\n").unwrap_or(text).len();
        let inside = verbatim.iter().any(|r| r.start < end && end < r.end);
        (kept < end && !inside).then(|| file.cut(kept..end))
    });
    blanks.collect()
}
