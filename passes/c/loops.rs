//! A loop becomes less than one: what happens before it and its body once, or a simpler loop.

use super::child;
use crate::levels::has_tokens;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "loops",
    summary: "unrolls a loop to a round or two, or makes it a simpler one: `for`, `do` to `while` to `if`",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: true,
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
            keep: &["int i = 0", "f(i)", "while (x)"],
            after: "int main() { int i = 0;{ f(i); } while (x) g(); }\n",
        },
        Example {
            language: "c",
            before: "int main() { for (i = 0; i < 2; i++) f(i); }\n",
            keep: &["i = 0", "f(i", "i++"],
            after: "int main() { i = 0; f(i); i++; f(i); }\n",
        },
    ],
    plan,
};

/// A loop whose body has more tokens is not worth writing down twice.
const LONG: usize = 32;

fn plan(base: &Base) -> Vec<Group> {
    let mut choices = Vec::new();
    for (id, file) in base.files() {
        choices.extend(file.tree().nodes().map(|node| match file.tree().kind_name(node) {
            "for_statement" => ways_of_for(file, id, node),
            "while_statement" => ways_of_while(file, id, node),
            "do_statement" => ways_of_do(file, id, node),
            _ => Vec::new(),
        }));
    }
    vec![Group::choices(choices).doubtful()]
}

/// One round without the condition, a `while` with nothing but the condition, or two rounds.
fn ways_of_for(file: &Parsed, id: FileId, node: NodeId) -> Vec<Unit> {
    let tree = file.tree();
    let children: Vec<NodeId> = tree.children(node).collect();
    let at = |kind: &str| children.iter().position(|&n| tree.kind_name(n) == kind);
    let (Some(open), Some(close), Some(&body)) = (at("("), at(")"), children.last()) else {
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
        let units = [cut(start(node), start(inside[0])), cut(end(first), start(body))];
        ways.push(Unit::Together(units.into()));
    }
    let keyword = Unit::Replace { file: id, node: children[0], by: Source::text("while") };
    let condition = [cut(end(children[open]), end(first)), cut(start(second), start(children[close]))];
    ways.push(Unit::Together(std::iter::once(keyword).chain(condition).collect()));
    let text = |from: u32, to: u32| file.text[from as usize..to as usize].trim_ascii();
    let before = text(start(inside[0]), end(first));
    let before = before.strip_suffix(b";").unwrap_or(before);
    let step = text(end(second), start(children[close]));
    ways.extend(two_rounds(file, id, node, body, (before, step)));
    ways
}

/// An `if`, or two rounds.
fn ways_of_while(file: &Parsed, id: FileId, node: NodeId) -> Vec<Unit> {
    let tree = file.tree();
    let keyword = child(tree, node, "while");
    let once = keyword.map(|node| Unit::Replace { file: id, node, by: Source::text("if") });
    let twice = tree.children(node).last().and_then(|body| two_rounds(file, id, node, body, (b"", b"")));
    once.into_iter().chain(twice).collect()
}

/// A `while`, or two rounds.
fn ways_of_do(file: &Parsed, id: FileId, node: NodeId) -> Vec<Unit> {
    let tree = file.tree();
    let (first, last) = (child(tree, node, "do"), child(tree, node, "while"));
    let body = tree.child_with(node, Role::Body);
    let (Some(first), Some(last), Some(body)) = (first, last, body) else { return Vec::new() };
    let end = tree.range(node).end;
    let condition = &file.text[tree.range(last).start..end];
    let condition = Source::made(condition.strip_suffix(b";").unwrap_or(condition));
    let first_while = Unit::Replace { file: id, node: first, by: condition };
    let tail = Unit::Cut { file: id, range: tree.range(body).end as u32..end as u32 };
    let once = Unit::Together([first_while, tail].into());
    std::iter::once(once).chain(two_rounds(file, id, node, body, (b"", b""))).collect()
}

/// What comes before a loop, its body, what it does after each round, and its body again.
fn two_rounds(
    file: &Parsed,
    id: FileId,
    node: NodeId,
    body: NodeId,
    (before, step): (&[u8], &[u8]),
) -> Option<Unit> {
    let tree = file.tree();
    let is_among_others = tree.parent(node).is_some_and(|n| tree.has(n, Role::Block));
    if !is_among_others || has_tokens(file, body, LONG + 1) {
        return None;
    }
    let ended = |part: &[u8]| if part.is_empty() { Vec::new() } else { [part, b"; "].concat() };
    let body = file.node_text(body);
    let by = Source::made([&ended(before), body, b" ", &ended(step), body].concat());
    Some(Unit::Replace { file: id, node, by })
}
