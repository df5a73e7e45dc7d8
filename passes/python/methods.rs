//! Turns a method into a function whose first argument is the object: `a.f(b)` becomes `f(a, b)`. A class
//! with no other use can then be deleted. A property becomes a method that is called.

use crate::functions::{Function, functions, items, part, receiver};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "methods",
    summary: "turns a method into a function whose first argument is the object",
    languages: &["python"],
    pump: true,
    examples: &[
        Example {
            language: "python",
            before: "class A:\n    def f(self):\n        return self\n    def g(self, a):\n        b = a\n        return self.f()\nA().g(1)\n",
            keep: &["class A", "def f(self)", "def g(self, a)", "b = a", "return ", "self", "A()", ".g"],
            after: "def f(self):\n    return self\nclass A:\n    def g(self, a):\n        b = a\n        return f(self)\nA().g(1)\n",
        },
        Example {
            language: "python",
            before: "class A:\n    @property\n    def f(self):\n        return 1\nA().f\n",
            keep: &["class A", "    def f(self)", "return 1", "A().f"],
            after: "class A:\n    def f(self):\n        return 1\nA().f()\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let hoisted = functions(file).into_iter().filter_map(move |function| hoisted(file, &function));
        hoisted.chain(file.tree().nodes().filter_map(move |node| called(file, node)))
    });
    vec![Group::deletions(units).doubtful()]
}

fn hoisted(file: File<'_>, function: &Function) -> Option<Unit> {
    let [method] = function.nodes[..] else { return None };
    if items(&file, method, Role::Parameters).is_empty() || function.calls.is_empty() {
        return None;
    }
    let class = file.ancestors(method).nth(1).filter(|&n| file.kind_name(n) == "class_definition")?;
    // The decorators of a class precede it.
    let whole = file.parent(class).filter(|&n| file.kind_name(n) == "decorated_definition").unwrap_or(class);
    let indentation = layout::indentation(file.text(), file.range(whole).start)?;
    let first = file.first_leaf(whole);
    let moved = layout::moved(file.parsed, file.range(method), indentation);
    let by = Source::made([&moved[..], b"\n", indentation, file.node_text(first)].concat());
    let mut units = vec![file.drop(method), file.replace(first, by)];
    for call in function.calls {
        let object = receiver(&file, call).filter(|_| !file.is_within(call.whole, method))?;
        let reached = file.parent(object)?;
        let open = file.children(part(&file, call.whole, Role::Arguments)?).next()?;
        let comma: &[u8] = if items(&file, call.whole, Role::Arguments).is_empty() { b"" } else { b", " };
        let passed = [b"(", file.node_text(object), comma].concat();
        units.push(file.replace(reached, call.callee));
        units.push(file.replace(open, passed));
    }
    Some(Unit::together(units))
}

fn called(file: File<'_>, decorator: NodeId) -> Option<Unit> {
    if file.kind_name(decorator) != "decorator" || file.node_text(decorator) != b"@property" {
        return None;
    }
    let function = file.child_with(file.parent(decorator)?, Role::Function)?;
    let name = file.child_with(function, Role::FunctionName)?;
    let reaching = |name: NodeId| {
        let attribute = file.parent(name).filter(|&n| file.kind_name(n) == "attribute")?;
        (file.children(attribute).last() == Some(name)).then_some(attribute)
    };
    let call = |node| {
        let by = [file.node_text(node), b"()"].concat();
        file.replace(node, by)
    };
    let uses: Vec<Unit> =
        file.bindings().occurrences(name).into_iter().filter_map(reaching).map(call).collect();
    let gone = file.drop(decorator);
    (!uses.is_empty()).then(|| Unit::together(std::iter::once(gone).chain(uses)))
}
