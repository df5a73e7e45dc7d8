//! Optional parts go with the punctuation or keyword that belongs to them: `= 5`, `-> int`, `as e`.

use crate::levels::levels;
use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::layout::deletion;
use lopper_languages::lexer::bracket;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "optional",
    summary: "deletes nodes together with the punctuation or keywords beside them",
    grain: Grain::Fine,
    proves: false,
    reaches: true,
    pump: false,
    examples: &[
        Example {
            language: "python",
            before: "def f(a: int = 1) -> str:\n    x: int = a\n    return x\n",
            keep: &["def f(a", "x:", " = a", "return x"],
            after: "def f(a):\n    x: int = a\n    return x\n",
        },
        Example {
            language: "c",
            before: "int a = 5, b[3];\nstruct s { int x : 2; };\n",
            keep: &["int a", " b", "struct s", "int x"],
            after: "int a, b;\nstruct s { int x; };\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(base, |file, node| {
        let tree = file.tree();
        tree.is_named(node) && node != NodeId::ROOT && !tree.has(node, Role::Comment)
    });
    let choices = |level: Vec<_>| {
        let units = level.into_iter().map(|(id, node)| companions(base.file(id), id, node));
        Group::choices(units.collect()).doubtful()
    };
    levels.into_iter().map(choices).filter(|group| !group.units().is_empty()).collect()
}

/// The node with what stands before it, behind it, or both, as far as that is punctuation or a
/// keyword and no separator (those go with their item anyway).
fn companions(file: &Parsed, id: FileId, node: NodeId) -> Vec<Unit> {
    let tree = file.tree();
    let Some(parent) = tree.parent(node) else { return Vec::new() };
    let is_companion =
        |n: &NodeId| !tree.is_named(*n) && !tree.has(*n, Role::Separator) && !tree.has(*n, Role::Terminator);
    let before = tree.children(parent).take_while(|&n| n != node).last().filter(is_companion);
    let after = tree.next_sibling(node).filter(is_companion);
    // One bracket without the other is never grammatical.
    let alone = |n: &NodeId| bracket(file.node_text(*n)).is_none();
    let start = tree.range(before.unwrap_or(node)).start;
    let end = tree.range(after.unwrap_or(node)).end;
    let own = tree.range(node);
    let mut ranges = Vec::new();
    if before.is_some() && after.is_some() && tree.range(parent) != (start..end) {
        ranges.push(start..end);
    }
    if before.filter(alone).is_some() {
        ranges.push(start..own.end);
    }
    if after.filter(alone).is_some() {
        ranges.push(own.start..end);
    }
    let cut = |range| {
        let range = deletion(file, range);
        Unit::Cut { file: id, range: range.start as u32..range.end as u32 }
    };
    ranges.into_iter().map(cut).collect()
}
