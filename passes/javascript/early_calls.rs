//! Puts the call of the next statement in the place of an expression: `f(a()); g(b);` becomes `f(g(b));`.
//!
//! A tool that loses an expression, or evaluates it twice, shows that in what the program prints. The statement that prints can then
//! be the lost expression itself.

use super::FAMILY;
use crate::levels::has_tokens;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "early-calls",
    summary: "puts the call of the next statement in the place of an expression, and deletes that statement",
    languages: FAMILY,
    proves: true,
    examples: &[
        Example {
            language: "javascript",
            before: "((a = f()) => 0)();\nlog(b);\n",
            keep: &["((a = ", ") => 0)()", "log(b"],
            after: "((a = log(b)) => 0)();\n",
        },
        Example {
            language: "typescript",
            before: "const a = [c--].length;\nlog(b);\n",
            keep: &["const a = [", "].length", "log(b"],
            after: "const a = [log(b)].length;\n",
        },
        Example {
            language: "tsx",
            before: "<A b={c()}/>;\nlog(b);\n",
            keep: &["<A b={", "}/>", "log(b"],
            after: "<A b={log(b)}/>;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A statement with more tokens than this gets no call of another one.
const LONG: usize = 64;
/// The number of expressions of a statement that are tried.
const MOST: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS
        .files(base)
        .flat_map(|file| file.with(Role::Statement).map(move |statement| ways_of(file, statement)));
    vec![Group::choices(ways).doubtful()]
}

/// The ways to evaluate the call that a statement consists of in the statement before it.
fn ways_of(file: File<'_>, statement: NodeId) -> Vec<Unit> {
    let call = file.named_children(statement).next().filter(|&n| file.has(n, Role::Call));
    let (Some(call), "expression_statement") = (call, file.kind_name(statement)) else { return Vec::new() };
    let before = file.previous_sibling(statement).filter(|&n| file.has(n, Role::Statement));
    let Some(before) = before.filter(|&n| !has_tokens(file, n, LONG + 1)) else { return Vec::new() };
    let is_compound = |&n: &NodeId| file.has(n, Role::Expression) && !file.is_leaf(n);
    let compounds: Vec<NodeId> = file.descendants(before).filter(is_compound).collect();
    let innermost = compounds
        .iter()
        .enumerate()
        .filter(|&(i, &node)| compounds.get(i + 1).is_none_or(|&next| !file.is_within(next, node)));
    let forms: Vec<Source> = std::iter::once(call.into()).chain(with_constant(file, call)).collect();
    let places = innermost.map(|(_, &node)| node).take(MOST);
    let put = |place: NodeId| {
        forms.iter().map(move |by| Unit::together([file.replace(place, by.clone()), file.drop(statement)]))
    };
    places.flat_map(put).collect()
}

/// The call with a constant as its only argument: at the earlier place, a variable may have another value.
fn with_constant(file: File<'_>, call: NodeId) -> Option<Source> {
    let list = file.child_with(call, Role::Arguments)?;
    let mut arguments = file.named_children(list);
    let argument = arguments.next().filter(|&n| !file.has(n, Role::Literal) && arguments.next().is_none())?;
    let (call, argument) = (file.range(call), file.range(argument));
    let text = file.text();
    Some(Source::made([&text[call.start..argument.start], b"0", &text[argument.end..call.end]].concat()))
}
