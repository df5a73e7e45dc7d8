//! Cancels an address with the access that follows it: `(&e)->f` and `*&e`, `(*e).f` and `&*e`.

use super::{FAMILY, child, first, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "addresses",
    summary: "cancels an address with the access that follows it",
    languages: FAMILY,
    examples: &[
        Example {
            language: "c",
            before: "int main() { return f((&x)->a, (*p++).b, *&y, (&z[1])->c.d, &*v, &w[0]); }\n",
            keep: &["return f("],
            after: "int main() { return f(x.a, p++->b, y, z[1].c.d, v, w); }\n",
        },
        Example {
            language: "cpp",
            before: "int main() { return (*this).f((&x)->a); }\n",
            keep: &["return"],
            after: "int main() { return this->f(x.a); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let cancelled =
        PASS.files(base).flat_map(|file| file.tree().nodes().filter_map(move |n| cancelled(file, n)));
    vec![Group::deletions(cancelled)]
}

fn cancelled(file: File<'_>, node: NodeId) -> Option<Unit> {
    let operand = first(&file, node)?;
    let inner = bare(file, operand);
    match file.kind_name(node) {
        "field_expression" => {
            let (old, sign, new) = match child(&file, node, "->") {
                Some(arrow) => (arrow, "&", "."),
                None => (child(&file, node, ".")?, "*", "->"),
            };
            let object = applied(file, inner, sign)?;
            let parts = [file.replace(operand, object), file.replace(old, new)];
            Some(Unit::together(parts))
        }
        "pointer_expression" => {
            let object = match applied(file, node, "&") {
                Some(_) => applied(file, inner, "*").or_else(|| element(file, inner)),
                None => applied(file, inner, "&"),
            };
            Some(file.replace(node, object?))
        }
        _ => None,
    }
}

/// An expression without the parentheses around it.
fn bare(file: File<'_>, node: NodeId) -> NodeId {
    let is_wrapped = |n: &NodeId| is(&file, *n, "parenthesized_expression");
    let inside = std::iter::successors(Some(node), |n| first(&file, *n).filter(|_| is_wrapped(n)));
    inside.last().unwrap_or(node)
}

/// The operand of `&` or `*`.
fn applied(file: File<'_>, node: NodeId, sign: &str) -> Option<NodeId> {
    child(&file, node, sign).filter(|_| is(&file, node, "pointer_expression"))?;
    first(&file, node)
}

/// The array of its element with the index 0.
fn element(file: File<'_>, node: NodeId) -> Option<NodeId> {
    let mut parts =
        file.children(node).filter(|&n| is(&file, node, "subscript_expression") && file.is_named(n));
    let (array, index) = (parts.next()?, parts.next()?);
    (file.node_text(index).trim_ascii() == b"0").then_some(array)
}
