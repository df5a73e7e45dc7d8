//! Deletes the results of a function together with the returned values, which cannot stay without them, or makes parameters of
//! named results.

use crate::c::{child, is};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "function-results",
    summary: "deletes the results of a function with the returned values, or makes parameters of named ones",
    languages: &["go"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "go",
            before: "package p\n\nfunc f(a int) (int, error) {\n\tif a > 1 {\n\t\treturn g(a)\n\t}\n\th(func() int { return a })\n\treturn 1, nil\n}\n",
            keep: &["func f(a int)", "if a > 1", "h(func() int { return a })"],
            after: "package p\n\nfunc f(a int) {\n\tif a > 1 {\n\t\treturn\n\t}\n\th(func() int { return a })\n}\n",
        },
        Example {
            language: "go",
            before: "package p\n\nfunc f(a int) (b, c any) {\n\tb = c\n\treturn\n}\n",
            keep: &["func f(a int", "b, c any", "b = c"],
            after: "package p\n\nfunc f(a int, b, c any) {\n\tb = c\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let functions = file.tree().nodes().filter(move |&n| is_function(file, n));
        functions.map(move |function| ways(file, function))
    });
    vec![Group::choices(ways).doubtful()]
}

pub(super) fn is_function(file: File<'_>, node: NodeId) -> bool {
    matches!(file.kind_name(node), "function_declaration" | "method_declaration" | "func_literal")
}

/// The returns of a function, without those of functions in it.
pub(super) fn own_returns(file: File<'_>, function: NodeId) -> Vec<NodeId> {
    let is_own = |&node: &NodeId| file.ancestors(node).find(|&n| is_function(file, n)) == Some(function);
    let returns = file.descendants(function).filter(|&n| is(&file, n, "return_statement"));
    returns.filter(is_own).collect()
}

/// The returns of the body itself go with their values, since only a last one makes sense there; or only the values go; or the
/// results become parameters.
fn ways(file: File<'_>, function: NodeId) -> Vec<Unit> {
    let mut children: Vec<NodeId> = file.children(function).collect();
    let (Some(body), Some(result), Some(parameters)) = (children.pop(), children.pop(), children.pop())
    else {
        return Vec::new();
    };
    if !is(&file, body, "block") || !is(&file, parameters, "parameter_list") {
        return Vec::new();
    }
    let returns = own_returns(file, function);
    let without = |goes: &dyn Fn(NodeId) -> bool| {
        let gone = returns.iter().filter_map(|&returned| match goes(returned) {
            true => Some(file.drop(returned)),
            false => child(&file, returned, "expression_list").map(|values| file.drop(values)),
        });
        Unit::together([file.cut(file.range(parameters).end..file.range(result).end)].into_iter().chain(gone))
    };
    let is_of_body = |node: NodeId| file.ancestors(node).nth(1) == Some(body);
    let some = returns.iter().any(|&n| is_of_body(n)).then(|| without(&is_of_body));
    let named = as_parameters(file, parameters, result, &returns);
    some.into_iter().chain([without(&|_| false)]).chain(named).collect()
}

/// Named results become parameters if no return has a value; these are variables, too.
fn as_parameters(file: File<'_>, parameters: NodeId, result: NodeId, returns: &[NodeId]) -> Option<Unit> {
    let is_list = is(&file, result, "parameter_list");
    // A name and a type.
    let is_named = file.named_children(result).all(|n| file.named_children(n).count() > 1);
    if !is_list || !is_named || returns.iter().any(|&n| file.named_children(n).next().is_some()) {
        return None;
    }
    let (list, added) = (file.node_text(parameters).strip_suffix(b")")?, file.node_text(result));
    let comma: &[u8] = if list.ends_with(b"(") { b"" } else { b", " };
    let text = [list, comma, added.strip_prefix(b"(")?].concat();
    let lists = file.write(file.range(parameters).start..file.range(result).end, text);
    let returns = returns.iter().map(|&returned| file.drop(returned));
    Some(Unit::together([lists].into_iter().chain(returns)))
}
