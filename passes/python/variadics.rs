//! Puts one parameter that takes any number of arguments in the place of parameters without a use: `def f(*a)` for
//! `def f(a, b, c)`. Their arguments may have to stay, as for a method that Python itself calls.

use crate::functions::{items_of, mentions, name_in};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "variadics",
    summary: "replaces parameters that nothing uses by one for any number of arguments: `*a`",
    languages: &["python"],
    proves: true,
    examples: &[Example {
        language: "python",
        before: "class a:\n    def __exit__(b, c, d, e):\n        b.f()\n    def __set_name__(g, h, i):\n        pass\nf(lambda j, k: 0)\n",
        keep: &["class a:\n", "__exit__", "b.f()", "__set_name__", "pass", "\nf(lambda", "0)"],
        after: "class a:\n    def __exit__(b, *c):\n        b.f()\n    def __set_name__(*g):\n        pass\nf(lambda *j: 0)\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS.files(base).flat_map(|file| {
        let is_list =
            move |&n: &NodeId| file.has(n, Role::Parameters) || file.kind_name(n) == "lambda_parameters";
        let lists = file.tree().nodes().filter(is_list);
        lists.filter_map(move |list| variadic(file, list))
    });
    vec![Group::deletions(functions).doubtful()]
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
    let name = file.node_text(name_in(file, *first)?);
    let all = file.replace(*first, Source::made([b"*", name].concat()));
    Some(Unit::together(others.iter().map(|&node| file.drop(node)).chain([all])))
}

/// Whether a parameter takes one argument: `a`, `a=1` or `a: int`, but not `*a` or `/`.
fn is_plain(file: File<'_>, parameter: NodeId) -> bool {
    file.text()[file.range(parameter)]
        .first()
        .is_some_and(|&c| c.is_ascii_alphabetic() || c == b'_' || c >= 0x80)
}
