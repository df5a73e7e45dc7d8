//! Makes a loop over a comprehension a loop over what the comprehension is over: `for a in [f(b) for b in c]:` becomes
//! `for b in c:` with `a = f(b)`.

use crate::c::is;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "comprehension-loops",
    summary: "replaces a loop over a comprehension by a loop over what the comprehension is over",
    languages: &["python"],
    proves: true,
    examples: &[Example {
        language: "python",
        before: "def f(d):\n    for a in [g(b) for b in d]:\n        h(a)\n        i(a)\n",
        keep: &["def f(d):", "g(b)", "for b in d", "h(a)", "i(a)"],
        after: "def f(d):\n    for b in d:\n        a = g(b)\n        h(a)\n        i(a)\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| file.nodes().filter_map(move |node| unrolled(file, node)));
    vec![Group::deletions(units).doubtful()]
}

/// The loop over what the comprehension behind `in` is over. What the comprehension leaves out with `if` is not left out any more.
fn unrolled(file: File<'_>, node: NodeId) -> Option<Unit> {
    is(&file, node, "for_statement").then_some(())?;
    let body = file.child_with(node, Role::Body)?;
    let named: Vec<NodeId> = file.named_children(node).take_while(|&n| n != body).collect();
    let &[target, elements] = named.as_slice() else { return None };
    let is_comprehension =
        |kind| matches!(kind, "list_comprehension" | "generator_expression" | "set_comprehension");
    is_comprehension(file.kind_name(elements)).then_some(())?;
    let mut parts = file.named_children(elements);
    let (element, clause) = (parts.next()?, parts.next()?);
    let indentation = layout::indentation(file.text(), file.range(body).start)?;
    let set = [file.node_text(target), b" = ", file.node_text(element), b"\n", indentation].concat();
    let head = file.range(file.children(node).next()?).start..file.range(elements).end;
    let start = file.range(body).start;
    Some(Unit::together([file.write(head, file.node_text(clause)), file.write(start..start, set)]))
}
