//! A function goes, and each call becomes what the function does.

use crate::functions::{Function, functions};
use crate::uses::statement;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "inline",
    summary: "puts a function's body, or what it returns, in the place of its calls, and deletes it",
    grain: Grain::Coarse,
    proves: false,
    reaches: false,
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "void f(int *a, int b) { *a = b; }\nint twice(n) { return 2 * n; }\nint main() { int x; f(&x, twice(3)); }\n",
            keep: &["= ", "2 * ", "main"],
            after: "int main() { int x; { *&x = 2 * 3; } }\n",
        },
        Example {
            language: "c",
            before: "#define F(a, b) g(a, 1, b)\nint c = F(2, x.b);\n",
            keep: &["int c = ", "(2, ", "x.b)"],
            after: "int c = g(2, 1, x.b);\n",
        },
        Example {
            language: "python",
            before: "def f(a, b=1):\n    print(a)\n    print(b)\nif x:\n    f(7, b=8)\n",
            keep: &["print(", "7", "8", "if x"],
            after: "if x:\n    print(7)\n    print(8)\n",
        },
        Example {
            language: "python",
            before: "class A:\n    def f(self, a):\n        return self.b + a\nprint(x.y.f(2))\n",
            keep: &["class A", "b + ", "print(x.y."],
            after: "class A:\n    pass\nprint(x.y.b + 2)\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let inlined = move |function: &Function| inlined(file, id, function);
        functions(file).iter().filter_map(inlined).collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

/// All calls of a function that has one definition become what it does. `None` if one of them cannot.
fn inlined(file: &Parsed, id: FileId, function: &Function) -> Option<Unit> {
    let tree = file.tree();
    let body = |&node: &NodeId| {
        let is_body = |&n: &NodeId| tree.has(n, Role::Body) || tree.has(n, Role::Returned);
        let below = tree.children(statement(tree, node)).find(is_body);
        below.map(|body| (node, body))
    };
    let mut bodies = function.nodes.iter().filter_map(body);
    let (definition, body) = bodies.next().filter(|_| !function.calls.is_empty())?;
    if bodies.next().is_some() {
        return None;
    }
    let returned = match items_of(file, body)[..] {
        _ if tree.has(body, Role::Returned) => Some(body),
        [only] => tree.child_with(only, Role::Returned),
        _ => None,
    };
    let expanded = |&call: &NodeId| {
        let by = |what: NodeId| Source::Expansion { what, function: definition, call };
        let parent = tree.parent(call)?;
        let (node, what) = match returned {
            Some(returned) => (call, returned),
            None if is_all_of(file, parent, call) => (parent, body),
            None => return None,
        };
        let recursive = tree.is_within(call, statement(tree, definition));
        (!recursive).then_some(Unit::Replace { file: id, node, by: by(what) })
    };
    let calls = function.calls.iter().map(expanded).collect::<Option<Vec<Unit>>>()?;
    let gone = function.nodes.iter().map(|&node| Unit::Drop { file: id, node: statement(tree, node) });
    Some(Unit::Together(gone.chain(calls).collect()))
}

fn items_of(file: &Parsed, block: NodeId) -> Vec<NodeId> {
    let tree = file.tree();
    tree.children(block).filter(|&n| tree.is_named(n) && !tree.has(n, Role::Comment)).collect()
}

/// Whether a statement is nothing but a call.
fn is_all_of(file: &Parsed, statement: NodeId, call: NodeId) -> bool {
    file.tree().has(statement, Role::Statement) && items_of(file, statement) == [call]
}
