//! Lets a smaller statement consume a value: `f(e);` becomes `return e;`, `v = e;` or `if (e);`.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::layout::Layout;
use lopper_languages::lexer::tokens;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "sinks",
    summary: "lets a smaller statement use a value: returns it, assigns it, or makes it a condition",
    examples: &[
        Example {
            language: "c",
            before: "int v;\nint f() { g(a, b + 1); return 0; }\nint h() { w[0] += c[2]; }\n",
            keep: &["int v;", " b + 1", "; return 0", "int h() { ", "c[2]"],
            after: "int v;\nint f() { return b + 1; return 0; }\nint h() { return c[2]; }\n",
        },
        Example {
            language: "python",
            before: "def f(x):\n    print(x[1], end='')\n    g(x)\n",
            keep: &["def f(x)", "x[1]", "    g(x)"],
            after: "def f(x):\n    return x[1]\n    g(x)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let is_statement = move |n: &NodeId| file.has(*n, Role::Statement) && file.filler(*n).is_some();
        file.tree().nodes().filter(is_statement).map(move |statement| ways(file, statement))
    });
    vec![Group::choices(ways).doubtful()]
}

/// The smaller statements that consume a value of this one, in the same order for every statement.
fn ways(file: File<'_>, statement: NodeId) -> Vec<Unit> {
    let end = match file.language().layout() {
        Layout::Free => ";",
        Layout::Indented => "",
        Layout::Lines | Layout::Exact => return Vec::new(),
    };
    let is_simple = file.child_with(statement, Role::Body).is_none() && !file.has(statement, Role::Block);
    let Some(whole) = file.children(statement).filter(|_| is_simple).find_map(|n| expression(file, n)) else {
        return Vec::new();
    };
    let mut values = consumed(file, whole);
    values.push(whole);
    values.retain(|&n| !file.has(n, Role::Literal));
    let assigned = variable(file, statement).map(|name| format!("{name} = "));
    let condition = if end.is_empty() { ["if ", ": pass"] } else { ["if (", ");"] };
    let templates = std::iter::once(["return ", end]).chain(assigned.iter().map(|set| [&set[..], end]));
    let size = file.tokens_in(file.range(statement)).len();
    let lexis = file.language().lexis();
    let with = |[before, after]: [&str; 2]| {
        let made = |&value: &NodeId| [before.as_bytes(), file.node_text(value), after.as_bytes()].concat();
        values.iter().map(made).filter(|text| tokens(text, lexis).count() < size).collect::<Vec<_>>()
    };
    templates.chain([condition]).flat_map(with).map(|text| file.replace(statement, text)).collect()
}

/// The expression that a part of a statement consists of, without brackets around it.
pub(crate) fn expression(file: File<'_>, node: NodeId) -> Option<NodeId> {
    let mut children = file.children(node).filter(|&n| file.is_named(n));
    match (children.next(), children.next()) {
        (Some(only), None) if file.node_text(node).starts_with(b"(") => expression(file, only),
        _ => Some(node).filter(|&n| file.has(n, Role::Expression)),
    }
}

/// The values that an expression consumes: the arguments of a call, or what is assigned.
fn consumed(file: File<'_>, node: NodeId) -> Vec<NodeId> {
    let is_value = |n: &NodeId| file.has(*n, Role::Expression);
    match file.child_with(node, Role::Arguments) {
        Some(arguments) => file.children(arguments).filter(is_value).collect(),
        None => file.child_with(node, Role::Value).into_iter().collect(),
    }
}

/// The variable that a statement can assign to: the nearest one before it.
fn variable<'a>(file: File<'a>, statement: NodeId) -> Option<&'a str> {
    let start = file.range(statement).start;
    let is_variable = |d: &&Definition| matches!(d.sort, Sort::Variable | Sort::Parameter);
    let is_before = |d: &&Definition| file.range(d.places[0].name).start < start;
    let is_visible = |d: &&Definition| file.is_within(statement, d.scope);
    let nearest = file.definitions().filter(|d| is_variable(d) && is_before(d) && is_visible(d)).last()?;
    std::str::from_utf8(file.node_text(nearest.places[0].name)).ok()
}
