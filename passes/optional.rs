//! Deletes optional parts with the punctuation or keyword that belongs to them: `= 5`, `-> int`, `as e`.

use crate::levels::levels;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::lexer::bracket;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "optional",
    summary: "deletes optional nodes with the punctuation or keywords beside them",
    reaches: true,
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
        Example {
            language: "javascript",
            before: "const a = 1;\nlet b = 2;\nvar [c] = d;\n",
            keep: &["const a", "let b", "var [c]"],
            after: "const a = 1;\nlet b;\nvar [c] = d;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(PASS.files(base), |file, node| {
        let may_go = !file.has(node, Role::Comment) && !file.has(node, Role::Needed);
        file.is_named(node) && node != NodeId::ROOT && may_go
    });
    let choices = |level: Vec<_>| {
        let units = level.into_iter().map(|(file, node)| companions(file, node));
        Group::choices(units).doubtful()
    };
    levels.into_iter().map(choices).filter(|group| !group.units().is_empty()).collect()
}

/// The node together with the token before it, the token behind it, or both, if these are punctuation or
/// keywords, but not separators (which are deleted with their items anyway).
fn companions(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let Some(parent) = file.parent(node) else { return Vec::new() };
    let is_companion =
        |n: &NodeId| !file.is_named(*n) && !file.has(*n, Role::Separator) && !file.has(*n, Role::Terminator);
    let before = file.children(parent).take_while(|&n| n != node).last().filter(is_companion);
    let after = file.next_sibling(node).filter(is_companion);
    // Deleting only one of two brackets is never grammatical.
    let alone = |n: &NodeId| bracket(file.node_text(*n)).is_none();
    let start = file.range(before.unwrap_or(node)).start;
    let end = file.range(after.unwrap_or(node)).end;
    let own = file.range(node);
    let mut ranges = Vec::new();
    if before.is_some() && after.is_some() && file.range(parent) != (start..end) {
        ranges.push(start..end);
    }
    if before.filter(alone).is_some() {
        ranges.push(start..own.end);
    }
    if after.filter(alone).is_some() {
        ranges.push(own.start..end);
    }
    let cut = |range| {
        let range = deletion(file.parsed, range);
        file.cut(range.start..range.end)
    };
    ranges.into_iter().map(cut).collect()
}
