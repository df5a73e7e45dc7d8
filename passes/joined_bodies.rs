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
    summary: "moves what is in the body of a statement to the body of a neighbour, and deletes the rest of the statement",
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
            language: "cpp",
            before: "int f() { g(1); }\nint h() try {} catch (b e) { e.c(); }\n",
            keep: &["g(1);", "int h() try {} catch (b e) {", "e.c(); }"],
            after: "int h() try {} catch (b e) { g(1); e.c(); }\n",
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

/// How many statements before one that has a body are searched for another one that has a body.
const DISTANCE: usize = 8;

/// The longest text of two neighbours, in bytes: bodies may be nested thousands of times, and each unit holds the text of one.
const LONGEST: usize = 1 << 14;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        file.with(Role::Statement).map(move |second| {
            let Some(pair) = pair(file, second) else { return Vec::new() };
            appended(base, file, pair).into_iter().chain(prepended(base, file, pair)).collect()
        })
    });
    vec![Group::choices(ways).doubtful()]
}

/// A statement, and its body.
type WithBody = (NodeId, NodeId);

/// A statement with a body, behind the nearest one before it that has one.
fn pair(file: File<'_>, second: NodeId) -> Option<(WithBody, WithBody)> {
    let body_of_second = body(file, second)?;
    let before = std::iter::successors(file.previous_sibling(second), |&n| file.previous_sibling(n));
    let first = before.take(DISTANCE).find_map(|n| Some((n, body(file, n)?)))?;
    (file.range(second).end - file.range(first.0).start <= LONGEST).then_some(())?;
    Some((first, (second, body_of_second)))
}

/// Puts what is in the body of the first statement before what is in the body of the second one.
fn prepended(base: &Base, file: File<'_>, (gone, kept): (WithBody, WithBody)) -> Option<Unit> {
    let target = inside(base, file.id, kept.1).start;
    let (moved, gap) = is_known_there(file, kept, gone).then(|| moved(base, file, (gone, kept)))??;
    Some(Unit::together([file.drop(gone.0), file.write(target..target, [moved, gap].concat())]))
}

/// Puts what is in the body of the second statement behind what is in the body of the first one.
fn appended(base: &Base, file: File<'_>, (kept, gone): (WithBody, WithBody)) -> Option<Unit> {
    let target = inside(base, file.id, kept.1).end;
    let (moved, gap) = is_known_there(file, kept, gone).then(|| moved(base, file, (gone, kept)))??;
    let deleted = layout::deletion(file.parsed, file.range(gone.0));
    let between = file.text().get(target..deleted.start)?.to_vec();
    Some(file.write(target..deleted.end, [gap, moved, between].concat()))
}

/// What is in one body, indented as in the other one, and what separates the two there.
fn moved(base: &Base, file: File<'_>, (from, to): (WithBody, WithBody)) -> Option<(Vec<u8>, Vec<u8>)> {
    let (source, target) = (inside(base, file.id, from.1), inside(base, file.id, to.1));
    let indentation = layout::indentation(file.text(), target.start);
    if indentation.is_none() && file.language().layout() == Layout::Indented {
        return None;
    }
    let gap = indentation.map_or(b" ".to_vec(), |blanks| [b"\n", blanks].concat());
    Some((layout::moved(file.parsed, source, indentation.unwrap_or_default()), gap))
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
fn is_known_there(file: File<'_>, kept: WithBody, gone: WithBody) -> bool {
    let head = |(whole, body): WithBody| file.range(whole).start..file.range(body).start;
    let defined = |statement| {
        let names = file.tree().starting_in(head(statement));
        names.filter_map(move |n| {
            file.definition(n).filter(|d| file.places(d).any(|place| place.name == n)).map(|d| (n, d))
        })
    };
    let there: BTreeSet<&[u8]> = defined(kept).map(|(n, _)| file.node_text(n)).collect();
    let is_in_body = |n: NodeId| file.is_within(n, gone.1);
    defined(gone).all(|(name, definition)| {
        let uses = || file.uses(definition).filter(|&n| !head(gone).contains(&file.range(n).start));
        let is_here = definition.uses.len() == file.uses(definition).count();
        uses().next().is_none() && is_here || uses().all(is_in_body) && there.contains(file.node_text(name))
    })
}
