//! Windows of neighbouring tokens go: what no grammar rule would call a unit.

use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::layout::with_blanks;

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

fn plan(base: &Base) -> Vec<Group> {
    let mut groups = Vec::new();
    for width in (1..=WIDEST).rev() {
        for offset in 0..width {
            let mut units = Vec::new();
            for (id, file) in base.files() {
                let tokens = file.tokens.get(offset..).unwrap_or_default();
                for window in tokens.chunks_exact(width) {
                    let (first, last) = (window[0], window[width - 1]);
                    let range = with_blanks(&file.text, first.start as usize..last.end as usize);
                    units.push(Unit::Cut { file: id, range: range.start as u32..range.end as u32 });
                }
            }
            if !units.is_empty() {
                groups.push(Group::deletions(units).doubtful());
            }
        }
    }
    groups
}
