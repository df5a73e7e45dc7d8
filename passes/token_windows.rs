//! Windows of neighbouring tokens go: what no grammar rule would call a unit.

use crate::{Base, Example, Grain, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "token-windows",
    summary: "deletes windows of neighbouring tokens, from wide to narrow",
    grain: Grain::Fine,
    examples: &[Example {
        language: "c",
        before: "static int one; int two() { return three + four; }\n",
        keep: &["one;", "two(", "four"],
        after: "one; int two() { four; }\n",
    }],
    plan,
};

/// The widest window, in tokens.
const WIDEST: usize = 8;
/// The widest window that is worth a run where the grammar refuses it.
const WIDEST_BEYOND_GRAMMAR: usize = 3;

fn plan(base: &Base) -> Vec<Group> {
    let mut groups = Vec::new();
    for width in (1..=WIDEST).rev() {
        for offset in 0..width {
            let mut units = Vec::new();
            for (file, parsed) in base.files() {
                let mask = (1 << width) - 1;
                let starts = (offset..(parsed.tokens.len() + 1).saturating_sub(width)).step_by(width);
                units.extend(starts.map(|first| Unit::Tokens { file, first: first as u32, mask }));
            }
            let group = Group::deletions(units).doubtful();
            groups.push(if width <= WIDEST_BEYOND_GRAMMAR { group.beyond_grammar() } else { group });
        }
    }
    groups
}
