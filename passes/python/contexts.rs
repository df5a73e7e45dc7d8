//! Lets a call run a piece of code in the shorter of two ways: around it, as in `with a(b): c(d)`, or by its name, as in
//! `a(b, c, d)`. Tests write both for an error that they expect.

use super::texts::changed;
use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::bindings::Call;
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "contexts",
    summary: "turns `with a(b): c(d)` into `a(b, c, d)`, and a function that is used only as the last argument of a call into the body of `with`",
    languages: &["python"],
    proves: true,
    examples: &[
        Example {
            language: "python",
            before: "with a.b(c):\n    d.e(f, g=1)\n",
            keep: &["a.b(c", "d.e", "f, g=1)"],
            after: "a.b(c, d.e, f, g=1)\n",
        },
        Example {
            language: "python",
            before: "def f():\n    with g(): h\n    i\nif j:\n    a.b(c, f)\n",
            keep: &["with g(): h\n", "i\n", "if j:\n    ", "a.b(c"],
            after: "if j:\n    with a.b(c):\n        with g(): h\n        i\n",
        },
        Example {
            language: "python",
            before: "a.b(c, lambda: d[e])\n",
            keep: &["a.b(c", "d[e]"],
            after: "with a.b(c):\n    d[e]\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let around = file.tree().nodes().filter(move |&n| file.kind_name(n) == "with_statement");
        let around = around.filter_map(move |node| passed(file, node));
        around.chain(file.bindings().calls().iter().filter_map(move |call| entered(file, call)))
    });
    vec![Group::deletions(units).doubtful()]
}

/// A `with` statement whose body is only a call, as a call that gets the function and its arguments.
fn passed(file: File<'_>, with: NodeId) -> Option<Unit> {
    let body = file.child_with(with, Role::Body)?;
    let outer = file.children(with).find(|&n| file.kind_name(n) == "with_clause")?;
    let outer = call_in(file, outer)?;
    let [only] = items_of(&file, body)[..] else { return None };
    let inner = call_in(file, only)?;
    let (function, list) = (file.named_children(inner).next()?, file.named_children(inner).last()?);
    let further = items_of(&file, list).into_iter().map(|n| file.node_text(n));
    let call = with_arguments(file, outer, std::iter::once(file.node_text(function)).chain(further))?;
    Some(file.replace(with, Source::made(call)))
}

/// The call that covers all of a node's text.
fn call_in(file: File<'_>, node: NodeId) -> Option<NodeId> {
    file.descendants(node).find(|&n| file.kind_name(n) == "call" && file.range(n) == file.range(node))
}

/// A call with further arguments behind its own ones; `None` if its own ones do not all go by their place.
fn with_arguments<'f>(
    file: File<'f>,
    call: NodeId,
    further: impl Iterator<Item = &'f [u8]>,
) -> Option<Vec<u8>> {
    let (callee, list) = (file.named_children(call).next()?, file.named_children(call).last()?);
    let own = places(file, list)?;
    let all: Vec<&[u8]> = own.into_iter().map(|n| file.node_text(n)).chain(further).collect();
    Some([file.node_text(callee), b"(", &all.join(&b", "[..]), b")"].concat())
}

/// The arguments in a list, if all go by their place.
fn places(file: File<'_>, list: NodeId) -> Option<Vec<NodeId>> {
    if file.kind_name(list) != "argument_list" {
        return None;
    }
    let arguments = items_of(&file, list);
    let is_named =
        |&n: &NodeId| matches!(file.kind_name(n), "keyword_argument" | "list_splat" | "dictionary_splat");
    (!arguments.iter().any(is_named)).then_some(arguments)
}

/// A statement that is a call whose last argument is a function without parameters, as a `with` statement around the body of
/// that function, which nothing else uses.
fn entered(file: File<'_>, call: &Call) -> Option<Unit> {
    let statement = file.parent(call.whole).filter(|&n| file.kind_name(n) == "expression_statement")?;
    let (callee, list) = (file.named_children(call.whole).next()?, file.named_children(call.whole).last()?);
    let arguments = places(file, list)?;
    let (&last, kept) = arguments.split_last()?;
    let function = if file.kind_name(last) == "lambda" { last } else { only_used_at(file, last)? };
    let has_parameters = file
        .children(function)
        .filter(|&n| matches!(file.kind_name(n), "parameters" | "lambda_parameters"))
        .any(|n| !items_of(&file, n).is_empty());
    if has_parameters || file.is_within(statement, function) {
        return None;
    }
    let indentation = layout::indentation(file.text(), file.range(statement).start)?;
    let inner = [indentation, b"    "].concat();
    let body = changed(file, file.range(file.named_children(function).last()?), &inner, Vec::new());
    let kept: Vec<&[u8]> = kept.iter().map(|&n| file.node_text(n)).collect();
    let parts: [&[u8]; 7] =
        [b"with ", file.node_text(callee), b"(", &kept.join(&b", "[..]), b"):\n", &inner, &body];
    let entered = file.replace(statement, Source::made(parts.concat()));
    let definition = (function != last).then(|| file.drop(function));
    Some(Unit::together(definition.into_iter().chain([entered])))
}

/// The function without decorators that a name stands for, if this is its only use.
fn only_used_at(file: File<'_>, name: NodeId) -> Option<NodeId> {
    let definition = file.definition(name)?;
    let (mut places, mut uses) = (file.places(definition), file.uses(definition));
    let (place, None) = (places.next()?, places.next()) else { return None };
    let (used, None) = (uses.next()?, uses.next()) else { return None };
    let function = file.parent(place.name).filter(|&n| file.has(n, Role::Function) && used == name)?;
    (file.node_text(function).starts_with(b"def") && place.whole == function).then_some(function)
}
