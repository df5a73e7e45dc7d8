//! Cancels an address with the access that follows it: `(&e)->f` and `*&e`, `(*e).f` and `&*e`. Writes accesses to elements in the shorter
//! way: `a[0]` as `*a`, `&a[i]` as `a + i`, `*(a + i)` as `a[i]`, `(a + i)[j]` as `a[i + j]`.

use super::{FAMILY, child, first, is};
use crate::operands::operand;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "addresses",
    summary: "cancels an address with the access that follows it, and writes accesses to elements in the shorter way",
    languages: FAMILY,
    proves: true,
    examples: &[
        Example {
            language: "c",
            before: "int main() { return f((&x)->a, (*p++).b, *&y, (&z[1])->c.d, &*v, &w[0]); }\n",
            keep: &["return f("],
            after: "int main() { return f(x.a, p++->b, y, z[1].c.d, v, w); }\n",
        },
        Example {
            language: "c",
            before: "int main() { return f(a[0], b[0][1], c[0]++, &d[2], *(e + 1), &g->h[i], *(j + k)->l, (m + n)[2]); }\n",
            keep: &["return f("],
            after: "int main() { return f(*a, b[0][1], c[0]++, d + 2, e[1], g->h + i, *(j + k)->l, m[n + 2]); }\n",
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
            let is_address = applied(file, node, "&").is_some();
            let object = match is_address {
                true => applied(file, inner, "*").or_else(|| first_element(file, inner)),
                false => applied(file, inner, "&"),
            };
            let shorter = || if is_address { address(file, node, inner) } else { element(file, inner, None) };
            object.map(Source::Node).or_else(shorter).map(|by| file.replace(node, by))
        }
        "subscript_expression" => {
            let Some(array) = first_element(file, node) else {
                let (_, index) = subscript(file, node)?;
                return element(file, inner, Some(index)).map(|by| file.replace(node, by));
            };
            let around = file.parent(node).filter(|&n| first(&file, n) == Some(node));
            // A star binds less closely than what stands behind an expression, and an address has its own way.
            let is_apart = |n| {
                let kind = file.kind_name(n);
                !["subscript_expression", "call_expression", "field_expression", "update_expression"]
                    .contains(&kind)
                    && applied(file, n, "&").is_none()
            };
            let by = Source::made([b"*", file.node_text(array)].concat());
            around.is_none_or(is_apart).then(|| file.replace(node, by))
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

/// The parts of `a[i]`.
fn subscript(file: File<'_>, node: NodeId) -> Option<(NodeId, NodeId)> {
    let mut parts = file.named_children(node).filter(|_| is(&file, node, "subscript_expression"));
    // In C++, the brackets around the index are a node of their own.
    let (array, index) = (parts.next()?, parts.next()?);
    Some((array, child(&file, node, "[").map_or_else(|| first(&file, index).unwrap_or(index), |_| index)))
}

/// The array of its element with the index 0.
fn first_element(file: File<'_>, node: NodeId) -> Option<NodeId> {
    let (array, index) = subscript(file, node)?;
    (file.node_text(index).trim_ascii() == b"0").then_some(array)
}

/// `a + i` for the address of `a[i]`.
fn address(file: File<'_>, address: NodeId, node: NodeId) -> Option<Source> {
    let (array, index) = subscript(file, node)?;
    let sum = [file.node_text(array), b" + ", file.node_text(index)].concat();
    Some(Source::made(operand(file, &sum, address)))
}

/// `a[i]` for what `a + i` points to, or `a[i + j]` for an element behind it.
fn element(file: File<'_>, node: NodeId, behind: Option<NodeId>) -> Option<Source> {
    let [array, plus, index] = file.children(node).collect::<Vec<_>>()[..] else { return None };
    let is_name = is(&file, array, "identifier") && is(&file, plus, "+");
    let further = behind.map(|n| [b" + ", file.node_text(n)].concat()).unwrap_or_default();
    let element = || [file.node_text(array), b"[", file.node_text(index), &further, b"]"].concat();
    is_name.then(|| Source::made(element()))
}
