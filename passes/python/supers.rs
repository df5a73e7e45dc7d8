//! Replaces a call of the method of a base class through `super()` by that method's body or returned expression.

use super::classes::{Class, classes};
use crate::functions::{items_of, receiver};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::bindings::Call;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "supers",
    summary: "replaces a call through `super()` by the body or the result of the method in the base class",
    languages: &["python"],
    pump: true,
    examples: &[Example {
        language: "python",
        before: "class A:\n    def __init__(self, a):\n        self.a = a\n    def f(self, b):\n        return b + 1\nclass B(A):\n    def __init__(self):\n        super(B, self).__init__(2)\n    def f(self, c):\n        return super().f(c.d) * 2\n",
        keep: &[
            "class A",
            "a):\n",
            ".a = a",
            "def f(self, b)",
            "return b + 1",
            "class B(A)",
            "__init__(self)",
            "2",
            " * 2",
            "def f(self, c)",
        ],
        after: "class A:\n    def __init__(self, a):\n        self.a = a\n    def f(self, b):\n        return b + 1\nclass B(A):\n    def __init__(self):\n        self.a = 2\n    def f(self, c):\n        return (c.d + 1) * 2\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let expanded = PASS.files(base).flat_map(|file| {
        let classes = classes(file);
        let calls = file.bindings().calls().iter();
        calls.filter_map(|call| expanded(file, &classes, call)).collect::<Vec<_>>()
    });
    vec![Group::deletions(expanded).doubtful()]
}

fn expanded(file: File<'_>, classes: &[Class], call: &Call) -> Option<Unit> {
    let object = receiver(&file, call).and_then(|n| file.bindings().call(n))?;
    if file.node_text(object.callee) != b"super" {
        return None;
    }
    let class = Class::around(file, classes, call.whole)?;
    let method = inherited(file, classes, class, file.node_text(call.callee))?;
    let body = file.child_with(method, Role::Body)?;
    let by = |what| Source::Expansion { what, function: method, call: call.whole, converted: false };
    let around = file.parent(call.whole)?;
    let is_all = file.has(around, Role::Statement) && items_of(&file, around) == [call.whole];
    match items_of(&file, body)[..] {
        [last] if let Some(returned) = file.child_with(last, Role::Returned) => {
            Some(file.replace(call.whole, by(returned)))
        }
        _ => is_all.then(|| file.replace(around, by(body))),
    }
}

/// The method that a class inherits under a name.
fn inherited(file: File<'_>, classes: &[Class], class: &Class, name: &[u8]) -> Option<NodeId> {
    let mut due = vec![*class];
    let mut seen: Vec<NodeId> = Vec::new();
    while let Some(class) = due.pop() {
        if seen.contains(&class.node) {
            continue;
        }
        if !seen.is_empty()
            && let Some(method) = class.method(file, name)
        {
            return Some(method);
        }
        seen.push(class.node);
        let bases = class.bases(file).into_iter().rev();
        due.extend(bases.filter_map(|n| Class::named(file, classes, n)));
    }
    None
}
