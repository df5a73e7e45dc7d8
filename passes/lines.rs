//! Deletes lines, whatever they contain: the one pass that needs no structure at all.

use crate::{Base, Example, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "lines",
    summary: "deletes lines",
    examples: &[Example {
        language: "text",
        before: "one\n  two (2)\nthree\n\nfour",
        keep: &["two (2)", "four"],
        after: "  two (2)\nfour",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let lines = PASS.files(base).flat_map(|file| file.lines().map(move |line| file.cut(line)));
    vec![Group::deletions(lines).beyond_grammar()]
}
