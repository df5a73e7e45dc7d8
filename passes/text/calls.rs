//! Puts the body of a function, or what it returns, in the place of its calls in a text: `int f(int a) { g(a); }` and `f(1);` become
//! `g(1);`.

use super::defined::{SMALL, places};
use crate::functions::items_of;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "calls",
    summary: "puts the body of a function in the place of its calls, or what it returns, and deletes it",
    languages: &["text"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "text",
            before: "function f(a, b) {\n  i = a\n  $0 = i\n}\nBEGIN {\n  f(1)\n  print\n}\n",
            keep: &["i = ", "1", "$0 = i", "BEGIN {", "print"],
            after: "BEGIN {\n  i = 1\n  $0 = i\n  print\n}\n",
        },
        Example {
            language: "text",
            before: "fn twice(n: u8) -> u8 { return 2 * n; }\nfn g(a: u8) { h(twice(a), twice(a + 1)); }\n",
            keep: &["fn g(a: u8) { h(", "2 * ", ", ", "a + 1"],
            after: "fn g(a: u8) { h((2 * a), (2 * (a + 1))); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A function with more calls stays.
const CALLS: usize = 4;
/// The number of parts that may stand between the parameters and the body, such as the type of the result.
const BETWEEN: usize = 8;
/// Words that stand before brackets and a block, but are no names of functions.
const KEYWORDS: &[&[u8]] = &[
    b"if", b"elif", b"elseif", b"while", b"until", b"unless", b"for", b"foreach", b"switch", b"match",
    b"catch", b"with", b"when",
];

fn plan(base: &Base) -> Vec<Group> {
    let small = PASS.files(base).filter(|file| file.tokens().len() <= SMALL);
    let units = small.flat_map(|file| {
        let places = places(file);
        let functions = file.with(Role::Block).filter_map(|body| function(file, body)).collect::<Vec<_>>();
        functions
            .into_iter()
            .filter_map(move |function| inlined(file, &function, &places))
            .collect::<Vec<_>>()
    });
    vec![Group::deletions(units).doubtful()]
}

/// A function of a text.
struct Function {
    /// The statement that defines it.
    whole: NodeId,
    name: NodeId,
    parameters: NodeId,
    body: NodeId,
}

/// The function with this body.
fn function(file: File<'_>, body: NodeId) -> Option<Function> {
    let opens = |node: NodeId, bracket: &[u8]| file.node_text(node).starts_with(bracket);
    let before = |node: NodeId| file.previous_sibling(node);
    let parameters =
        std::iter::successors(before(body), |&n| before(n)).take(BETWEEN).find(|&n| opens(n, b"("));
    let parameters = parameters.filter(|_| opens(body, b"{"))?;
    let name = before(parameters).filter(|&n| is_word(file, n) && !KEYWORDS.contains(&file.node_text(n)))?;
    // A statement that begins with the name is a call.
    let _keyword = before(name)?;
    let whole = file.ancestors(body).find(|&n| file.has(n, Role::Statement))?;
    Some(Function { whole, name, parameters, body })
}

fn is_word(file: File<'_>, node: NodeId) -> bool {
    file.is_leaf(node) && file.node_text(node).iter().all(|c| c.is_ascii_alphanumeric() || *c == b'_')
}

/// Replaces all calls of a function; `None` if its name also stands where nothing is called, or if a call cannot be replaced.
fn inlined(file: File<'_>, function: &Function, places: &BTreeMap<&[u8], Vec<usize>>) -> Option<Unit> {
    let own = file.range(function.whole);
    let uses = places.get(file.node_text(function.name))?.iter().map(|&at| file.tokens()[at].range());
    let calls: Vec<Range<usize>> = uses.filter(|used| *used != file.range(function.name)).collect();
    if calls.is_empty() || calls.len() > CALLS || calls.iter().any(|call| own.contains(&call.start)) {
        return None;
    }
    let replaced = |call: &Range<usize>| {
        let name = file.innermost_at(call.clone())?;
        let list = file.next_sibling(name).filter(|&n| file.node_text(n).starts_with(b"("))?;
        // `a.f(1)` needs the object.
        let is_member = file.text()[..call.start].last().is_some_and(|c| b".:>".contains(c));
        let (range, text) = effect(file, function, name, list).filter(|_| !is_member)?;
        Some(file.write(range, text))
    };
    let replaced = calls.iter().map(replaced).collect::<Option<Vec<Unit>>>()?;
    Some(Unit::together(replaced.into_iter().chain([file.drop(function.whole)])))
}

/// What stands for a call: the body in the place of a statement that is nothing but the call, or what the body returns.
fn effect(
    file: File<'_>,
    function: &Function,
    name: NodeId,
    list: NodeId,
) -> Option<(Range<usize>, Vec<u8>)> {
    let arguments = values(file, function, list);
    let inner = file.range(function.body);
    let inner = inner.start + 1..inner.end.checked_sub(1)?;
    let tokens = file.tokens_in(inner.clone());
    let last = tokens.iter().take_while(|token| &file.text()[token.range()] != b";").last();
    if let (Some(first), Some(last)) = (tokens.first(), last)
        && &file.text()[first.range()] == b"return"
    {
        let value = filled(file, first.range().end..last.range().end, &arguments, true);
        let text = [b"(", value.trim_ascii(), b")"].concat();
        return Some((file.range(name).start..file.range(list).end, text));
    }
    let statement = file.ancestors(name).find(|&n| file.has(n, Role::Statement))?;
    let item = file.parent(name)?;
    let is_alone = items_of(&file, item) == [name, list] && items_of(&file, statement) == [item];
    let text = filled(file, inner, &arguments, false).trim_ascii().to_vec();
    is_alone.then(|| (file.range(statement), text))
}

/// The arguments of a call, by the names of the parameters.
fn values<'a>(file: File<'a>, function: &Function, list: NodeId) -> BTreeMap<&'a [u8], Range<usize>> {
    let parts = |list: NodeId| {
        let sections = items_of(&file, list).into_iter().flat_map(move |n| items_of(&file, n));
        sections.filter(|&n| !file.has(n, Role::Separator)).map(|n| file.range(n)).collect::<Vec<_>>()
    };
    let name = |range: &Range<usize>| {
        let tokens = file.tokens_in(range.clone());
        let text = |at: usize| &file.text()[tokens[at].range()];
        let end = (0..tokens.len()).find(|&at| [&b":"[..], b"="].contains(&text(at))).unwrap_or(tokens.len());
        let is_first = tokens.get(end).is_some_and(|token| &file.text()[token.range()] == b":");
        let at = if is_first { 0 } else { end.checked_sub(1)? };
        (tokens.get(at)?.kind == TokenKind::Word).then(|| text(at))
    };
    let names = parts(function.parameters);
    names.iter().zip(parts(list)).filter_map(|(range, value)| Some((name(range)?, value))).collect()
}

/// A range of a text, with the arguments in the place of the parameters: as operands, those of several tokens are in brackets.
fn filled(
    file: File<'_>,
    range: Range<usize>,
    arguments: &BTreeMap<&[u8], Range<usize>>,
    are_operands: bool,
) -> Vec<u8> {
    let mut text = Vec::new();
    let mut at = range.start;
    for token in file.tokens_in(range.clone()) {
        if let Some(argument) = arguments.get(&file.text()[token.range()]) {
            let is_grouped = are_operands && file.tokens_in(argument.clone()).len() > 1;
            let (open, close): (&[u8], &[u8]) = if is_grouped { (b"(", b")") } else { (b"", b"") };
            text.extend(
                [&file.text()[at..token.range().start], open, &file.text()[argument.clone()], close].concat(),
            );
            at = token.range().end;
        }
    }
    text.extend_from_slice(&file.text()[at..range.end]);
    text
}
