//! Makes one statement of two neighbours that have bodies: `int f() { g(1); } int h() { i(2); }` becomes `int f() { g(1); i(2); }`.

use crate::functions::items_of;
use crate::replacement::inside;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::layout::{self, Layout};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "joined-bodies",
    summary: "appends the body of a statement to that of the one before it, and deletes what stands before the body",
    proves: true,
    examples: &[
        Example {
            language: "c",
            before: "int f(int a) { return a; }\nint b;\nvoid g(char *a) {\n    *a;\n    h(a);\n}\n",
            keep: &["int f(int a) {", "return a;", "int b;", "*a;", "h(a);"],
            after: "int f(int a) { return a; *a;\nh(a); }\nint b;\n",
        },
        Example {
            language: "python",
            before: "class A:\n    def f(self):\n        g(self)\nwhile a:\n    b()\n    c()\n",
            keep: &["class A:\n    def f(self):", "g(self)", "b()\n", "c()\n"],
            after: "class A:\n    def f(self):\n        g(self)\n    b()\n    c()\n",
        },
        Example {
            language: "ruby",
            before: "def f(a)\n  g(a)\nend\nif b\n  h(1)\nend\n",
            keep: &["def f(a)", "g(a)", "h(1)"],
            after: "def f(a)\n  g(a)\n  h(1)\nend\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How far before a statement the one is looked for that gets its body, in statements.
const DISTANCE: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let statements = file.with(Role::Statement);
        statements.filter_map(move |node| joined(base, file, node))
    });
    vec![Group::deletions(units).doubtful()]
}

/// Appends the body of a statement to the body of the nearest one before it that has one.
fn joined(base: &Base, file: File<'_>, gone: NodeId) -> Option<Unit> {
    let source = body(file, gone)?;
    let before = std::iter::successors(file.previous_sibling(gone), |&n| file.previous_sibling(n));
    let (kept, target) = before.take(DISTANCE).find_map(|n| Some((n, body(file, n)?)))?;
    is_known_there(file, kept, gone, source).then_some(())?;
    let (target, source) = (inside(base, file.id, target), inside(base, file.id, source));
    let indentation = layout::indentation(file.text(), target.start);
    if indentation.is_none() && file.language().layout() == Layout::Indented {
        return None;
    }
    let gap = indentation.map_or(b" ".to_vec(), |blanks| [b"\n", blanks].concat());
    let moved = layout::moved(file.parsed, source, indentation.unwrap_or_default());
    let deleted = layout::deletion(file.parsed, file.range(gone));
    let between = file.text().get(target.end..deleted.start)?;
    Some(file.write(target.end..deleted.end, [&gap, &moved, between].concat()))
}

/// The block with statements that a statement ends with, but for a bracket or a keyword.
fn body(file: File<'_>, statement: NodeId) -> Option<NodeId> {
    let mut node = statement;
    while !file.has(node, Role::Block) || node == statement {
        node = file.named_children(node).last()?;
    }
    let is_at_end = file.range(file.last_leaf(statement)).end == file.range(node).end
        || file.next_sibling(node).is_some_and(|end| file.next_sibling(end).is_none() && !file.is_named(end));
    let has_statements = || items_of(&file, node).iter().any(|&n| file.has(n, Role::Statement));
    (is_at_end && has_statements()).then_some(node)
}

/// Whether all names that a statement defines before its body are used nowhere else or, in the body, defined by the other statement,
/// too. O(n log n) for n names before the bodies.
fn is_known_there(file: File<'_>, kept: NodeId, gone: NodeId, source: NodeId) -> bool {
    let head = |whole: NodeId, body: NodeId| file.range(whole).start..file.range(body).start;
    let defined = |whole, body| {
        let names = file.tree().starting_in(head(whole, body));
        names.filter_map(move |n| {
            file.definition(n).filter(|d| file.places(d).any(|place| place.name == n)).map(|d| (n, d))
        })
    };
    let Some(target) = body(file, kept) else { return false };
    let there: BTreeSet<&[u8]> = defined(kept, target).map(|(n, _)| file.node_text(n)).collect();
    let is_in_body = |n: NodeId| file.is_within(n, source);
    defined(gone, source).all(|(name, definition)| {
        let uses = || file.uses(definition).filter(|&n| !head(gone, source).contains(&file.range(n).start));
        let is_here = definition.uses.len() == file.uses(definition).count();
        uses().next().is_none() && is_here || uses().all(is_in_body) && there.contains(file.node_text(name))
    })
}
