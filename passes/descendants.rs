//! A node gives way to a descendant that fits its place.
//!
//! After Sun et al., "Perses: Syntax-Guided Program Reduction" (ICSE 2018), section 3.3: what fits is
//! of the same kind, shares a supertype, or is taken by the parser in that state.

use crate::levels::{has_tokens, levels};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use lopper_languages::{Fit, Parsed};
use std::collections::VecDeque;

pub(crate) const PASS: Pass = Pass {
    name: "descendants",
    summary: "replaces a node by a descendant that fits its place (an expression by an operand)",
    grain: Grain::Coarse,
    proves: false,
    pump: false,
    examples: &[
        Example {
            language: "python",
            before: "x = f(a + g(b)[1:2])\n@d\ndef h(): pass\n",
            keep: &["x", "g(b)", "def h"],
            after: "x = g(b)\ndef h(): pass\n",
        },
        Example {
            language: "c",
            before: "int a = 1 + (b ? c : d);\nint *p[3];\n",
            keep: &["int a", "c", "int", "p"],
            after: "int a = c;\nint p;\n",
        },
    ],
    plan,
};

/// How many alternatives a node gets, and how far below it they are looked for: a descendant that
/// is deeper is reached in several steps.
const ALTERNATIVES: usize = 8;
const DEPTH: usize = 4;
const VISITED: usize = 64;

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(base, |file, node| {
        let tree = file.tree();
        // A string with expressions in it is one token, too.
        let has_parts = has_tokens(file, node, 2) || tree.has(node, Role::Literal);
        tree.is_named(node) && node != NodeId::ROOT && !tree.is_leaf(node) && has_parts
    });
    let choices = |level: Vec<_>| {
        let units = level.into_iter().map(|(id, node)| alternatives(base.file(id), id, node));
        Group::choices(units.collect()).doubtful()
    };
    levels.into_iter().map(choices).filter(|group| !group.units().is_empty()).collect()
}

/// The descendants that fit the node's place, best fit first, then breadth first. Nodes that span
/// the same bytes as their parent are no step down.
fn alternatives(file: &Parsed, id: FileId, slot: NodeId) -> Vec<Unit> {
    let tree = file.tree();
    let mut found: Vec<(Fit, NodeId)> = Vec::new();
    let mut queue = VecDeque::from([(slot, 0)]);
    let mut visited = 0;
    while let Some((node, depth)) = queue.pop_front() {
        for child in tree.children(node).filter(|&n| tree.is_named(n) && !tree.has(n, Role::Comment)) {
            visited += 1;
            if visited > VISITED {
                break;
            }
            let same = tree.range(child) == tree.range(slot);
            if !same {
                let fit = file.language.fit(file, slot, child);
                if fit < Fit::Unlikely && found.iter().all(|f| tree.range(f.1) != tree.range(child)) {
                    found.push((fit, child));
                }
            }
            let below = depth + usize::from(!same);
            if below < DEPTH {
                queue.push_back((child, below));
            }
        }
    }
    found.sort_by_key(|(fit, _)| *fit);
    found.truncate(ALTERNATIVES);
    let unit = |(_, n)| Unit::Replace { file: id, node: slot, by: Source::Node(n) };
    found.into_iter().map(unit).collect()
}
