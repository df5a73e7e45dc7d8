//! Gives `operator[]` and `operator()` a name, also where objects of their class are indexed or called: `a[1]` becomes `a.b(1)`.

use super::objects::objects;
use super::operator_functions::operators;
use crate::c::{child, is};
use crate::uses::free_short_names;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "operator-calls",
    summary: "gives `operator[]` and `operator()` a name, also where objects of their class are indexed or called",
    languages: &["cpp"],
    pump: true,
    examples: &[Example {
        language: "cpp",
        before: "template <class T> struct s { T n; T &operator[](int i) { return n; } T operator()() { return n; } };\nstruct t { s<int> u; };\nint f(s<int> &v, t w, int x[2]) { return w.u[2] + x[0] + v(); }\n",
        keep: &[
            "template <class T> struct s { T n; T &",
            "(int i) { return n; } T ",
            "() { return n; } };",
            "struct t { s<int> u; };",
            "s<int> &v, t w, int x[2]",
            "2",
            "x[0]",
            "+ v",
        ],
        after: "template <class T> struct s { T n; T &b(int i) { return n; } T a() { return n; } };\nstruct t { s<int> u; };\nint f(s<int> &v, t w, int x[2]) { return w.u.b(2) + x[0] + v.a(); }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS.files(base).flat_map(|file| {
        let applied = operators(file).into_values().filter_map(move |places| {
            let applied: Vec<NodeId> = places.iter().flat_map(|&place| applications(file, place)).collect();
            (!applied.is_empty()).then_some((places, applied))
        });
        applied.zip(free_short_names(file)).map(move |((places, applied), name)| {
            let replaced = places.into_iter().map(|place| file.replace(place, Source::made(name.clone())));
            let called = applied.into_iter().flat_map(|list| called(file, list, &name));
            Unit::together(replaced.chain(called).collect::<Vec<_>>())
        })
    });
    vec![Group::deletions(functions).doubtful()]
}

/// The brackets, with what is in them, behind objects of the class in which an operator is declared.
fn applications(file: File<'_>, operator: NodeId) -> Vec<NodeId> {
    let (kind, list) = match child(&file, operator, "[]") {
        Some(_) => ("subscript_expression", "subscript_argument_list"),
        None if child(&file, operator, "()").is_some() => ("call_expression", "argument_list"),
        None => return Vec::new(),
    };
    let class = file.ancestors(operator).find(|&n| child(&file, n, "field_declaration_list").is_some());
    let objects = class.into_iter().flat_map(|class| objects(file, class));
    let uses = objects.filter_map(|object| file.definition(object)).flat_map(|object| file.uses(object));
    let lists = uses.filter_map(|used| {
        let is_member =
            |n: &NodeId| is(&file, *n, "field_expression") && file.children(*n).last() == Some(used);
        let object = file.parent(used).filter(is_member).unwrap_or(used);
        let around = file.parent(object).filter(|&n| file.children(n).next() == Some(object))?;
        child(&file, around, list).filter(|_| is(&file, around, kind))
    });
    lists.collect()
}

/// Writes a name before what is in brackets, and makes them round.
fn called(file: File<'_>, list: NodeId, name: &str) -> Vec<Unit> {
    let bracket = |square, round| child(&file, list, square).or_else(|| child(&file, list, round));
    let opened = bracket("[", "(").map(|n| file.replace(n, Source::made(format!(".{name}("))));
    opened.into_iter().chain(bracket("]", ")").map(|n| file.replace(n, ")"))).collect()
}
