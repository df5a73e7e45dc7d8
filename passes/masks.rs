//! Deletes some of up to four neighbouring tokens, but keeps a token between them.
//!
//! The patterns of Zhang et al., "Vulcan: Local Exhaustive Patterns" (in "Improving the Effectiveness of
//! Program Reduction", OOPSLA 2023, section 4.3), except those that token windows already cover.

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

/// The first and the last token are deleted, and at least one token between them is kept; lowest bit first.
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
