//! Windows of neighbouring tokens go: what no grammar rule would call a unit.

use crate::{Base, Example, Grain, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "token-windows",
    summary: "deletes windows of neighbouring tokens, from wide to narrow",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "c",
        before: "static int one; int two() { return three + four; }\n",
        keep: &["one;", "two(", "four"],
        after: "one; int two() { four; }\n",
    }],
    plan,
};

/// The widest window, in tokens, and the narrowest: a single token is a pass of its own.
const WIDEST: usize = 4;
const NARROWEST: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    let mut groups = Vec::new();
    for width in (NARROWEST..=WIDEST).rev() {
        for offset in 0..width {
            let mut units = Vec::new();
            for (file, parsed) in base.files() {
                let mask = (1 << width) - 1;
                let starts = (offset..(parsed.tokens.len() + 1).saturating_sub(width)).step_by(width);
                units.extend(starts.map(|first| Unit::Tokens { file, first: first as u32, mask }));
            }
            groups.push(Group::deletions(units).doubtful());
        }
    }
    groups
}
