//! Replaces a function that only calls another one by a variable with that other one as its value: a compiler reads a function that
//! is mentioned as well as one that is called, and needs no arguments for it.

use crate::c::{child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "mentions",
    summary: "replaces a function that only calls another one by a variable with that other one as its value",
    languages: &["go"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "go",
        before: "package p\n\nfunc f() {\n\tg[int](1)\n}\nfunc g[T any](T) {}\nfunc h() { _ = k() }\nfunc k() int\n",
        keep: &["g[int]", "\nfunc g[T any](T) {}\n", "_ = k", "func k() int"],
        after: "package p\n\nvar _ = g[int]\nfunc g[T any](T) {}\nvar _ = k\nfunc k() int\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        // What uses a function would lose it.
        let unused = file.definitions().filter(|definition| definition.uses.is_empty());
        let nodes = unused.flat_map(|definition| file.places(definition).map(|place| place.whole));
        let functions: Vec<_> = nodes.filter(|&n| is(&file, n, "function_declaration")).collect();
        functions.into_iter().map(move |function| ways(file, function))
    });
    vec![Group::choices(ways).doubtful()]
}

/// A variable with the function that the only statement calls, or with the value that it computes.
fn ways(file: File<'_>, function: NodeId) -> Vec<Unit> {
    let body = child(&file, function, "block").and_then(|body| child(&file, body, "statement_list"));
    let statements = body.map(|body| items_of(&file, body)).unwrap_or_default();
    let [statement] = statements[..] else { return Vec::new() };
    let value = match file.kind_name(statement) {
        "expression_statement" => file.named_children(statement).next(),
        "assignment_statement" => file.descendants(statement).find(|&n| file.has(n, Role::Value)),
        _ => None,
    };
    let variable =
        |value: NodeId| file.write(file.range(function), [b"var _ = ", file.node_text(value)].concat());
    // With one argument, a call of a generic function looks like a conversion.
    let is_call =
        |value: &NodeId| matches!(file.kind_name(*value), "call_expression" | "type_conversion_expression");
    let callee = value.filter(is_call).and_then(|value| file.named_children(value).next());
    callee.into_iter().chain(value).map(variable).collect()
}
