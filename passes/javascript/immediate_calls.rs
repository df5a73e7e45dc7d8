//! Replaces a function that is called where it stands, as around many libraries, by its statements:
//! `(function (a) { f(a); })(1)` becomes `f(1);`.

use super::{FAMILY, bare, is_function};
use crate::functions::items_of;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit, inside};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "immediate-calls",
    summary: "replaces a function that is called where it stands by its statements",
    languages: FAMILY,
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "javascript",
            before: "(function (g, m, f) {\n  g.m = f();\n})(this, 1, function () { var a = 1; return { a }; });\nb();\n",
            keep: &["m = ", "var a", "{ a }", "b()"],
            after: "var a = 1;\nthis.m = { a };\nb();\n",
        },
        Example {
            language: "javascript",
            before: "!function (x, y) { f(x); g(x, y); }(2);\nvar v = (() => { a(); return b + 1; })() * 2;\nc((n => n)(3));\n",
            keep: &["f(", "g(", "2", "var v = ", "a()", "b + 1", ") * 2", "c(", "3"],
            after: "var x = 2, y;\nf(x); g(x, y);\na();\nvar v = (b + 1) * 2;\nc(3);\n",
        },
        Example {
            language: "typescript",
            before: "(function (a: T): void { f(a as U); })(1);\n",
            keep: &["f(", "as U", "1"],
            after: "f(1 as U);\n",
        },
        Example {
            language: "tsx",
            before: "(() => { f(<b/>); })();\n",
            keep: &["f(<b/>)"],
            after: "f(<b/>);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The statements whose texts are made for a plan have at most as many bytes as the file, times this: functions may be
/// nested thousands of times.
pub(super) const TEXTS: usize = 16;

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let calls = file.tree().nodes().filter(move |&n| file.kind_name(n) == "call_expression");
        let calls = calls.filter_map(move |call| Some((call, called(file, call)?)));
        let calls = calls.scan(TEXTS * file.text().len(), move |left, call| within(file, left, call));
        calls.filter_map(move |(call, function)| {
            let arguments = file.named_children(call).find(|&n| file.kind_name(n) == "arguments")?;
            expanded(base, file, (call, function), &items_of(&file, arguments))
        })
    });
    vec![Group::deletions(units).doubtful()]
}

/// The call and its function, unless the statements around the calls so far would make more than `left` bytes of text.
pub(super) fn within(
    file: File<'_>,
    left: &mut usize,
    (call, function): (NodeId, NodeId),
) -> Option<(NodeId, NodeId)> {
    *left = left.checked_sub(file.range(statement(&file, call)).len())?;
    Some((call, function))
}

/// The function that stands where it is called.
fn called(file: File<'_>, call: NodeId) -> Option<NodeId> {
    let function = bare(file, file.named_children(call).next()?);
    matches!(file.kind_name(function), "function_expression" | "arrow_function").then_some(function)
}

/// Texts for parts of the program, in order.
type Changes = Vec<(Range<usize>, Vec<u8>)>;

/// Puts the statements of a function in front of the statement with the call, and what the function returns in the place of the call.
/// These arguments take the places of its parameters.
pub(super) fn expanded(
    base: &Base,
    file: File<'_>,
    (call, function): (NodeId, NodeId),
    arguments: &[NodeId],
) -> Option<Unit> {
    let body = file.named_children(function).last()?;
    let (bound, mut changes) = bindings(file, parameters(file, function)?, arguments)?;
    let whole = statement(&file, call);
    let place = outermost(file, call);
    let is_value = file.kind_name(body) != "statement_block";
    let value = || enclosed(file, body, changed(file, file.range(body), &changes));
    if is_value && bound.is_empty() {
        return Some(file.replace(place, value()));
    }
    let parent = file.parent(whole)?;
    if parent != NodeId::ROOT && !file.has(parent, Role::Block) {
        return None;
    }
    if is_value {
        let statement = changed(file, file.range(whole), &[(file.range(place), value())]);
        return Some(file.replace(whole, Source::made([bound, statement].concat())));
    }
    let statements = items_of(&file, body);
    let returns = |n: NodeId| file.kind_name(n) == "return_statement";
    let last = statements.last().copied().filter(|&n| returns(n));
    let own =
        |n: &NodeId| returns(*n) && file.ancestors(*n).find(|&n| is_function(file, n)) == Some(function);
    if file.descendants(body).filter(own).any(|n| Some(n) != last) {
        return None;
    }
    let value = last.and_then(|last| file.named_children(last).next());
    let result = value.map(|value| enclosed(file, value, changed(file, file.range(value), &changes)));
    let is_alone = file.range(place).start == file.range(whole).start
        && items_of(&file, whole).iter().all(|&n| file.range(n) == file.range(place));
    if let Some(last) = last {
        let range = file.range(last);
        changes.retain(|(part, _)| part.start < range.start || range.end <= part.start);
        changes.push((range, Vec::new()));
        changes.sort_by_key(|(part, _)| part.start);
    }
    let mut text =
        [bound, changed(file, inside(base, file.id, body), &changes).trim_ascii().to_vec()].concat();
    if !is_alone || result.is_some() {
        let result = result.unwrap_or_else(|| b"undefined".to_vec());
        text.push(b'\n');
        text.extend(changed(file, file.range(whole), &[(file.range(place), result)]));
    }
    Some(file.replace(whole, Source::made(text)))
}

/// A call with the brackets around it, and with the operator of a statement such as `!function () {}()`.
fn outermost(file: File<'_>, call: NodeId) -> NodeId {
    let is_around = |n: NodeId| match file.kind_name(n) {
        "parenthesized_expression" => true,
        "unary_expression" => file.parent(n).is_some_and(|n| file.kind_name(n) == "expression_statement"),
        _ => false,
    };
    std::iter::successors(Some(call), |&n| file.parent(n).filter(|&n| is_around(n))).last().unwrap_or(call)
}

/// The names of a function's parameters; `None` if one of them is more than a name with a type.
fn parameters(file: File<'_>, function: NodeId) -> Option<Vec<NodeId>> {
    let first = file.named_children(function).find(|&n| file.kind_name(n) != "comment")?;
    let list = match file.kind_name(first) {
        // `a => a`
        "identifier" if file.kind_name(function) == "arrow_function" => return Some(vec![first]),
        "formal_parameters" => first,
        _ => file.named_children(function).find(|&n| file.kind_name(n) == "formal_parameters")?,
    };
    let name = |n: NodeId| match file.kind_name(n) {
        "identifier" => Some(n),
        // `a: b` and `a?: b` of TypeScript
        "required_parameter" | "optional_parameter" => {
            let mut parts = file.named_children(n);
            let name = parts.next().filter(|&n| file.kind_name(n) == "identifier");
            name.filter(|_| parts.all(|n| file.kind_name(n) == "type_annotation"))
        }
        _ => None,
    };
    items_of(&file, list).into_iter().map(name).collect()
}

/// What binds parameters to their arguments: a declaration of those that are used several times, and the arguments in the
/// places of the others. `None` if an argument is spread.
fn bindings(file: File<'_>, parameters: Vec<NodeId>, arguments: &[NodeId]) -> Option<(Vec<u8>, Changes)> {
    if arguments.iter().any(|&n| file.kind_name(n) == "spread_element") {
        return None;
    }
    let (mut declared, mut changes) = (Vec::new(), Changes::new());
    let given = arguments.iter().map(Some).chain(std::iter::repeat(None));
    for (parameter, argument) in parameters.into_iter().zip(given) {
        let uses: Vec<NodeId> = file.definition(parameter).map_or_else(Vec::new, |d| file.uses(d).collect());
        let name = file.node_text(parameter);
        match (&uses[..], argument) {
            ([], _) => {}
            (_, Some(&argument)) if file.node_text(argument) == name => {}
            (&[used], Some(&argument)) => {
                let text = enclosed(file, argument, file.node_text(argument).to_vec());
                changes.push((file.range(used), text));
            }
            (_, Some(&argument)) => declared.push([name, b" = ", file.node_text(argument)].concat()),
            (_, None) => declared.push(name.to_vec()),
        }
    }
    changes.sort_by_key(|(range, _)| range.start);
    let declaration = if declared.is_empty() {
        Vec::new()
    } else {
        [b"var ", &declared.join(&b", "[..])[..], b";\n"].concat()
    };
    Some((declaration, changes))
}

/// A text for an expression, in brackets if the expression needs some in another place.
fn enclosed(file: File<'_>, node: NodeId, text: Vec<u8>) -> Vec<u8> {
    let needs = file.kind_name(node).ends_with("_expression")
        && !matches!(
            file.kind_name(node),
            "member_expression" | "call_expression" | "parenthesized_expression"
        );
    let needs = needs || file.kind_name(node) == "arrow_function";
    if needs { [b"(", &text[..], b")"].concat() } else { text }
}

/// The text of a range with changes; those outside of the range do not count.
fn changed(file: File<'_>, range: Range<usize>, changes: &[(Range<usize>, Vec<u8>)]) -> Vec<u8> {
    let (mut text, mut at) = (Vec::new(), range.start);
    for (part, by) in changes.iter().filter(|(part, _)| range.start <= part.start && part.end <= range.end) {
        text.extend_from_slice(&file.text()[at..part.start]);
        text.extend_from_slice(by);
        at = part.end;
    }
    text.extend_from_slice(&file.text()[at..range.end]);
    text
}
