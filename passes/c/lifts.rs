//! Moves the parts of an expression that are evaluated first in front of its statement: the left side of a
//! comma, the statements of a statement expression, and, to make further deletions possible, assignments and
//! calls.

use super::{FAMILY, child, first, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "lifts",
    summary: "lifts the part of an expression that is evaluated first out of its statement",
    languages: FAMILY,
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "int main() { x = ({ int a; f(y); z; }); return g((b(1), c)); }\n",
            keep: &["f(y)", "z", "b(1)", "c"],
            after: "int main() { int a; f(y); x = z; b(1); return g(c); }\n",
        },
        Example {
            language: "cpp",
            before: "int f() { return g((b(1), c)); }\n",
            keep: &["b(1)", "c"],
            after: "int f() { b(1); return g(c); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let lifted = PASS.files(base).flat_map(|file| file.tree().nodes().filter_map(move |n| lifted(file, n)));
    vec![Group::deletions(lifted).doubtful()]
}

fn lifted(file: File<'_>, node: NodeId) -> Option<Unit> {
    let (before, rest) = parts(file, node)?;
    let is_among_others = |&n: &NodeId| file.parent(n).is_some_and(|p| is(&file, p, "compound_statement"));
    let statement = file.ancestors(node).find(|n| file.has(*n, Role::Statement) && is_among_others(n))?;
    let (whole, part) = (file.range(statement), file.range(node));
    let (head, tail) = (&file.text()[whole.start..part.start], &file.text()[part.end..whole.end]);
    let by = [&before[..], b" ", head, &rest, tail].concat();
    Some(file.replace(statement, by))
}

/// The parts that are evaluated first, as statements, and the rest of the expression.
fn parts(file: File<'_>, node: NodeId) -> Option<(Vec<u8>, Vec<u8>)> {
    let done = |node: NodeId| [file.node_text(node), b";"].concat();
    let inner = || first(&file, node).filter(|_| file.has(node, Role::Expression));
    match file.kind_name(node) {
        "parenthesized_expression" if is(&file, inner()?, "comma_expression") => {
            let mut operands = file.children(inner()?).filter(|&n| file.is_named(n));
            let (left, right) = (operands.next()?, operands.next()?);
            let right_text = file.node_text(right);
            // An operand other than a word or a call may need its brackets.
            let stands_alone = file.is_leaf(right) || file.has(right, Role::Call);
            let rest = if stands_alone { right_text.to_vec() } else { [b"(", right_text, b")"].concat() };
            Some((done(left), rest))
        }
        "parenthesized_expression" => {
            let block = inner().filter(|&n| is(&file, n, "compound_statement"))?;
            let last = file.named_children(block).last()?;
            let value = first(&file, last).filter(|_| is(&file, last, "expression_statement"))?;
            let open = file.range(child(&file, block, "{")?).end;
            let before = file.text()[open..file.range(last).start].trim_ascii();
            Some((before.to_vec(), file.node_text(value).to_vec()))
        }
        "assignment_expression" if may_lose_what_is_around(&file, node) => {
            Some((done(node), file.node_text(first(&file, node)?).to_vec()))
        }
        "call_expression" if may_lose_what_is_around(&file, node) => {
            Some((done(node), file.language().constants().first()?.as_bytes().to_vec()))
        }
        _ => None,
    }
}

/// Whether an expression is an operand or argument of another expression.
fn may_lose_what_is_around(tree: &Tree, node: NodeId) -> bool {
    let is_bracket = |n: &NodeId| is(tree, *n, "parenthesized_expression") || is(tree, *n, "argument_list");
    let around = tree.ancestors(node).find(|n| !is_bracket(n));
    around.is_some_and(|n| tree.has(n, Role::Expression) && !tree.has(n, Role::Variable))
}
