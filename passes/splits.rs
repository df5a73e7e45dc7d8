//! Makes statements of a compound statement's parts: `if (e) f();` becomes `e; f();`.

use crate::functions::part;
use crate::sinks::expression;
use crate::{Base, Example, File, Group, Pass, Source, Unit, inside};
use lopper_languages::layout::{self, Layout};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "splits",
    summary: "makes statements of the condition and the body of a compound statement",
    examples: &[
        Example {
            language: "c",
            before: "int f() { if (a()) b(); for (c(); d(); e) { g(); h(); } }\n",
            keep: &["int f() { ", "a()", "b();", "c()", "d()", "g();"],
            after: "int f() { a(); b(); c(); d(); g(); h(); }\n",
        },
        Example {
            language: "python",
            before: "def f():\n    while g(1):\n        h()\n        i()\n",
            keep: &["def f", "g(1)", "h()", "i()"],
            after: "def f():\n    g(1)\n    h()\n    i()\n",
        },
        Example {
            language: "javascript",
            before: "if (a()) {\n    b();\n}\nfor (c(); d(); e) f();\n",
            keep: &["a()", "b();", "d()", "f();"],
            after: "a()\nb();\nc()\nd()\nf();\n",
        },
        Example {
            language: "go",
            before: "func f() {\n\tif a() {\n\t\tb()\n\tc()\n\t}\n}\n",
            keep: &["func f()", "a()", "b()", "c()"],
            after: "func f() {\n\ta()\n\tb()\n\tc()\n}\n",
        },
        Example {
            language: "go",
            before: "func f() {\n\tif _, a := b(); a != nil {\n\t\tc()\n\t}\n}\n",
            keep: &["func f()", "b()", "c()"],
            after: "func f() {\n\tb()\n\tc()\n}\n",
        },
        Example {
            language: "rust",
            before: "fn f() { while a() { b(); } }\n",
            keep: &["fn f()", "a()", "b();"],
            after: "fn f() { a(); b(); }\n",
        },
        Example {
            language: "ruby",
            before: "if a(1)\n  b(2)\nend\n",
            keep: &["a(1)", "b(2)"],
            after: "a(1)\nb(2)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let statements = PASS.files(base).flat_map(|file| {
        items(file).map(move |statement| {
            // Some compilers refuse statements that only compute something.
            let ways = [true, false].map(|only_calls| split(base, file, statement, only_calls));
            let is_same = ways[0] == ways[1];
            ways.into_iter().flatten().skip(usize::from(is_same)).collect::<Vec<_>>()
        })
    });
    vec![Group::choices(statements).doubtful()]
}

/// The statements that stand in a block: others may follow them there.
pub(crate) fn items(file: File<'_>) -> impl Iterator<Item = NodeId> {
    let is_item = move |n: &NodeId| file.parent(*n).is_some_and(|p| file.has(p, Role::Block));
    file.with(Role::Statement).filter(is_item)
}

/// The unit that makes statements of what the head of a statement evaluates, or only of calls there, and of its body.
fn split(base: &Base, file: File<'_>, statement: NodeId, only_calls: bool) -> Option<Unit> {
    let (end, layout): (&[u8], Layout) = match file.language().layout() {
        Layout::Free => (b"; ", Layout::Free),
        Layout::Exact => return None,
        layout => (b"\n", layout),
    };
    let (whole, body) = with_body(file, statement)?;
    let start = file.range(statement).start;
    let indentation = match layout {
        Layout::Indented => layout::indentation(file.text(), start)?,
        Layout::Lines => layout::indentation(file.text(), start).unwrap_or_default(),
        _ => b"",
    };
    let mut text = Vec::new();
    let is_call = |n: NodeId| file.child_with(n, Role::Arguments).is_some();
    let has_effect = |n: &NodeId| match only_calls {
        true => is_call(*n) || file.descendants(*n).any(is_call),
        false => !file.is_leaf(*n),
    };
    let heads = file.children(whole).take_while(|&n| n != body);
    // A head may begin with a declaration, as in Go.
    let evaluated = |n| expression(file, n).or_else(|| part(&file, n, Role::Value));
    for head in heads.filter_map(evaluated).filter(has_effect) {
        text.extend(file.node_text(head));
        text.extend(end);
        text.extend(indentation);
    }
    if text.is_empty() {
        return None;
    }
    let range = contents(base, file, body);
    text.extend(layout::moved(file.parsed, range, indentation));
    Some(file.replace(statement, Source::made(text)))
}

/// What stands in a body, without the braces or keywords around it.
pub(crate) fn contents(base: &Base, file: File<'_>, body: NodeId) -> Range<usize> {
    let mut parts = file.named_children(body);
    let block = std::iter::once(body).chain(parts.next().filter(|_| parts.next().is_none()));
    let block = block.into_iter().find(|&n| file.has(n, Role::Block));
    block.map_or(file.range(body), |block| inside(base, file.id, block))
}

/// The part of a statement that has a body, and the body: the statement, or the only thing in it.
fn with_body(file: File<'_>, statement: NodeId) -> Option<(NodeId, NodeId)> {
    let of = |n: NodeId| Some((n, file.child_with(n, Role::Body)?));
    let mut parts = file.named_children(statement);
    let only = parts.next().filter(|&n| parts.next().is_none() && !file.has(n, Role::Statement));
    of(statement).or_else(|| only.and_then(of))
}
