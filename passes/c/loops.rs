//! Simplifies a loop, in C and the languages that look like it: to its initialisation and one round of its body, or to a simpler
//! kind of loop.

use super::child;
use crate::levels::has_tokens;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "loops",
    summary: "unrolls a loop to one or two iterations, or simplifies it: `for` or `do` to `while`, `while` to `if`",
    languages: &["c", "cpp", "csharp", "java", "javascript", "php", "python", "rust", "tsx", "typescript"],
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
            before: "int main() { for (; i; i++) ; }\n",
            keep: &["int main() {", " (", "i++", "}"],
            after: "int main() { if (i++) ; }\n",
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
        Example {
            language: "javascript",
            before: "for (let i = 0; i < 9; i++) f(i);\nfor (;a; b) c();\nfor (const d of e) g();\n",
            keep: &["i < 9", "f(i)", "a", "c()", "e", "g()"],
            after: "if (i < 9) f(i);\nif (a) c();\nif (e) g();\n",
        },
        Example {
            language: "typescript",
            before: "do f(); while (a);\n",
            keep: &["f()", "a"],
            after: "if (a) f();\n",
        },
        Example { language: "tsx", before: "while (a) f();\n", keep: &["a", "f()"], after: "if (a) f();\n" },
        Example {
            language: "java",
            before: "class A { void f() { for (int i = 0; i < 9; i++) f(); } }\n",
            keep: &["i < 9", "f();"],
            after: "class A { void f() { if (i < 9) f(); } }\n",
        },
        Example {
            language: "csharp",
            before: "class A { void F() { for (int i = 0; i < 9; i++) F(); } }\n",
            keep: &["i < 9", "F();"],
            after: "class A { void F() { if (i < 9) F(); } }\n",
        },
        Example {
            language: "php",
            before: "<?php\nwhile ($a) f();\n",
            keep: &["$a", "f()"],
            after: "<?php\nif ($a) f();\n",
        },
        Example {
            language: "rust",
            before: "fn f() { while a { g() } }\n",
            keep: &["a {", "g()"],
            after: "fn f() { if a { g() } }\n",
        },
        Example { language: "python", before: "while a: b()\n", keep: &["a: b()"], after: "if a: b()\n" },
        Example {
            language: "cpp",
            before: "int f() { while (a) g(); }\n",
            keep: &["(a)"],
            after: "int f() { if (a) g(); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A loop with more tokens in its body is not written out twice.
const LONG: usize = 32;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| file.tree().nodes().map(move |node| ways_of(file, node)));
    vec![Group::choices(ways).doubtful()]
}

fn ways_of(file: File<'_>, node: NodeId) -> Vec<Unit> {
    match file.kind_name(node) {
        "for_statement" => ways_of_for(file, node),
        "while_statement" | "while_expression" => ways_of_while(file, node),
        "for_in_statement" => ways_of_for_in(file, node),
        "do_statement" => ways_of_do(file, node),
        _ => Vec::new(),
    }
}

/// One round without the condition, a `while` with only the condition or the step, or two rounds.
fn ways_of_for(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let children: Vec<NodeId> = file.children(node).collect();
    let at = |kind: &str| children.iter().position(|&n| file.kind_name(n) == kind);
    let (Some(open), Some(close), Some(&body)) = (at("("), at(")"), children.last()) else {
        return Vec::new();
    };
    let start = |n: NodeId| file.range(n).start;
    let end = |n: NodeId| file.range(n).end;
    let cut = |from: usize, to: usize| file.cut(from..to);
    let inside = &children[open + 1..close];
    let mut ways = Vec::new();
    // A declaration already contains the first of the two semicolons.
    let is_end = |n: &&NodeId| file.node_text(**n).ends_with(b";");
    let mut ends = inside.iter().filter(is_end);
    let (Some(&first), Some(&second)) = (ends.next(), ends.next()) else { return Vec::new() };
    if inside.first().is_some_and(|&n| n != first || file.is_named(n)) {
        let units = [cut(start(node), start(inside[0])), cut(end(first), start(body))];
        ways.push(Unit::together(units));
    }
    // The condition may be a statement that ends with the second semicolon.
    let second = end(second) - 1;
    let keyword = file.replace(children[0], "while");
    let begin = file.next_sibling(first).map_or(end(first), start);
    let condition = [cut(end(children[open]), begin), cut(second, start(children[close]))];
    ways.push(Unit::together(std::iter::once(keyword.clone()).chain(condition)));
    // What changes the variable may be the condition as well: `while (i++)`.
    let step = inside.iter().rev().copied().take_while(|&n| start(n) > second).last();
    ways.extend(step.map(|step| Unit::together([keyword, cut(end(children[open]), start(step))])));
    let text = |from: usize, to: usize| file.text()[from..to].trim_ascii();
    let before = text(start(inside[0]), end(first));
    let before = before.strip_suffix(b";").unwrap_or(before);
    let step = text(second + 1, start(children[close]));
    ways.extend(two_rounds(file, node, body, (before, step)));
    ways
}

/// A `while` with what the loop goes through as its condition.
fn ways_of_for_in(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let (keyword, open) = (child(&file, node, "for"), child(&file, node, "("));
    let through = child(&file, node, "of").or_else(|| child(&file, node, "in"));
    let (Some(keyword), Some(open), Some(through)) =
        (keyword, open, through.and_then(|n| file.next_sibling(n)))
    else {
        return Vec::new();
    };
    let variable = file.cut(file.range(open).end..file.range(through).start);
    vec![Unit::together([file.replace(keyword, "while"), variable])]
}

/// An `if`, or two rounds.
fn ways_of_while(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let keyword = child(&file, node, "while");
    let once = keyword.map(|node| file.replace(node, "if"));
    let twice = file.children(node).last().and_then(|body| two_rounds(file, node, body, (b"", b"")));
    once.into_iter().chain(twice).collect()
}

/// A `while`, or two rounds.
fn ways_of_do(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let (first, last) = (child(&file, node, "do"), child(&file, node, "while"));
    let body = file.child_with(node, Role::Body);
    let (Some(first), Some(last), Some(body)) = (first, last, body) else { return Vec::new() };
    let end = file.range(node).end;
    let condition = &file.text()[file.range(last).start..end];
    let condition = Source::made(condition.strip_suffix(b";").unwrap_or(condition));
    let first_while = file.replace(first, condition);
    let tail = file.cut(file.range(body).end..end);
    let once = Unit::together([first_while, tail]);
    std::iter::once(once).chain(two_rounds(file, node, body, (b"", b""))).collect()
}

/// The initialisation of a loop, its body, its step, and its body again.
fn two_rounds(file: File<'_>, node: NodeId, body: NodeId, (before, step): (&[u8], &[u8])) -> Option<Unit> {
    let is_among_others = file.parent(node).is_some_and(|n| file.has(n, Role::Block));
    if !is_among_others || has_tokens(file, body, LONG + 1) {
        return None;
    }
    let ended = |part: &[u8]| if part.is_empty() { Vec::new() } else { [part, b"; "].concat() };
    let body = file.node_text(body);
    let by = [&ended(before), body, b" ", &ended(step), body].concat();
    Some(file.replace(node, by))
}
