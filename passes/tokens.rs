//! A token goes: what is left when none can go is 1-minimal.

use crate::{Base, Example, Grain, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "tokens",
    summary: "deletes single tokens, in the end also where the grammar refuses it",
    grain: Grain::Fine,
    proves: true,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "c",
        before: "static int one; int two() { return three + four; }\n",
        keep: &["one", "two(", "three +"],
        after: "one two() { three + four; }\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let of_file = |(file, parsed): (_, &std::sync::Arc<lopper_languages::Parsed>)| {
        (0..parsed.tokens.len() as u32).map(move |first| Unit::Tokens { file, first, mask: 1 })
    };
    vec![Group::deletions(base.files().flat_map(of_file).collect()).doubtful().beyond_grammar()]
}
