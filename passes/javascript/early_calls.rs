//! Puts the call of the next statement in the place of an expression: `f(a()); g(b);` becomes `f(g(b));`. Or turns a call inside
//! out: `g([a()], b);` becomes `[g(0)];`.
//!
//! A tool that loses an expression, or evaluates it twice, shows that in what the program prints. The statement that prints can then
//! be the lost expression itself.

use super::FAMILY;
use crate::functions::items_of;
use crate::levels::has_tokens;
use crate::uses::is_called;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "early-calls",
    summary: "puts the call of the next statement in the place of an expression, or a call into its own argument",
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
            language: "javascript",
            before: "((a = b.c(1)) => 0)();\nlog(b);\n",
            keep: &["((a = ", ") => 0)()", "log("],
            after: "((a = log(b)) => 0)();\n",
        },
        Example {
            language: "javascript",
            before: "log([a--].b, a);\n",
            keep: &["[", "].b", "log("],
            after: "[log(0)].b;\n",
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

/// The ways to evaluate the call that a statement consists of in the statement before it, or in one of its own arguments.
fn ways_of(file: File<'_>, statement: NodeId) -> Vec<Unit> {
    let call = file.named_children(statement).next().filter(|&n| file.has(n, Role::Call));
    let (Some(call), "expression_statement") = (call, file.kind_name(statement)) else { return Vec::new() };
    let Some(list) = file.child_with(call, Role::Arguments) else { return Vec::new() };
    let constant = with_constant(file, call, list);
    let before = file.previous_sibling(statement).filter(|&n| file.has(n, Role::Statement));
    let before = before.filter(|&n| !has_tokens(file, n, LONG + 1));
    let forms: Vec<Source> = std::iter::once(call.into()).chain(constant.clone().map(Source::made)).collect();
    let put = |place: NodeId| {
        forms.iter().map(move |by| Unit::together([file.replace(place, by.clone()), file.drop(statement)]))
    };
    let early = before.into_iter().flat_map(|before| innermost(file, before)).flat_map(put);
    let turned = |argument: NodeId| {
        let (whole, constant) = (file.range(argument), constant.clone()?);
        let turned = move |place: NodeId| {
            let place = file.range(place);
            let [before, behind] =
                [whole.start..place.start, place.end..whole.end].map(|range| &file.text()[range]);
            file.replace(call, Source::made([before, &constant, behind].concat()))
        };
        Some(innermost(file, argument).into_iter().map(turned))
    };
    let arguments = items_of(&file, list).into_iter().filter(|&n| !has_tokens(file, n, LONG + 1));
    early.chain(arguments.filter_map(turned).flatten().take(MOST)).collect()
}

/// The first of those compound expressions within a node that contain no others.
fn innermost(file: File<'_>, node: NodeId) -> Vec<NodeId> {
    let is_compound = |&n: &NodeId| file.has(n, Role::Expression) && !file.is_leaf(n) && !is_called(file, n);
    let compounds: Vec<NodeId> = file.descendants(node).filter(is_compound).collect();
    let innermost = compounds
        .iter()
        .enumerate()
        .filter(|&(i, &node)| compounds.get(i + 1).is_none_or(|&next| !file.is_within(next, node)));
    innermost.map(|(_, &node)| node).take(MOST).collect()
}

/// The call with a constant as its only argument: at another place, a variable may have another value.
fn with_constant(file: File<'_>, call: NodeId, list: NodeId) -> Option<Vec<u8>> {
    let is_literal = |&n: &NodeId| file.has(n, Role::Literal);
    let is_constant = items_of(&file, list).iter().all(is_literal) && items_of(&file, list).len() == 1;
    let callee = &file.text()[file.range(call).start..file.range(list).start];
    (!is_constant).then(|| [callee, b"(0)"].concat())
}
