//! Deletes definitions that nothing uses, each with the definitions that only it uses, in large batches.
//!
//! Most of a preprocessed C++ program is of this sort: a library, whose headers use each other. Unlike the pass
//! `definitions`, a unit never takes along a part that something else uses, so many units succeed together. In
//! C and Python, that pass alone takes about as many runs.

use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "unused",
    summary: "deletes definitions that nothing uses, with what only they use, if a file has many of them",
    languages: &["cpp"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "cpp",
        before: "typedef int t;\nint two(t x) { return x; }\nint one() { return two(A); }\nint A, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y;\nint main() { return A; }\n",
        keep: &["main", "A", "y;"],
        after: "int A, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x, y;\nint main() { return A; }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// A file with fewer unused definitions is left to other passes, whose units go further.
const MANY: usize = 24;

/// A definition with more dependents than this is left to other passes.
const MOST: usize = 256;

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let unused = file.definitions().filter_map(|definition| unused(file, definition));
        let unused: Vec<Unit> = unused.collect();
        if unused.len() < MANY { Vec::new() } else { unused }
    });
    vec![Group::deletions(units).doubtful()]
}

/// Deletes a definition that only its own text uses, and then those that only the deleted text uses.
fn unused(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let bindings = file.bindings();
    let mut gone: Vec<NodeId> = Vec::new();
    if !goes(file, definition, &mut gone) {
        return None;
    }
    let mut at = 0;
    while let Some(&whole) = gone.get(at) {
        at += 1;
        for (_, index) in bindings.within(&file, whole) {
            if gone.len() > MOST {
                break;
            }
            goes(file, &bindings.definitions()[index], &mut gone);
        }
    }
    gone.sort_unstable();
    Some(Unit::together(gone.into_iter().map(|node| file.drop(node))))
}

/// Adds the places of a definition to what is gone, if it has no use outside of it.
fn goes(file: File<'_>, definition: &Definition, gone: &mut Vec<NodeId>) -> bool {
    if matches!(definition.sort, Sort::Parameter | Sort::Namespace | Sort::Label)
        || definition.places.len() + definition.uses.len() > MOST
    {
        return false;
    }
    let known = gone.len();
    for place in file.places(definition) {
        if !is_within_any(&file, place.whole, gone) {
            gone.push(place.whole);
        }
    }
    let is_new = gone.len() > known;
    let goes = is_new && file.uses(definition).all(|name| is_within_any(&file, name, gone));
    if !goes {
        gone.truncate(known);
    }
    goes
}

fn is_within_any(tree: &Tree, node: NodeId, nodes: &[NodeId]) -> bool {
    nodes.iter().any(|&n| tree.is_within(node, n))
}
