//! Deletes single tokens: a result from which none can be deleted is 1-minimal.

use crate::{Base, Example, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "tokens",
    summary: "deletes single tokens, at the end even if the grammar refuses the result",
    proves: true,
    examples: &[Example {
        language: "c",
        before: "static int one; int two() { return three + four; }\n",
        keep: &["one", "two(", "three +"],
        after: "one two() { three + four; }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let tokens = PASS
        .files(base)
        .flat_map(|file| (0..file.tokens().len()).map(move |first| file.cut_tokens(first, 1)));
    vec![Group::deletions(tokens).doubtful().beyond_grammar()]
}
