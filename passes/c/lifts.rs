//! What an expression does first is done before its statement: the left of a comma, the statements of a
//! statement expression; and, so that what is around them can go, assignments and calls.

use super::{child, first, is};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "lifts",
    summary: "lifts what an expression does first out of its statement",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: true,
    examples: &[Example {
        language: "c",
        before: "int main() { x = ({ int a; f(y); z; }); return g((b(1), c)); }\n",
        keep: &["f(y)", "z", "b(1)", "c"],
        after: "int main() { int a; f(y); x = z; b(1); return g(c); }\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let nodes = file.tree().nodes();
        nodes.filter_map(move |node| lifted(file, id, node)).collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

fn lifted(file: &Parsed, id: FileId, node: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let (before, rest) = parts(file, node)?;
    let is_among_others = |&n: &NodeId| tree.parent(n).is_some_and(|p| is(tree, p, "compound_statement"));
    let statement = tree.ancestors(node).find(|n| tree.has(*n, Role::Statement) && is_among_others(n))?;
    let (whole, part) = (tree.range(statement), tree.range(node));
    let (head, tail) = (&file.text[whole.start..part.start], &file.text[part.end..whole.end]);
    let by = Source::made([&before[..], b" ", head, &rest, tail].concat());
    Some(Unit::Replace { file: id, node: statement, by })
}

/// What an expression does first, as statements, and what then stands for it.
fn parts(file: &Parsed, node: NodeId) -> Option<(Vec<u8>, Vec<u8>)> {
    let tree = file.tree();
    let done = |node: NodeId| [file.node_text(node), b";"].concat();
    let inner = || first(tree, node).filter(|_| tree.has(node, Role::Expression));
    match tree.kind_name(node) {
        "parenthesized_expression" if is(tree, inner()?, "comma_expression") => {
            let mut operands = tree.children(inner()?).filter(|&n| tree.is_named(n));
            let (left, right) = (operands.next()?, operands.next()?);
            let right_text = file.node_text(right);
            // An operand that is no word or call may need its brackets.
            let stands_alone = tree.is_leaf(right) || tree.has(right, Role::Call);
            let rest = if stands_alone { right_text.to_vec() } else { [b"(", right_text, b")"].concat() };
            Some((done(left), rest))
        }
        "parenthesized_expression" => {
            let block = inner().filter(|&n| is(tree, n, "compound_statement"))?;
            let last = tree.children(block).filter(|&n| tree.is_named(n)).last()?;
            let value = first(tree, last).filter(|_| is(tree, last, "expression_statement"))?;
            let open = tree.range(child(tree, block, "{")?).end;
            let before = file.text[open..tree.range(last).start].trim_ascii();
            Some((before.to_vec(), file.node_text(value).to_vec()))
        }
        "assignment_expression" if may_lose_what_is_around(tree, node) => {
            Some((done(node), file.node_text(first(tree, node)?).to_vec()))
        }
        "call_expression" if may_lose_what_is_around(tree, node) => {
            Some((done(node), file.language.constants().first()?.as_bytes().to_vec()))
        }
        _ => None,
    }
}

/// Whether an expression is an operand or argument of another one.
fn may_lose_what_is_around(tree: &Tree, node: NodeId) -> bool {
    let is_bracket = |n: &NodeId| is(tree, *n, "parenthesized_expression") || is(tree, *n, "argument_list");
    let around = tree.ancestors(node).find(|n| !is_bracket(n));
    around.is_some_and(|n| tree.has(n, Role::Expression) && !tree.has(n, Role::Variable))
}
