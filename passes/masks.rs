//! Some of four neighbouring tokens go, though what is between them stays.
//!
//! The patterns that token windows leave out of those of Zhang et al., "Vulcan: Local Exhaustive
//! Patterns" (in "Improving the Effectiveness of Program Reduction", OOPSLA 2023, section 4.3).

use crate::{Base, Example, Grain, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "masks",
    summary: "deletes some of four neighbouring tokens, those between them kept",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "c",
        before: "int x = one(two(three));\n",
        keep: &["int x =", "one(", "three"],
        after: "int x = one(three);\n",
    }],
    plan,
};

/// First token gone, last token gone, at least one between them kept; lowest bit first.
const MASKS: [u16; 4] = [0b101, 0b1001, 0b1011, 0b1101];

fn plan(base: &Base) -> Vec<Group> {
    let group = |mask: u16| {
        let mut units = Vec::new();
        for (file, parsed) in base.files() {
            let width = 16 - mask.leading_zeros();
            let starts = 0..(parsed.tokens.len() as u32 + 1).saturating_sub(width);
            units.extend(starts.map(|first| Unit::Tokens { file, first, mask }));
        }
        Group::deletions(units).doubtful()
    };
    MASKS.into_iter().map(group).collect()
}
