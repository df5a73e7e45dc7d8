//! Tokens that are the same go together, everywhere.

use crate::{Base, Example, Grain, Group, Pass, Unit};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "equal-tokens",
    summary: "deletes all occurrences of a token together",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "text",
        before: "begin a end begin b end\n",
        keep: &["a", "b"],
        after: "a b\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut places: BTreeMap<&[u8], Vec<Unit>> = BTreeMap::new();
    for (file, parsed) in base.files() {
        for (first, token) in (0..).zip(&parsed.tokens) {
            let unit = Unit::Tokens { file, first, mask: 1 };
            places.entry(&parsed.text[token.range()]).or_default().push(unit);
        }
    }
    let several = places.into_values().filter(|units| units.len() > 1);
    vec![Group::deletions(several.map(|units| Unit::Together(units.into())).collect()).doubtful()]
}
