//! Deletes the type that a function returns together with the returned values, which cannot stay without it.
//!
//! A trait and its `impl`s must agree about it, and so must all types of the functions that are passed around.

use crate::c::{all, child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "return-types",
    summary: "deletes the type that a function returns together with the returned values",
    languages: &["rust"],
    grain: Grain::Coarse,
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "fn f(a: u8) -> Result<u8, ()> {\n    if a > 1 { return Err(()); }\n    let g = || return 1;\n    Ok(a)\n}\n",
            keep: &["fn f(a: u8)", "if a > 1", "let g = || return 1;"],
            after: "fn f(a: u8) {\n    if a > 1 { return; }\n    let g = || return 1;\n}\n",
        },
        Example {
            language: "rust",
            before: "trait A { fn f(&self) -> u8; }\nimpl A for B { fn f(&self) -> u8 { 1 } }\nfn g(a: fn(B) -> u8, b: fn(C) -> u8) { let c: fn(B) -> u8 = a; }\n",
            keep: &["fn f(&self)", "a: fn(B)", "fn(C) -> u8", "c: fn(B)"],
            after: "trait A { fn f(&self); }\nimpl A for B { fn f(&self) {} }\nfn g(a: fn(B), b: fn(C) -> u8) { let c: fn(B) = a; }\n",
        },
        Example {
            language: "rust",
            before: "fn f(mut a: impl FnMut(u8) -> bool) { a(0); }\nfn g() { f(|b| { h(b); b > 0 }); }\n",
            keep: &["fn f(mut a: impl FnMut(u8)", " { a(0); }", "fn g() { f(|b| { h(b);", "}); }"],
            after: "fn f(mut a: impl FnMut(u8)) { a(0); }\nfn g() { f(|b| { h(b); }); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let alone = all(file, "function_item").map(move |function| ways(file, function));
        let agreeing = file.definitions().map(move |definition| agreeing(file, definition));
        agreeing.chain(alone).chain(of_types(file))
    });
    vec![Group::choices(ways).doubtful()]
}

/// All functions of one name, such as those of a trait and its `impl`s.
fn agreeing(file: File<'_>, definition: &Definition) -> Vec<Unit> {
    let functions = file.places(definition).filter_map(|place| file.parent(place.name));
    let each: Vec<Vec<Unit>> =
        functions.map(|function| ways(file, function)).filter(|ways| !ways.is_empty()).collect();
    if each.len() < 2 {
        return Vec::new();
    }
    let with_values = each.iter().any(|ways| ways.len() > 1);
    let gone = Unit::together(each.iter().filter_map(|ways| ways.first().cloned()));
    let kept = with_values.then(|| Unit::together(each.iter().filter_map(|ways| ways.last().cloned())));
    std::iter::once(gone).chain(kept).collect()
}

/// A file with more closures than this keeps the values of all.
const CLOSURES: usize = 8;

/// The types of functions, equal ones together; those that closures may have also with the values of all closures.
fn of_types(file: File<'_>) -> Vec<Vec<Unit>> {
    let closures: Vec<NodeId> = all(file, "closure_expression").take(CLOSURES + 1).collect();
    let closures = if closures.len() > CLOSURES { Vec::new() } else { closures };
    let valued = |cuts: &[Unit], is_kept| {
        let values = closures.iter().filter_map(|&closure| without_value(file, closure, is_kept));
        let values: Vec<Unit> = values.collect();
        (!values.is_empty()).then(|| Unit::together(cuts.iter().cloned().chain(values)))
    };
    let mut equal: BTreeMap<&[u8], Vec<Unit>> = BTreeMap::new();
    for typed in all(file, "function_type") {
        if let Some(cut) = without_result(file, typed) {
            equal.entry(file.node_text(typed)).or_default().push(cut);
        }
    }
    let ways = |(text, cuts): (&[u8], Vec<Unit>)| {
        let is_of_closures = text.starts_with(b"Fn");
        let more =
            [false, true].into_iter().filter(|_| is_of_closures).filter_map(|is_kept| valued(&cuts, is_kept));
        let more: Vec<Unit> = more.collect();
        more.into_iter().chain([Unit::together(cuts)]).collect()
    };
    equal.into_iter().map(ways).collect()
}

/// The value of a closure goes, or becomes a statement.
fn without_value(file: File<'_>, closure: NodeId, is_kept: bool) -> Option<Unit> {
    let body = file.named_children(closure).last()?;
    let result = without_result(file, closure);
    let value = if is(&file, body, "block") { items_of(&file, body).pop()? } else { body };
    let is_value = file.has(value, Role::Expression) && !is(&file, value, "return_expression");
    let end = file.range(value).end;
    let change = match is_kept {
        _ if !is_value => return None,
        true if value != body => file.write(end..end, *b";"),
        true => file.write(file.range(body), [b"{ ", file.node_text(body), b"; }"].concat()),
        false if value != body => file.drop(value),
        false => file.write(file.range(body), *b"{}"),
    };
    Some(Unit::together(result.into_iter().chain([change])))
}

/// Cuts the arrow and the type behind it, with the blanks in front.
fn without_result(file: File<'_>, function: NodeId) -> Option<Unit> {
    let arrow = file.children(function).find(|&n| file.node_text(n) == b"->")?;
    let end = file.range(file.next_sibling(arrow)?).end;
    let from = file.text()[..file.range(arrow).start].trim_ascii_end().len();
    Some(file.cut(from..end))
}

/// The value at the end of the body goes, or becomes a statement.
fn ways(file: File<'_>, function: NodeId) -> Vec<Unit> {
    let Some(result) = without_result(file, function) else { return Vec::new() };
    let Some(body) = child(&file, function, "block") else { return vec![result] };
    let mut units = vec![result];
    for returned in file.descendants(body).filter(|&n| is(&file, n, "return_expression")) {
        let owner = file
            .ancestors(returned)
            .find(|&n| matches!(file.kind_name(n), "closure_expression" | "function_item" | "async_block"));
        let value = file.named_children(returned).next().filter(|_| owner == Some(function));
        let keyword = file.children(returned).next().map(|n| file.range(n).end);
        units.extend(value.zip(keyword).map(|(value, from)| file.cut(from..file.range(value).end)));
    }
    let last = items_of(&file, body).pop();
    let Some(last) = last.filter(|&n| file.has(n, Role::Expression) && !is(&file, n, "return_expression"))
    else {
        return vec![Unit::together(units)];
    };
    let has_returns = file.descendants(last).any(|n| is(&file, n, "return_expression"));
    let end = file.range(last).end;
    let kept = Unit::together(units.iter().cloned().chain([file.write(end..end, *b";")]));
    let gone = (!has_returns).then(|| Unit::together(units.into_iter().chain([file.drop(last)])));
    gone.into_iter().chain([kept]).collect()
}
