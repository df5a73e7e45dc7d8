//! Lines go, whatever is on them: the one pass that needs no structure at all.

use crate::{Base, Example, Grain, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "lines",
    summary: "deletes lines",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "text",
        before: "one\n  two (2)\nthree\n\nfour",
        keep: &["two (2)", "four"],
        after: "  two (2)\nfour",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (id, file) in base.files() {
        let mut start = 0;
        for line in file.text.split_inclusive(|&c| c == b'\n') {
            let end = start + line.len() as u32;
            units.push(Unit::Cut { file: id, range: start..end });
            start = end;
        }
    }
    vec![Group::deletions(units).beyond_grammar()]
}
