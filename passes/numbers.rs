//! Makes numbers that name things small, at all of their places at once: the variables of a formula, labels, ids.

use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "numbers",
    summary: "makes a number that occurs several times small, at all of its places",
    languages: &["text"],
    examples: &[Example {
        language: "text",
        before: "p 2\n731 -45 0\n45 -731 0\n1 0\n",
        keep: &["p 2", "1 0"],
        after: "p 2\n3 -4 0\n4 -3 0\n1 0\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    vec![Group::deletions(PASS.files(base).flat_map(renamings))]
}

/// A unit for each number with several places that is larger than the free number which it gets. The largest number
/// gets the smallest free one, and no two get the same, so any of them can be renamed together. O(nodes log nodes).
fn renamings(file: File<'_>) -> Vec<Unit> {
    let places = places(file);
    let taken: BTreeSet<u64> = places.keys().copied().collect();
    let mut free = (1..).filter(|number| !taken.contains(number));
    let mut units = Vec::new();
    for (number, places) in places.iter().rev().filter(|(_, places)| places.len() > 1) {
        let Some(smaller) = free.next().filter(|smaller| smaller < number) else { break };
        let by = smaller.to_string();
        units
            .push(Unit::together(places.iter().map(|&node| file.replace(node, Source::made(by.as_bytes())))));
    }
    units
}

/// The numbers of a file, with their places. Numbers that are written with leading zeros, and zero, are none.
fn places(file: File<'_>) -> BTreeMap<u64, Vec<NodeId>> {
    let mut places: BTreeMap<u64, Vec<NodeId>> = BTreeMap::new();
    let tree = file.tree();
    for node in tree.nodes().filter(|&node| tree.is_leaf(node)) {
        let text = file.node_text(node);
        if text.iter().all(u8::is_ascii_digit)
            && text.first().is_some_and(|&digit| digit != b'0')
            && let Some(number) = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok())
        {
            places.entry(number).or_default().push(node);
        }
    }
    places
}
