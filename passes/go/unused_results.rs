//! Deletes a result that no call of a function uses, in its returns and where calls give it to `_`, too.

use super::function_results::{is_function, own_returns};
use crate::c::{child, is};
use crate::functions::items_of;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "unused-results",
    summary: "deletes a result of a function that each call gives to `_`, with the variable that only a return uses",
    languages: &["go"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "go",
            before: "package p\n\nfunc f(a int) (int, *T, error) {\n\tb, c := g(a)\n\tif b > 1 {\n\t\treturn b, nil, c\n\t}\n\treturn a, nil, h(c)\n}\nfunc k() {\n\tx, _, _ := f(1)\n\tf(x)\n}\n",
            keep: &["func f(a int) (int", "g(a)", "return b", "return a", "\tx", "f(1)", "\tf(x)", "b > 1"],
            after: "package p\n\nfunc f(a int) (int) {\n\tb, _ := g(a)\n\tif b > 1 {\n\t\treturn b\n\t}\n\treturn a\n}\nfunc k() {\n\tx := f(1)\n\tf(x)\n}\n",
        },
        Example {
            language: "go",
            before: "package p\n\nfunc k() {\n\t_, x := func(a int) (int, int) {\n\t\tb := 2 * a\n\t\treturn b, a\n\t}(1)\n\tg(x)\n}\n",
            keep: &["x", "func(a int)", "return ", "a\n", "}(1)", "g(x)"],
            after: "package p\n\nfunc k() {\n\tx := func(a int) (int) {\n\t\treturn a\n\t}(1)\n\tg(x)\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    // A file does not show the calls in the other files of its package.
    if base.is_of_several() {
        return Vec::new();
    }
    let functions = PASS.files(base).flat_map(|file| {
        let functions = file.tree().nodes().filter(move |&n| is_function(file, n));
        functions.map(move |function| ways(file, function))
    });
    vec![Group::choices(functions).doubtful()]
}

/// A way for each of several results.
fn ways(file: File<'_>, function: NodeId) -> Vec<Unit> {
    let is_list = |&n: &NodeId| is(&file, n, "parameter_list");
    // The parameters come first, behind the receiver of a method.
    let results = file.children(function).filter(is_list).last().filter(|&n| !file.has(n, Role::Parameters));
    let results = results.map_or(vec![], |list| items_of(&file, list));
    if results.len() < 2 {
        return Vec::new();
    }
    let Some(calls) = calls(file, function) else { return Vec::new() };
    (0..results.len()).filter_map(|index| without(file, function, &results, &calls, index)).collect()
}

/// The calls of a function: of one that stands where it is called, that one. `None` if there may be others.
fn calls(file: File<'_>, function: NodeId) -> Option<Vec<NodeId>> {
    let around = file.parent(function)?;
    if is(&file, around, "call_expression") {
        return (file.children(around).next() == Some(function)).then(|| vec![around]);
    }
    let name = file.child_with(function, Role::FunctionName)?;
    let definition = file.definition(name)?;
    let all_are_calls = definition.uses.len() == definition.calls.len();
    all_are_calls.then(|| definition.calls.iter().map(|call| call.whole).collect())
}

/// Deletes one result.
fn without(
    file: File<'_>,
    function: NodeId,
    results: &[NodeId],
    calls: &[NodeId],
    index: usize,
) -> Option<Unit> {
    let mut units = vec![file.drop(results[index])];
    let mut values = Vec::new();
    for returned in own_returns(file, function) {
        let returned = items_of(&file, child(&file, returned, "expression_list")?);
        values.push(*returned.get(index).filter(|_| returned.len() == results.len())?);
    }
    for &call in calls {
        let around = file.parent(call)?;
        if is(&file, around, "expression_statement") {
            continue;
        }
        let targets =
            targets(file, statement(&file, call)).filter(|targets| targets.len() == results.len())?;
        if !is(&file, around, "expression_list") || file.node_text(targets[index]) != b"_" {
            return None;
        }
        units.push(match named(file, &targets) {
            0 => file.cut(file.range(targets[0]).start..file.range(call).start),
            _ => file.drop(targets[index]),
        });
    }
    units.extend(unused(file, &values)?);
    units.extend(values.into_iter().map(|value| file.drop(value)));
    Some(Unit::together(units))
}

/// What stands on the left of an assignment or a short declaration.
fn targets(file: File<'_>, statement: NodeId) -> Option<Vec<NodeId>> {
    let is_assignment =
        is(&file, statement, "short_var_declaration") || is(&file, statement, "assignment_statement");
    let list = file.children(statement).next().filter(|_| is_assignment)?;
    Some(items_of(&file, list))
}

/// How many of these targets are not `_`.
fn named(file: File<'_>, targets: &[NodeId]) -> usize {
    targets.iter().filter(|&&target| file.node_text(target) != b"_").count()
}

/// For the variables that only these values use: `_` in the place of each, or without its declaration. `None` if one of them
/// has another sort of declaration, since Go refuses variables without a use.
fn unused(file: File<'_>, values: &[NodeId]) -> Option<Vec<Unit>> {
    let is_within = |name: NodeId| values.iter().any(|&value| file.is_within(name, value));
    let names = values.iter().flat_map(|&value| file.bindings().within(&file, value));
    let lost: BTreeSet<usize> = names.map(|(_, definition)| definition).collect();
    let mut units = Vec::new();
    for definition in lost.into_iter().map(|index| &file.bindings().definitions()[index]) {
        let is_local = definition.sort == Sort::Variable && definition.scope != NodeId::ROOT;
        if !is_local || !file.uses(definition).all(is_within) {
            continue;
        }
        let [place] = definition.places[..] else { return None };
        let declaration = statement(&file, place.name);
        let targets = targets(file, declaration)?;
        if targets.len() == 1 {
            units.push(file.drop(declaration));
            continue;
        }
        units.push(file.write(file.range(place.name), "_"));
        if named(file, &targets) == 1 {
            let sign = child(&file, declaration, ":=")?;
            units.push(file.write(file.range(sign), "="));
        }
    }
    Some(units)
}
