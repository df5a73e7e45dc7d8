//! Makes `impl Sized` of the opaque type that a function returns, so that any part of the returned value will do:
//! `fn f() -> impl Iterator { a.map(|b| c) }` becomes `fn f() -> impl Sized { || c }`.

use crate::c::{all, child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "opaque-results",
    summary: "makes `impl Sized` of an opaque type that a function returns, and a part of the returned value",
    languages: &["rust"],
    proves: true,
    examples: &[Example {
        language: "rust",
        before: "fn f(a: &[u8]) -> impl Iterator<Item = u8> { a.iter().map(|b| c + 1) }\nfn g() -> impl Fn(u8) -> u8 + 'static { h(); i }\n",
        keep: &["fn f(a: &[u8]) -> impl", "{ ", "| c + 1", " }\n", "fn g() -> impl", "{ h(); i }"],
        after: "fn f(a: &[u8]) -> impl Sized { || c + 1 }\nfn g() -> impl Sized { h(); i }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// How many parts of a value are tried, the outermost first.
const PARTS: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS
        .files(base)
        .flat_map(|file| all(file, "function_item").map(move |function| ways(file, function)));
    vec![Group::choices(ways).doubtful()]
}

fn ways(file: File<'_>, function: NodeId) -> Vec<Unit> {
    let result = file.children(function).skip_while(|&n| file.node_text(n) != b"->").nth(1);
    let is_opaque = |n: NodeId| is(&file, n, "abstract_type") || is(&file, n, "bounded_type");
    let Some(result) = result.filter(|&n| is_opaque(n)) else { return Vec::new() };
    let other = || file.write(file.range(result), *b"impl Sized");
    let last = child(&file, function, "block").and_then(|body| items_of(&file, body).pop());
    let values = last.into_iter().filter(|&n| file.has(n, Role::Expression));
    let is_part =
        |n: &NodeId| file.has(*n, Role::Expression) && !file.has(*n, Role::Literal) && !file.is_leaf(*n);
    let parts = values.flat_map(|value| {
        let parts = file.descendants(value).filter(is_part).take(PARTS);
        parts
            .map(move |part| Unit::together([other(), file.replace(value, alone(file, part))]))
            .collect::<Vec<_>>()
    });
    let is_longer = file.tokens_in(file.range(result)).len() > 2;
    is_longer.then(other).into_iter().chain(parts).collect()
}

/// The longest text of a closure, in bytes, that a unit holds: closures may be nested thousands of times.
const LONGEST: usize = 4096;

/// A value as it stands alone. Nothing says any more of which types the parameters of a closure are, so those that it does not
/// use go.
fn alone(file: File<'_>, value: NodeId) -> Source {
    let text = file.node_text(value);
    let is_used = |n: NodeId| file.definition(n).is_some_and(|d| !d.uses.is_empty());
    let parameters = child(&file, value, "closure_parameters").filter(|_| text.len() <= LONGEST);
    let Some(parameters) = parameters.filter(|&n| !file.descendants(n).any(is_used)) else {
        return value.into();
    };
    let (start, range) = (file.range(value).start, file.range(parameters));
    Source::made([&text[..range.start - start], b"||", &text[range.end - start..]].concat())
}
