//! Some of four neighbouring tokens go, though what is between them stays.
//!
//! The patterns that token windows leave out of those of Zhang et al., "Vulcan: Local Exhaustive
//! Patterns" (in "Improving the Effectiveness of Program Reduction", OOPSLA 2023, section 4.3).

use crate::{Base, Example, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "masks",
    summary: "deletes some of four neighbouring tokens, and keeps those between them",
    examples: &[Example {
        language: "c",
        before: "int x = one(two(three));\n",
        keep: &["int x =", "one(", "three"],
        after: "int x = one(three);\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// First token gone, last token gone, at least one between them kept; lowest bit first.
const MASKS: [u16; 4] = [0b101, 0b1001, 0b1011, 0b1101];

fn plan(base: &Base) -> Vec<Group> {
    let group = |mask: u16| {
        let width = 16 - mask.leading_zeros() as usize;
        let gone = PASS.files(base).flat_map(|file| {
            let starts = 0..(file.tokens().len() + 1).saturating_sub(width);
            starts.map(move |first| file.cut_tokens(first, mask))
        });
        Group::deletions(gone).doubtful()
    };
    MASKS.into_iter().map(group).collect()
}
