//! Replaces a call with a callback by the statements of the callback: `[a].map(b => f(b));` becomes `f(a);`.

use super::FAMILY;
use super::immediate_calls::{TEXTS, expanded, within};
use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "callbacks",
    summary: "replaces a call with a callback by the statements of the callback",
    languages: FAMILY,
    proves: true,
    examples: &[
        Example {
            language: "javascript",
            before: "f([a, 1].map(b => g(b)));\nc.forEach(d => g(d, d.e));\nit('h', () => { i(); j(); });\n",
            keep: &["f(", "g(", "a", "g(d, d.e)", "c", "i(); j();"],
            after: "f(g(a));\nvar d = c;\ng(d, d.e);\ni(); j();\n",
        },
        Example {
            language: "typescript",
            before: "f([a].filter((b: A): boolean => b.c));\n",
            keep: &["f(", "a", ".c", ");"],
            after: "f(a.c);\n",
        },
        Example {
            language: "tsx",
            before: "f(a.map(b => <c d={b}/>));\n",
            keep: &["f(", "<c d={", "a", "}/>"],
            after: "f(<c d={a}/>);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How many elements of a list are tried as the argument of the callback.
const ELEMENTS: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let calls = file.bindings().calls().iter().filter_map(move |call| {
            let list = file.named_children(call.whole).find(|&n| file.kind_name(n) == "arguments")?;
            let is_function =
                |n: &NodeId| matches!(file.kind_name(*n), "function_expression" | "arrow_function");
            Some((call.whole, items_of(&file, list).into_iter().find(is_function)?))
        });
        let calls = calls.scan(TEXTS * file.text().len(), move |left, call| within(file, left, call));
        calls.map(move |call| ways(base, file, call))
    });
    vec![Group::choices(ways).doubtful()]
}

/// The callback gets an element of the list before the dot, or what stands before the dot, or the other arguments.
fn ways(base: &Base, file: File<'_>, (call, function): (NodeId, NodeId)) -> Vec<Unit> {
    let callee = file.named_children(call).next();
    let object = callee
        .filter(|&n| file.kind_name(n) == "member_expression")
        .and_then(|n| file.named_children(n).next());
    let list = object.filter(|&n| file.kind_name(n) == "array");
    let elements = list.map_or(vec![], |list| items_of(&file, list));
    let others = file.parent(function).map_or(vec![], |list| items_of(&file, list));
    let others: Vec<NodeId> = others.into_iter().filter(|&n| n != function).collect();
    let single = elements.into_iter().take(ELEMENTS).chain(object).map(|n| vec![n]);
    let mut ways: Vec<Unit> = Vec::new();
    for arguments in single.chain([others]) {
        ways.extend(expanded(base, file, (call, function), &arguments).filter(|unit| !ways.contains(unit)));
    }
    ways
}
