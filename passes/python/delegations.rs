//! Puts another function in the place of one that only calls it: `def f(a): return g(a)` becomes `f = g`. Tests are full of
//! methods such as `def __int__(self): return g()`.

use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "delegations",
    summary: "replaces a function that only calls another one by that one: `f = g`",
    languages: &["python"],
    proves: true,
    examples: &[Example {
        language: "python",
        before: "class a:\n    def f(self): return 1\n    def __int__(self):\n        return self.f()\ndef g(h, *i):\n    print(h)\nint(a()), g\n",
        keep: &["class a:\n", "def f(self): return 1\n", "__int__", "f", "g", "print", "\nint(a()), g\n"],
        after: "class a:\n    def f(self): return 1\n    __int__ = f\ng = print\nint(a()), g\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS.files(base).flat_map(|file| {
        let defined = file.tree().nodes().filter(move |&n| file.kind_name(n) == "function_definition");
        defined.filter_map(move |function| delegated(file, function))
    });
    vec![Group::deletions(functions).doubtful()]
}

/// A function whose body is only a call, as another name of what is called.
fn delegated(file: File<'_>, function: NodeId) -> Option<Unit> {
    let around = file.parent(function).filter(|&n| file.has(n, Role::Block))?;
    let parameters = file.child_with(function, Role::Parameters)?;
    let [only] = items_of(&file, file.child_with(function, Role::Body)?)[..] else { return None };
    let value = file.named_children(only).next()?;
    let callee = file.named_children(value).next().filter(|_| file.has(value, Role::Call))?;
    let is_own = |name: NodeId| {
        let mut places = file.definition(name).into_iter().flat_map(|d| file.places(d));
        places.any(|place| file.is_within(place.name, function))
    };
    let object = file.named_children(callee).next().filter(|&n| {
        let is_first =
            items_of(&file, parameters).first().is_some_and(|&p| file.node_text(p) == file.node_text(n));
        let is_in_class = file.parent(around).is_some_and(|n| file.kind_name(n) == "class_definition");
        file.kind_name(callee) == "attribute" && is_in_class && is_first
    });
    let called = match object {
        Some(_) => file.named_children(callee).last()?,
        None => callee,
    };
    if file.descendants(called).any(is_own) {
        return None;
    }
    let name = file.child_with(function, Role::FunctionName)?;
    Some(
        file.replace(function, Source::made([file.node_text(name), b" = ", file.node_text(called)].concat())),
    )
}
