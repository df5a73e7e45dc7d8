//! A method becomes a function that is called with what it was called on: `a.f(b)` becomes `f(a, b)`. A class
//! of which nothing else is used may go then. A property becomes a method that is called.

use crate::functions::{Function, functions, items, part, receiver};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "methods",
    summary: "makes a method a function that is called with what the method was called on",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
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
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let hoisted = move |function: &Function| hoisted(file, id, function);
        let properties = file.tree().nodes().filter_map(move |node| called(file, id, node));
        functions(file).iter().filter_map(hoisted).chain(properties).collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

fn hoisted(file: &Parsed, id: FileId, function: &Function) -> Option<Unit> {
    let tree = file.tree();
    let [method] = function.nodes[..] else { return None };
    if items(tree, method, Role::Parameters).is_empty() || function.calls.is_empty() {
        return None;
    }
    let class = tree.ancestors(method).nth(1).filter(|&n| tree.kind_name(n) == "class_definition")?;
    // What decorates a class stands before it.
    let whole = tree.parent(class).filter(|&n| tree.kind_name(n) == "decorated_definition").unwrap_or(class);
    let indentation = layout::indentation(&file.text, tree.range(whole).start)?;
    let first = tree.first_leaf(whole);
    let moved = layout::moved(file, tree.range(method), indentation);
    let by = Source::made([&moved[..], b"\n", indentation, file.node_text(first)].concat());
    let mut units = vec![Unit::Drop { file: id, node: method }, Unit::Replace { file: id, node: first, by }];
    for &call in &function.calls {
        let object = receiver(tree, call).filter(|_| !tree.is_within(call, method))?;
        let reached = tree.parent(object)?;
        let open = tree.children(part(tree, call, Role::Arguments)?).next()?;
        let comma: &[u8] = if items(tree, call, Role::Arguments).is_empty() { b"" } else { b", " };
        let passed = [b"(", file.node_text(object), comma].concat();
        let callee = part(tree, call, Role::Callee)?;
        units.push(Unit::Replace { file: id, node: reached, by: Source::Node(callee) });
        units.push(Unit::Replace { file: id, node: open, by: Source::made(passed) });
    }
    Some(Unit::Together(units.into()))
}

fn called(file: &Parsed, id: FileId, decorator: NodeId) -> Option<Unit> {
    let tree = file.tree();
    if tree.kind_name(decorator) != "decorator" || file.node_text(decorator) != b"@property" {
        return None;
    }
    let function = tree.child_with(tree.parent(decorator)?, Role::Function)?;
    let name = file.node_text(tree.child_with(function, Role::FunctionName)?);
    let is_use = |&n: &NodeId| {
        let reached = tree.children(n).last().map(|n| file.node_text(n));
        tree.kind_name(n) == "attribute" && reached == Some(name)
    };
    let call = |node| {
        let by = Source::made([file.node_text(node), b"()"].concat());
        Unit::Replace { file: id, node, by }
    };
    let uses: Vec<Unit> = tree.nodes().filter(is_use).map(call).collect();
    let gone = Unit::Drop { file: id, node: decorator };
    (!uses.is_empty()).then(|| Unit::Together(std::iter::once(gone).chain(uses).collect()))
}
