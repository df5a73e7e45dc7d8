//! Deletes windows of neighbouring tokens, which need not match any grammar rule.

use crate::{Base, Example, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "token-windows",
    summary: "deletes windows of neighbouring tokens, the widest first",
    examples: &[Example {
        language: "c",
        before: "static int one; int two() { return three + four; }\n",
        keep: &["one;", "two(", "four"],
        after: "one; int two() { four; }\n",
    }],
    proves_broken: true,
    plan,
    ..Pass::DEFAULT
};

/// The widest and the narrowest window, in tokens; single tokens have a pass of their own.
const WIDEST: usize = 4;
const NARROWEST: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    let group = |width: usize, offset: usize| {
        let windows = PASS.files(base).flat_map(|file| {
            let starts = offset..(file.tokens().len() + 1).saturating_sub(width);
            starts.step_by(width).map(move |first| file.cut_tokens(first, (1 << width) - 1))
        });
        Group::deletions(windows).doubtful()
    };
    let widths = (NARROWEST..=WIDEST).rev();
    widths.flat_map(|width| (0..width).map(move |offset| group(width, offset))).collect()
}
