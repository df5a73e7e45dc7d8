//! Deletes the definition of a name in a text, and lets the name that a similar statement defines stand for it.

use super::defined::{Defined, defined};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};

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

/// The number of names that are tried in the place of a name.
const STAND_INS: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let defined = defined(file);
        (0..defined.len()).map(|at| ways(file, &defined, at)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The closest names that are defined behind the same keywords stand for a name.
fn ways(file: File<'_>, defined: &[Defined<'_>], at: usize) -> Vec<Unit> {
    let own = &defined[at];
    let is_apart =
        |other: &Defined<'_>| !file.is_within(other.node, own.node) && !file.is_within(own.node, other.node);
    let mut others: Vec<usize> = (0..defined.len())
        .filter(|&other| other != at && defined[other].keywords == own.keywords && is_apart(&defined[other]))
        .collect();
    others.sort_by_key(|other| other.abs_diff(at));
    let merged = |other: usize| {
        let tokens = file.tokens();
        let name = &file.text()[tokens[defined[other].name].range()];
        let uses = own.uses.iter().map(|&used| file.write(tokens[used].range(), name));
        Unit::together(uses.chain([file.drop(own.node)]))
    };
    others.into_iter().take(STAND_INS).map(merged).collect()
}
