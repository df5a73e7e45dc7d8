//! Lets objects that only wrap another one be that object: a class whose constructor stores one attribute becomes a
//! function that returns it. Methods that only call the same method of the attribute go; the others move to the class of
//! the attribute.

use super::classes::{Class, classes, function_of};
use super::texts::{Change, change, changed};
use crate::functions::{items, items_of};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "wrappers",
    summary: "replaces an object that wraps another one by that object",
    languages: &["python"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[Example {
        language: "python",
        before: "class A:\n    def f(self):\n        return 1\nclass B:\n    def __init__(self, b):\n        self.a = A(b)\n    def f(self):\n        return self.a.f()\n    def g(self):\n        return self.a.c + self.f()\nB(2).a.d\n",
        keep: &["class A", "def f(self)", "1", "B", "A(b)", "def g(self)", ".c + self.f()", "B(2)", ".d"],
        after: "class A:\n    def f(self):\n        return 1\n    def g(self):\n        return self.c + self.f()\ndef B(b):\n    return A(b)\nB(2).d\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let classes = classes(file);
        let unwrapped = |class: &Class| Wrapper::of(file, class)?.unwrapped(file, &classes);
        classes.iter().filter_map(unwrapped).collect::<Vec<Unit>>()
    });
    vec![Group::deletions(units).doubtful()]
}

/// A class whose constructor only stores a value in an attribute.
struct Wrapper {
    class: Class,
    constructor: NodeId,
    /// The accesses to the attribute.
    accesses: Vec<NodeId>,
    value: NodeId,
}

impl Wrapper {
    fn of(file: File<'_>, class: &Class) -> Option<Self> {
        let constructor = class.method(file, b"__init__")?;
        let [only] = items(&file, constructor, Role::Body)[..] else { return None };
        let set = file.children(only).find(|&n| file.child_with(n, Role::Value).is_some())?;
        let (target, value) = (file.child_with(set, Role::Target)?, file.child_with(set, Role::Value)?);
        let attribute = file.children(target).last().filter(|_| file.has(target, Role::Access))?;
        let definition = file.definition(attribute)?;
        let is_inside = file.places(definition).all(|place| file.is_within(place.name, constructor));
        let access = |name: NodeId| file.parent(name).filter(|&n| file.has(n, Role::Access));
        let accesses = file.uses(definition).map(access).collect::<Option<Vec<NodeId>>>()?;
        is_inside.then_some(Self { class: *class, constructor, accesses, value })
    }

    fn unwrapped(&self, file: File<'_>, classes: &[Class]) -> Option<Unit> {
        let Self { class, constructor, accesses, value } = self;
        let object = |access: NodeId| file.children(access).next();
        let moved: Vec<NodeId> = class
            .members(file)
            .into_iter()
            .filter(|&n| !file.is_within(*constructor, n) && !self.is_forwarded(file, n))
            .collect();
        let head = file.range(class.whole).start;
        let to = layout::indentation(file.text(), head)?;
        let parameters = items(&file, *constructor, Role::Parameters);
        let parameters: Vec<&[u8]> = parameters.iter().skip(1).map(|&n| file.node_text(n)).collect();
        let parts: [&[u8]; 8] = [
            b"def ",
            file.node_text(class.name),
            b"(",
            &parameters.join(&b", "[..]),
            b"):\n",
            to,
            b"    return ",
            file.node_text(*value),
        ];
        let mut units = vec![file.replace(class.whole, Source::made(parts.concat()))];
        let outside = accesses.iter().filter(|&&n| !file.is_within(n, class.whole));
        for &access in outside {
            units.push(file.replace(access, object(access)?));
        }
        if !moved.is_empty() {
            let callee = file.bindings().call(*value)?.callee;
            let host = Class::named(file, classes, callee)
                .filter(|host| *host != class && !file.is_within(class.whole, host.whole))?;
            let inner = layout::indentation(file.text(), file.range(host.body).start)?;
            let mut text = Vec::new();
            for member in moved {
                let inside = accesses.iter().filter(|&&n| file.is_within(n, member));
                let changes = inside.map(|&n| Some(change(file, n, file.node_text(object(n)?))));
                let changes = changes.collect::<Option<Vec<Change>>>()?;
                let method = changed(file, file.range(member), inner, changes);
                text.extend([b"\n", inner, &method].concat());
            }
            let end = file.range(host.body).end;
            units.push(file.write(end..end, text));
        }
        Some(Unit::together(units))
    }

    /// Whether a member only asks the attribute for what has the member's own name.
    fn is_forwarded(&self, file: File<'_>, member: NodeId) -> bool {
        let asked = || {
            let function = function_of(file, member)?;
            let name = file.child_with(function, Role::FunctionName)?;
            let [only] = items(&file, function, Role::Body)[..] else { return None };
            let asked = file.child_with(only, Role::Returned).or(items_of(&file, only).first().copied())?;
            let asked = match file.bindings().call(asked) {
                Some(call) => file.parent(call.callee)?,
                None => asked,
            };
            let (of, part) = (file.children(asked).next()?, file.children(asked).last()?);
            Some(self.accesses.contains(&of) && file.node_text(part) == file.node_text(name))
        };
        asked().unwrap_or(false)
    }
}
