//! Puts one parameter that takes any number of arguments in the place of parameters without a use, or of those that are only passed
//! on: `def f(*a)` for `def f(a, b, c)`. Their arguments may have to stay, as for a method that Python itself calls.

use crate::functions::{items_of, mentions, name_in};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "variadics",
    summary: "replaces parameters that nothing uses, or that are only passed on, by one for any number of arguments: `*a`",
    languages: &["python"],
    proves: true,
    examples: &[
        Example {
            language: "python",
            before: "class a(type):\n    def __new__(b, c, d, e):\n        return super().__new__(b, c, d, e)\ndef f(g, h, i):\n    return j(g, h, i)\n",
            keep: &["class a(type):\n", "__new__(", "return super().__new__(", "def f(g, ", "return j(g, "],
            after: "class a(type):\n    def __new__(*b):\n        return super().__new__(*b)\ndef f(g, *h):\n    return j(g, *h)\n",
        },
        Example {
            language: "python",
            before: "class a:\n    def __exit__(b, c, d, e):\n        b.f()\n    def __set_name__(g, h, i):\n        pass\nf(lambda j, k: 0)\n",
            keep: &["class a:\n", "__exit__", "b.f()", "__set_name__", "pass", "\nf(lambda", "0)"],
            after: "class a:\n    def __exit__(b, *c):\n        b.f()\n    def __set_name__(*g):\n        pass\nf(lambda *j: 0)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS.files(base).flat_map(|file| {
        let is_list =
            move |&n: &NodeId| file.has(n, Role::Parameters) || file.kind_name(n) == "lambda_parameters";
        let lists = file.tree().nodes().filter(is_list);
        lists.map(move |list| {
            let passed_on = [0, 1].into_iter().filter_map(move |kept| passed_on(file, list, kept));
            variadic(file, list).into_iter().chain(passed_on).collect::<Vec<_>>()
        })
    });
    vec![Group::choices(functions).doubtful()]
}

/// The unit that puts one parameter in the place of the last ones, if there are at least two without a use.
fn variadic(file: File<'_>, list: NodeId) -> Option<Unit> {
    let function = file.parent(list)?;
    let parameters = items_of(&file, list);
    let is_idle = |&parameter: &NodeId| mentions(file, function, parameter).is_empty();
    let idle = parameters.iter().rev().take_while(|n| is_idle(n)).count();
    let (first, others) = parameters[parameters.len() - idle..].split_first()?;
    if others.is_empty() || parameters.iter().any(|&n| !is_plain(file, n)) {
        return None;
    }
    let all = Source::made(starred(file, *first)?);
    Some(Unit::together(others.iter().map(|&node| file.drop(node)).chain([file.replace(*first, all)])))
}

/// The unit that puts one parameter in the place of the last ones which are passed on to one call, side by side and in their
/// order, if there are at least two. The first ones may be kept, as one for `super()`.
fn passed_on(file: File<'_>, list: NodeId, kept: usize) -> Option<Unit> {
    let function = file.parent(list)?;
    let parameters = items_of(&file, list);
    let passed = |&parameter: &NodeId| match mentions(file, function, parameter).as_slice() {
        &[mention] => file.parent(mention).filter(|&n| file.has(n, Role::Arguments)).map(|_| mention),
        _ => None,
    };
    let mentions: Vec<NodeId> = parameters.iter().rev().map_while(passed).collect();
    let behind = |n: NodeId| file.next_sibling(n).and_then(|separator| file.next_sibling(separator));
    let count = mentions.len().min(1)
        + mentions.windows(2).take_while(|pair| behind(pair[1]) == Some(pair[0])).count();
    let count = count.saturating_sub(kept);
    if count < 2 || parameters.iter().any(|&n| !is_plain(file, n)) {
        return None;
    }
    let (first, others) = parameters[parameters.len() - count..].split_first()?;
    let (argument, arguments) = mentions[..count].split_last()?;
    let all = starred(file, *first)?;
    let dropped = others.iter().chain(arguments).map(|&node| file.drop(node));
    let made = [*first, *argument].map(|node| file.replace(node, Source::made(all.clone())));
    Some(Unit::together(dropped.chain(made)))
}

/// What takes any number of arguments under the name of a parameter.
fn starred(file: File<'_>, parameter: NodeId) -> Option<Vec<u8>> {
    Some([b"*", file.node_text(name_in(file, parameter)?)].concat())
}

/// Whether a parameter takes one argument: `a`, `a=1` or `a: int`, but not `*a` or `/`.
fn is_plain(file: File<'_>, parameter: NodeId) -> bool {
    file.text()[file.range(parameter)]
        .first()
        .is_some_and(|&c| c.is_ascii_alphabetic() || c == b'_' || c >= 0x80)
}
