//! Deletes the definition of a name in a text, and lets the name that a similar statement defines stand for it.

use super::defined::{Defined, defined};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "stand-ins",
    summary: "deletes the definition of a name, and lets the name that a similar definition defines stand for it",
    languages: &["text"],
    grain: Grain::Fine,
    examples: &[Example {
        language: "text",
        before: "architecture a of b is\nsignal clock : bit;\nsignal size : natural;\nbegin\nprocess (clock)\nbegin\nprint(size);\nend process;\nend;\n",
        keep: &["architecture a of b is", "begin\nprocess (", ")\nbegin\nprint(size);\nend process;\nend;\n"],
        after: "architecture a of b is\nsignal size : natural;\nbegin\nprocess (size)\nbegin\nprint(size);\nend process;\nend;\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let mut similar: BTreeMap<Vec<&[u8]>, Vec<Defined<'_>>> = BTreeMap::new();
        for defined in defined(file) {
            similar.entry(defined.keywords.clone()).or_default().push(defined);
        }
        let ways = |defined: Vec<Defined<'_>>| {
            (0..defined.len()).map(|at| ways(file, &defined, at)).collect::<Vec<_>>()
        };
        similar.into_values().flat_map(ways).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The names that are defined behind the same keywords next before and next behind a name stand for it.
fn ways(file: File<'_>, defined: &[Defined<'_>], at: usize) -> Vec<Unit> {
    let own = &defined[at];
    let beside = at.checked_sub(1).into_iter().chain([at + 1]).filter_map(|at| defined.get(at));
    let is_apart =
        |other: &&Defined<'_>| !file.is_within(other.node, own.node) && !file.is_within(own.node, other.node);
    let merged = |other: &Defined<'_>| {
        let tokens = file.tokens();
        let name = &file.text()[tokens[other.name].range()];
        let uses = own.uses.iter().map(|&used| file.write(tokens[used].range(), name));
        Unit::together(uses.chain([file.drop(own.node)]))
    };
    beside.filter(is_apart).map(merged).collect()
}
