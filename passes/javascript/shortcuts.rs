//! Replaces a call by a call of a function that is written elsewhere: `log(lib.run(o, x))` becomes
//! `log((function (a) { f(a); })(o, x))`.
//!
//! Where a failure shows only when the program runs, a library often stands between the program and the function that
//! fails: it gets the function as a value and calls it in the end. No deletion can take the library out, since then the
//! function is not called at all.

use super::{FAMILY, bare, is_function};
use crate::functions::items_of;
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;

pub(crate) const PASS: Pass = Pass {
    name: "shortcuts",
    summary: "replaces a call by a call of a function that is written elsewhere",
    languages: FAMILY,
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "javascript",
            before: "var o = { m: function (a) { bug(a); } };\nlog(lib.run(o, 1));\n",
            keep: &["var o", "log(", "bug(a)", "1"],
            after: "var o = { m: 0 };\nlog((function (a) { bug(a); })(o, 1));\n",
        },
        Example {
            language: "javascript",
            before: "function f() { g(); }\ndescribe(\"a\", () => {\n  it(\"b\", () => { bug(); });\n});\n",
            keep: &["g();", "bug();"],
            after: "function f() { g(); }\n(() => { bug(); })();\n",
        },
        Example {
            language: "javascript",
            before: "class A { m() { bug(); } }\nf(new A().n.o(2));\n",
            keep: &["class A", "bug();", "f("],
            after: "class A { }\nf((function () { bug(); })());\n",
        },
        Example {
            language: "typescript",
            before: "const f = (a: T): void => { bug(a); };\nlog(lib.run(f, 1));\n",
            keep: &["const f = ", "log(", "bug(a)", "1"],
            after: "const f = 0;\nlog(((a: T): void => { bug(a); })(f, 1));\n",
        },
        Example {
            language: "tsx",
            before: "const f = (a) => { bug(<b/>); };\nlog(lib.run(f, 1));\n",
            keep: &["const f = ", "log(", "bug(<b/>)", "1"],
            after: "const f = 0;\nlog(((a) => { bug(<b/>); })(f, 1));\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The last calls of a program, and the functions nearest to each of them, count. Each pair costs a run.
const CALLS: usize = 4;
const FUNCTIONS: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let functions: Vec<NodeId> = file.tree().nodes().filter(|&n| does_something(file, n)).collect();
        let mut calls = calls(file);
        calls.sort_by_key(|&call| Reverse(file.range(call).start));
        calls.truncate(CALLS);
        calls.into_iter().map(move |call| ways(file, call, &functions)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The calls outside of functions, which are the program's own course. O(nodes).
fn calls(file: File<'_>) -> Vec<NodeId> {
    let mut end = 0;
    let is_wanted = |&node: &NodeId| {
        let is_outside = file.range(node).start >= end;
        if is_outside && is_function(file, node) {
            end = file.range(node).end;
        }
        is_outside && file.kind_name(node) == "call_expression"
    };
    file.tree().nodes().filter(is_wanted).collect()
}

/// Whether a function has statements, or is an expression.
fn does_something(file: File<'_>, node: NodeId) -> bool {
    let body = file.named_children(node).last().filter(|_| is_function(file, node));
    body.is_some_and(|body| file.kind_name(body) != "statement_block" || !items_of(&file, body).is_empty())
}

/// The calls of other functions in the place of a call, the nearest function first.
fn ways(file: File<'_>, call: NodeId, functions: &[NodeId]) -> Vec<Unit> {
    let start = file.range(call).start;
    let mut nearest: Vec<NodeId> = functions.to_vec();
    nearest.sort_by_key(|&n| file.range(n).start.abs_diff(start));
    nearest.into_iter().filter_map(|function| shortcut(file, call, function)).take(FUNCTIONS).collect()
}

/// A call of this function in the place of a call. The function moves there, unless the program can call it by its name.
fn shortcut(file: File<'_>, call: NodeId, function: NodeId) -> Option<Unit> {
    let callee = file.named_children(call).next().filter(|&n| bare(file, n) != function)?;
    let parameters = file.named_children(function).find(|&n| file.kind_name(n) == "formal_parameters");
    let takes_none = parameters.is_some_and(|list| items_of(&file, list).is_empty());
    let is_inside = file.is_within(function, call);
    let called = |name: &[u8]| match takes_none || is_inside {
        true => file.replace(call, Source::made([name, b"()"].concat())),
        false => file.replace(callee, Source::made(name)),
    };
    let (value, gone) = match file.kind_name(function) {
        "function_declaration" | "generator_function_declaration" => {
            let is_visible = file.parent(function) == Some(NodeId::ROOT);
            let name = file.node_text(file.named_children(function).next().filter(|_| is_visible)?);
            return (name != file.node_text(callee)).then(|| called(name));
        }
        "method_definition" => {
            let rest = file.range(parameters?).start..file.range(function).end;
            ([b"(function ", &file.text()[rest], b")"].concat(), file.drop(function))
        }
        _ => ([b"(", file.node_text(function), b")"].concat(), file.replace(function, "0")),
    };
    let call = called(&value);
    Some(if is_inside { call } else { Unit::together([call, gone]) })
}
