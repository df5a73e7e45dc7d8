//! Deletes balanced brackets: with their contents, only their contents, or only the brackets.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::text::matching_brackets;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "brackets",
    summary: "deletes balanced brackets with their contents, the contents alone, or the brackets alone",
    examples: &[Example {
        language: "text",
        before: "a(b[c]) {d {e} f} g((h))\n",
        keep: &["a(", "d", "f", "h"],
        after: "a() d f g h\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let mut levels: BTreeMap<usize, Vec<Vec<Unit>>> = BTreeMap::new();
    for file in PASS.files(base) {
        for (depth, open, close) in pairs(file) {
            levels.entry(depth).or_default().push(alternatives(file, open, close));
        }
    }
    levels.into_values().map(|choices| Group::choices(choices).doubtful().beyond_grammar()).collect()
}

/// The pairs of brackets in a file, in the order of the text: how many are around each, and the indices of its tokens. O(tokens).
pub(crate) fn pairs(file: File<'_>) -> Vec<(usize, usize, usize)> {
    let (partners, _) = matching_brackets(file.text(), file.tokens());
    let mut depth = 0;
    let mut pairs = Vec::new();
    for (i, partner) in partners.iter().enumerate() {
        let Some(partner) = partner.map(|p| p as usize) else { continue };
        if partner < i {
            depth -= 1;
            continue;
        }
        pairs.push((depth, i, partner));
        depth += 1;
    }
    pairs
}

fn alternatives(file: File<'_>, open: usize, close: usize) -> Vec<Unit> {
    let (open, close) = (file.tokens()[open].range(), file.tokens()[close].range());
    let mut units = vec![file.cut(deletion(file.parsed, open.start..close.end))];
    if open.end < close.start {
        units.push(file.cut(open.end..close.start));
    }
    units.push(Unit::Unwrap { file: file.id, open: open.start as u32, close: close.start as u32 });
    units
}
