//! Makes statements of a compound statement's parts: `if (e) f();` becomes `e; f();`.

use crate::sinks::expression;
use crate::{Base, Example, File, Group, Pass, Source, Unit, inside};
use lopper_languages::layout::{self, Layout};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

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
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let statements = PASS.files(base).flat_map(|file| {
        let is_item = move |n: &NodeId| {
            file.has(*n, Role::Statement) && file.parent(*n).is_some_and(|p| file.has(p, Role::Block))
        };
        file.tree().nodes().filter(is_item).filter_map(move |statement| split(base, file, statement))
    });
    vec![Group::deletions(statements).doubtful()]
}

fn split(base: &Base, file: File<'_>, statement: NodeId) -> Option<Unit> {
    let end: &[u8] = match file.language().layout() {
        Layout::Free => b"; ",
        Layout::Indented => b"\n",
        Layout::Lines | Layout::Exact => return None,
    };
    let body = file.child_with(statement, Role::Body)?;
    let start = file.range(statement).start;
    let indentation = match file.language().layout() {
        Layout::Indented => layout::indentation(file.text(), start)?,
        _ => b"",
    };
    let mut text = Vec::new();
    let has_effect = |n: &NodeId| !file.is_leaf(*n);
    let heads = file.children(statement).take_while(|&n| n != body);
    for head in heads.filter_map(|n| expression(file, n)).filter(has_effect) {
        text.extend(file.node_text(head));
        text.extend(end);
        text.extend(indentation);
    }
    if text.is_empty() {
        return None;
    }
    let range = if file.has(body, Role::Block) { inside(base, file.id, body) } else { file.range(body) };
    text.extend(layout::moved(file.parsed, range, indentation));
    Some(file.replace(statement, Source::made(text)))
}
