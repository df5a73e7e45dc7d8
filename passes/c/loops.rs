//! A loop becomes less than one: what happens before it and its body once, or a simpler loop.

use super::{all, child};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "loops",
    summary: "unrolls a loop to one round, or makes it a simpler one: `for` to `while` to `if`",
    grain: Grain::Fine,
    proves: false,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "int main() { for (i = 0; i < 9; i++) f(i); for (;a; b) c(); while (d) e(); }\n",
            keep: &["i = 0", "f(", "a", "c()", "(d)"],
            after: "int main() { i = 0;f(i); if (a) c(); if (d) e(); }\n",
        },
        Example {
            language: "c",
            before: "int main() { for (int i = 0; i < 9; i++) { f(i); } do g(); while (x); }\n",
            keep: &["int i = 0", "f(i)", "g()"],
            after: "int main() { int i = 0;{ f(i); } do g(); while (x); }\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut choices = Vec::new();
    for (id, file) in base.files() {
        choices.extend(all(file, "for_statement").map(|node| simpler_for(file, id, node)));
        let whiles = all(file, "while_statement").filter_map(|node| child(file.tree(), node, "while"));
        choices.extend(whiles.map(|node| vec![Unit::Replace { file: id, node, by: Source::text("if") }]));
    }
    vec![Group::choices(choices).doubtful()]
}

/// One round without the condition, or a `while` with nothing but the condition.
fn simpler_for(file: &Parsed, id: FileId, node: NodeId) -> Vec<Unit> {
    let tree = file.tree();
    let children: Vec<NodeId> = tree.children(node).collect();
    let at = |kind: &str| children.iter().position(|&n| tree.kind_name(n) == kind);
    let (Some(open), Some(close), Some(body)) = (at("("), at(")"), children.last()) else {
        return Vec::new();
    };
    let start = |n: NodeId| tree.range(n).start as u32;
    let end = |n: NodeId| tree.range(n).end as u32;
    let cut = |from: u32, to: u32| Unit::Cut { file: id, range: from..to };
    let inside = &children[open + 1..close];
    let mut ways = Vec::new();
    // Of the two semicolons, a declaration has the first.
    let is_end = |n: &&NodeId| tree.kind_name(**n) == ";" || tree.has(**n, Role::Statement);
    let mut ends = inside.iter().filter(is_end);
    let (Some(&first), Some(&second)) = (ends.next(), ends.next()) else { return Vec::new() };
    if inside.first().is_some_and(|&n| n != first || tree.is_named(n)) {
        let units = [cut(start(node), start(inside[0])), cut(end(first), start(*body))];
        ways.push(Unit::Together(units.into()));
    }
    let keyword = Unit::Replace { file: id, node: children[0], by: Source::text("while") };
    let condition = [cut(end(children[open]), end(first)), cut(start(second), start(children[close]))];
    ways.push(Unit::Together(std::iter::once(keyword).chain(condition).collect()));
    ways
}
