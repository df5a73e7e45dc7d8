//! Replaces each call of a function by the function's effect, and deletes the function.

use crate::functions::{Function, functions, is_typed, items, items_of};
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::bindings::Call;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "inline",
    summary: "replaces the calls of a function by its body or its returned expression, and deletes it",
    grain: Grain::Coarse,
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
            before: "char f(unsigned char a) { return a; }\nint b = f(c + 1) + f(d);\n",
            keep: &["unsigned char", "int b = ", "c + 1", ") + ", "d"],
            after: "int b = (unsigned char) (c + 1) + (unsigned char) d;\n",
        },
        Example {
            language: "c",
            before: "int f(int a) { a++; int b = a; return b * 2; }\nint main() { return f(3) / 4; }\n",
            keep: &["main", "3", "b = ", "b * 2", " / 4"],
            after: "int main() { 3++; int b = 3;\nreturn (b * 2) / 4; }\n",
        },
        Example {
            language: "python",
            before: "def f(a):\n    b = a.c\n    b.d(1)\n    return b\nif x:\n    print(f(y))\n",
            keep: &["if x", "b = ", ".c", "b.d(1)", "print(", "y"],
            after: "if x:\n    b = y.c\n    b.d(1)\n    print(b)\n",
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
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let ways = move |f: Function<'_>| {
            let is_typed = converts(file, &f).then(|| inlined(file, &f, true));
            inlined(file, &f, false).into_iter().chain(is_typed.flatten()).collect::<Vec<_>>()
        };
        functions(file).into_iter().map(ways)
    });
    vec![Group::choices(ways).doubtful()]
}

/// Whether a call of the function may convert an argument.
fn converts(file: File<'_>, function: &Function) -> bool {
    let typed = |&n: &NodeId| items(&file, n, Role::Parameters).into_iter().any(|n| is_typed(file, n));
    function.nodes.iter().any(typed)
}

/// Replaces all calls of a function that has exactly one definition. `None` if one of them cannot be
/// replaced.
fn inlined(file: File<'_>, function: &Function, converted: bool) -> Option<Unit> {
    let body = |&node: &NodeId| {
        let is_body = |&n: &NodeId| file.has(n, Role::Body) || file.has(n, Role::Returned);
        let below = file.children(statement(&file, node)).find(is_body);
        below.map(|body| (node, body))
    };
    let mut bodies = function.nodes.iter().filter_map(body);
    let (definition, body) = bodies.next().filter(|_| !function.calls.is_empty())?;
    if bodies.next().is_some() {
        return None;
    }
    let items = items_of(&file, body);
    let last = items.last().and_then(|&last| file.child_with(last, Role::Returned));
    let returned = match items[..] {
        _ if file.has(body, Role::Returned) => Some(body),
        [_] => last,
        _ => None,
    };
    let expanded = |call: &Call| {
        let call = call.whole;
        let by = |what: NodeId| Source::Expansion { what, function: definition, call, converted };
        let parent = file.parent(call)?;
        let whole = statement(&file, call);
        let is_only = function.calls.len() == 1 && is_among_others(file, whole);
        let (node, by) = match (returned, last) {
            (Some(returned), _) => (call, by(returned)),
            (None, Some(returned)) if is_only => {
                (whole, Source::Spread { returned, function: definition, call, converted })
            }
            (None, _) if is_all_of(file, parent, call) => (parent, by(body)),
            _ => return None,
        };
        let recursive = file.is_within(call, statement(&file, definition));
        (!recursive).then_some(file.replace(node, by))
    };
    let calls = function.calls.iter().map(expanded).collect::<Option<Vec<Unit>>>()?;
    let gone = function.nodes.iter().map(|&node| file.drop(statement(&file, node)));
    Some(Unit::together(gone.chain(calls)))
}

/// Whether there is room for other statements before a statement.
fn is_among_others(file: File<'_>, statement: NodeId) -> bool {
    file.parent(statement).is_some_and(|parent| parent == NodeId::ROOT || file.has(parent, Role::Block))
}

/// Whether a statement consists only of a call.
fn is_all_of(file: File<'_>, statement: NodeId, call: NodeId) -> bool {
    file.has(statement, Role::Statement) && items_of(&file, statement) == [call]
}
