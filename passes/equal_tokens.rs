//! Deletes all tokens with the same text together.

use crate::{Base, Example, Group, Pass, Unit};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "equal-tokens",
    summary: "deletes all occurrences of a token at once",
    examples: &[Example {
        language: "text",
        before: "begin a end begin b end\n",
        keep: &["a", "b"],
        after: "a b\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let mut places: BTreeMap<&[u8], Vec<Unit>> = BTreeMap::new();
    for file in PASS.files(base) {
        for (first, token) in file.tokens().iter().enumerate() {
            places.entry(&file.text()[token.range()]).or_default().push(file.cut_tokens(first, 1));
        }
    }
    let several = places.into_values().filter(|units| units.len() > 1);
    vec![Group::deletions(several.map(Unit::together)).doubtful()]
}
