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
        Example {
            language: "javascript",
            before: "function f(x) { g(x[1], 2); }\n",
            keep: &["function f(x) {", "x[1]", "}"],
            after: "function f(x) { return x[1]; }\n",
        },
        Example {
            language: "go",
            before: "func f(x int) {\n\tg(h(x), 2)\n}\n",
            keep: &["func f(x int) {\n", "h(x)"],
            after: "func f(x int) {\n\treturn h(x)\n}\n",
        },
        Example {
            language: "rust",
            before: "fn f(x: u8) {\n    g(h(x), 2);\n}\n",
            keep: &["fn f(x: u8) {", "h(x)", ";"],
            after: "fn f(x: u8) {\n    return h(x);\n}\n",
        },
        Example {
            language: "ruby",
            before: "def f(x)\n  g(x[1], 2)\nend\n",
            keep: &["def f(x)", "x[1]"],
            after: "def f(x)\n  return x[1]\nend\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).filter(|file| !file.language().consumers().is_empty()).flat_map(|file| {
        let has_fillers = file.with(Role::Statement).any(|n| file.filler(n).is_some());
        let does_something = move |n: &NodeId| match has_fillers {
            true => file.filler(*n).is_some(),
            false => is_in_function(file, *n),
        };
        file.with(Role::Statement).filter(does_something).map(move |statement| ways(file, statement))
    });
    vec![Group::choices(ways).doubtful()]
}

/// Whether a statement stands in the body of a function or of another statement, and not among members.
fn is_in_function(file: File<'_>, statement: NodeId) -> bool {
    let around = file.parent(statement).filter(|&n| !file.has(n, Role::Members));
    around.is_some_and(|n| file.has(n, Role::Body) || file.parent(n).is_some_and(|n| file.has(n, Role::Body)))
}

/// The smaller statements that consume a value of this one, in the same order for every statement.
fn ways(file: File<'_>, statement: NodeId) -> Vec<Unit> {
    let is_free = file.language().layout() == Layout::Free && file.filler(statement) == Some(";");
    let end = if is_free || file.node_text(statement).ends_with(b";") { ";" } else { "" };
    let is_simple = file.child_with(statement, Role::Body).is_none() && !file.has(statement, Role::Block);
    let own = Some(statement).filter(|&n| !consumed(file, n).is_empty());
    // The name of a macro is no value.
    let is_whole = |&n: &NodeId| !file.is_leaf(n) || file.named_children(statement).count() == 1;
    let below = || file.children(statement).find_map(|n| expression(file, n)).filter(is_whole);
    let Some(whole) = own.or_else(below).filter(|_| is_simple) else { return Vec::new() };
    let mut values = consumed(file, whole);
    values.extend((whole != statement).then_some(whole));
    values.retain(|&n| !file.has(n, Role::Literal));
    let assigned = variable(file, statement).map(|name| format!("{name} = "));
    let mut forms: Vec<(&str, &str)> = file.language().consumers().to_vec();
    forms.splice(1..1, assigned.iter().map(|set| (&set[..], "")));
    let size = file.tokens_in(file.range(statement)).len();
    let lexis = file.language().lexis();
    let with = |(before, after): (&str, &str)| {
        let end = if after.ends_with('}') { "" } else { end };
        let parts = |value| [before.as_bytes(), file.node_text(value), after.as_bytes(), end.as_bytes()];
        let made = |&value: &NodeId| parts(value).concat();
        values.iter().map(made).filter(|text| tokens(text, lexis).count() < size).collect::<Vec<_>>()
    };
    forms.into_iter().flat_map(with).map(|text| file.replace(statement, text)).collect()
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
    let is_value = |n: NodeId| file.has(n, Role::Expression);
    let value = |item: NodeId| {
        let only = || file.children(item).next().filter(|&n| file.range(n) == file.range(item));
        Some(item).filter(|&n| is_value(n)).or_else(|| only().filter(|&n| is_value(n)))
    };
    match file.child_with(node, Role::Arguments) {
        Some(arguments) => file.children(arguments).filter_map(value).collect(),
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
    let name = nearest.places[0].name;
    let has_sigil = |n: &NodeId| file.node_text(*n).strip_prefix(b"$") == Some(file.node_text(name));
    let whole = file.parent(name).filter(has_sigil).unwrap_or(name);
    std::str::from_utf8(file.node_text(whole)).ok()
}
