//! Replaces each call of a function by the function's effect, and deletes the function.

use crate::functions::{Function, evaluated, functions, is_typed, items, items_of};
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::bindings::{Call, Sort};
use lopper_languages::references::Naming;
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
            language: "cpp",
            before: "template <class T> T f(T a) { return a + 1; }\nint b = f(2);\n",
            keep: &["+ 1", "int b = ", "2"],
            after: "int b = 2 + 1;\n",
        },
        Example {
            language: "cpp",
            before: "struct a { int b; int f(int c) { return b + c; } static int g() { return h; } static int h; };\nint i(a &x) { return x.f(x.b) * a::g(); }\n",
            keep: &["struct a { int b; ", "static int h; };", "int i(a &x) { return ", " * "],
            after: "struct a { int b; static int h; };\nint i(a &x) { return (x.b + x.b) * a::h; }\n",
        },
        Example {
            language: "cpp",
            before: "int f() { auto g = [](int a) { return a + 1; }; return g(2); }\n",
            keep: &["int f() { ", "return ", "2"],
            after: "int f() { return 2 + 1; }\n",
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
            before: "def f(a, *b, **c):\n    a.g(*b, d=1, **c)\ndef h(*b):\n    i(3, *b)\nif x:\n    f(y, 2, k=4)\n    h()\n",
            keep: &["if x", "y", ".g(", "2", "d=1", "k=4", "i(3"],
            after: "if x:\n    y.g(2, d=1, k=4)\n    i(3)\n",
        },
        Example {
            language: "javascript",
            before: "function f(a, ...b) { return a.g(...b); }\nprint(f(x, 1, 2));\n",
            keep: &["print(", "x", ".g(", "1, 2"],
            after: "print(x.g(1, 2));\n",
        },
        Example {
            language: "python",
            before: "class A:\n    def f(self, a):\n        return self.b + a\nprint(x.y.f(2))\n",
            keep: &["class A", "b + ", "print(x.y."],
            after: "class A:\n    pass\nprint(x.y.b + 2)\n",
        },
        Example {
            language: "javascript",
            before: "const twice = (n) => 2 * n;\nprint(twice(a + 1));\n",
            keep: &["2 * ", "print(", "a + 1"],
            after: "print(2 * (a + 1));\n",
        },
        Example {
            language: "javascript",
            before: "function f(a) { h = a; }\ng(f(b()) + 1, f(c));\n",
            keep: &["g(", " + 1", "b()", "h = ", "c"],
            after: "g((h = b()) + 1, h = c);\n",
        },
        Example {
            language: "go",
            before: "func f(a int) {\n\tg(a)\n\tg(2)\n}\nfunc g(b int) int {\n\treturn h(b)\n}\n",
            keep: &["func f(a int) {", "h(", "2"],
            after: "func f(a int) {\n\th(a)\n\th(2)\n}\n",
        },
        Example {
            language: "rust",
            before: "fn twice(n: u8) -> u8 { 2 * n }\nfn f(a: u8) -> u8 { twice(a + 1) }\n",
            keep: &["2 * ", "fn f(a: u8)", "a + 1"],
            after: "fn f(a: u8) -> u8 { 2 * (a + 1) }\n",
        },
        Example {
            language: "php",
            before: "<?php\nfunction f($a) { return $a + 1; }\necho f($b);\n",
            keep: &["<?php", "+ 1", "echo ", "$b"],
            after: "<?php\necho $b + 1;\n",
        },
        Example {
            language: "ruby",
            before: "def f(a)\n  print(a)\nend\ndef g(a)\n  a + 1\nend\nf(g(2))\n",
            keep: &["print(", "2", "+ 1"],
            after: "print(2 + 1)\n",
        },
        Example {
            language: "lua",
            before: "local function f(a) return a + 1 end\nprint(f(2))\n",
            keep: &["print(", "2", "+ 1"],
            after: "print(2 + 1)\n",
        },
        Example {
            language: "javascript",
            before: "class A { f(a) { return this.b + a; } }\nprint(x.y.f(2));\n",
            keep: &["class A", "b + ", "print(x.y."],
            after: "class A { }\nprint(x.y.b + 2);\n",
        },
        Example {
            language: "javascript",
            before: "var o = { f: function (a) { return this.b + a; }, g: (a) => h(a), b: 1 };\nprint(o.f(2), o.g(3));\n",
            keep: &["var o = {", "b: 1", "print(", "b + ", "h("],
            after: "var o = { b: 1 };\nprint(o.b + 2, h(3));\n",
        },
        Example {
            language: "php",
            before: "<?php\nclass A { function f($a) { $this->b = $a; $this->g(); } }\n$c = new A;\n$c->f(1);\n",
            keep: &["class A", "$c = new A", "b = ", "1", "g()"],
            after: "<?php\nclass A { }\n$c = new A;\n{ $c->b = 1; $c->g(); }\n",
        },
        Example {
            language: "php",
            before: "<?php\nclass A { static $b; static function f() { g(A::$b); } function h() { A::f(); } }\n",
            keep: &["<?php", "static $b", "g(", "A::$b", "function h()"],
            after: "<?php\nclass A { static $b; function h() { { g(A::$b); } } }\n",
        },
        Example {
            language: "java",
            before: "class A { int b; int f(int a) { return this.b + a; } int g(A c) { return c.f(2); } }\n",
            keep: &["class A { int b; ", "int g(A c) { return c", "b + "],
            after: "class A { int b; int g(A c) { return c.b + 2; } }\n",
        },
        Example {
            language: "go",
            before: "type T struct{ b int }\nfunc (t *T) f(a int) int {\n\treturn t.b + a\n}\nfunc g(c T) int {\n\treturn c.f(2)\n}\n",
            keep: &["type T struct{ b int }", "func g(c T) int {", "return c", "b + "],
            after: "type T struct{ b int }\nfunc g(c T) int {\n\treturn c.b + 2\n}\n",
        },
        Example {
            language: "go",
            before: "func f() int {\n\tg(1)\n\treturn 2\n}\nfunc h() {\n\tf()\n}\n",
            keep: &["func h() {", "g(1)"],
            after: "func h() {\n\tg(1)\n}\n",
        },
        Example {
            language: "lua",
            before: "function A:f(a)\n  self.b = a\nend\nc:f(2)\n",
            keep: &["c", ".b = "],
            after: "c.b = 2\n",
        },
        Example {
            language: "lua",
            before: "local A = {}\nfunction A.f(a) return a + 1 end\nprint(A.f(2))\n",
            keep: &["local A", "print(", "2", "+ 1"],
            after: "local A = {}\nprint(2 + 1)\n",
        },
        Example {
            language: "rust",
            before: "struct A { n: u8 }\nfn f(n: u8) -> A { A { n } }\nfn g(a: u8) -> A { f(2 * a) }\n",
            keep: &["struct A", "fn g(a: u8) -> A", "2 * a"],
            after: "struct A { n: u8 }\nfn g(a: u8) -> A { A { n: 2 * a } }\n",
        },
        Example {
            language: "rust",
            before: "struct A { b: u8 }\nimpl A { fn f(&self, a: u8) -> u8 { self.b + a } }\nfn g(c: A) -> u8 { c.f(2) }\n",
            keep: &["struct A { b: u8 }", "impl A", "fn g(c: A) -> u8 { c", "b + "],
            after: "struct A { b: u8 }\nimpl A {}\nfn g(c: A) -> u8 { c.b + 2 }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let ways = move |f: Function<'_>| {
            let is_typed = converts(file, &f).then(|| inlined(file, &f, Way::Converted));
            let ways = inlined(file, &f, Way::Unused).into_iter().chain(inlined(file, &f, Way::Plain));
            ways.chain(is_typed.flatten()).collect::<Vec<_>>()
        };
        functions(file).into_iter().map(ways)
    });
    vec![Group::choices(ways).doubtful()]
}

/// How the effect of a function takes the place of its calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// With the arguments as they are.
    Plain,
    /// With the arguments as a call converts them.
    Converted,
    /// Without the returned expression, where a statement is nothing but the call.
    Unused,
}

/// Whether a call of the function may convert an argument.
fn converts(file: File<'_>, function: &Function) -> bool {
    let typed = |&n: &NodeId| items(&file, n, Role::Parameters).into_iter().any(|n| is_typed(file, n));
    function.nodes.iter().any(typed)
}

/// Replaces all calls of a function that has exactly one definition. `None` if one of them cannot be
/// replaced.
fn inlined(file: File<'_>, function: &Function, way: Way) -> Option<Unit> {
    let converted = way == Way::Converted;
    let is_body = |&n: &NodeId| file.has(n, Role::Body) || file.has(n, Role::Returned);
    let body = |&node: &NodeId| {
        let whole = item_of(file, node);
        // The body of a function in Kotlin is a part of what it stands for, and the body of a template is a function.
        let around = std::iter::once(whole)
            .chain(file.children(whole).filter(|&n| whole == node || file.is_within(node, n)))
            // A function may be the value of a variable.
            .chain(file.child_with(node, Role::Value));
        let is_own = |n: &NodeId| is_body(n) && !file.is_within(node, *n);
        let below = around.into_iter().find_map(|n| file.children(n).find(is_own));
        below.map(|body| (node, body))
    };
    let mut bodies = function.nodes.iter().filter_map(body);
    let (definition, body) = bodies.next().filter(|_| !function.calls.is_empty())?;
    if bodies.next().is_some() {
        return None;
    }
    let items = items_of(&file, list_of(file, body));
    let last = items.last().and_then(|&last| returned(file, last));
    let returned = match items[..] {
        _ if file.has(body, Role::Returned) => Some(body),
        [_] => last,
        _ => None,
    };
    let effect = if let [only] = items[..] { evaluated(file, only) } else { None };
    let expanded = |call: &Call| {
        let call = call.whole;
        let by = |what: NodeId| Source::Expansion { what, function: definition, call, converted };
        let parent = file.parent(call)?;
        let whole = statement(&file, call);
        let is_only = function.calls.len() == 1 && is_among_others(file, whole);
        let is_unused = is_only && (whole == call || items_of(&file, whole) == [call]);
        let (node, by) = match (returned, last) {
            (None, Some(returned)) if way == Way::Unused => {
                let spread = Source::Spread { returned, function: definition, call, converted, unused: true };
                is_unused.then_some((whole, spread))?
            }
            _ if way == Way::Unused => return None,
            (Some(returned), _) => (call, by(returned)),
            (None, Some(returned)) if is_only => {
                (whole, Source::Spread { returned, function: definition, call, converted, unused: false })
            }
            (None, _) if file.has(call, Role::Statement) => (call, by(without_brackets(file, body)?)),
            (None, _) if is_all_of(file, parent, call) => (parent, by(body)),
            (None, _) => (call, by(effect?)),
        };
        let recursive = file.is_within(call, item_of(file, definition));
        (!recursive && !comes_too_soon(file, body, call)).then_some(file.replace(node, by))
    };
    let calls = function.calls.iter().map(expanded).collect::<Option<Vec<Unit>>>()?;
    let gone = function.nodes.iter().map(|&node| file.drop(item_of(file, node)));
    Some(Unit::together(gone.chain(calls)))
}

/// Whether a body in C needs at this place what is defined behind it only: all but functions must come before their uses.
fn comes_too_soon(file: File<'_>, body: NodeId, place: NodeId) -> bool {
    let start = file.range(place).start;
    let is_behind = |(_, index): (NodeId, usize)| {
        let definition = &file.bindings().definitions()[index];
        definition.scope == NodeId::ROOT
            && definition.sort != Sort::Function
            && file.places(definition).all(|defined| file.range(defined.name).start > start)
    };
    file.language().naming() == Naming::Includes && file.bindings().within(file.tree(), body).any(is_behind)
}

/// What goes with a function: the statement that defines it, or the item of an object.
fn item_of(file: File<'_>, function: NodeId) -> NodeId {
    if file.has(function, Role::FieldValue) { function } else { statement(&file, function) }
}

/// The list of a body's statements: the body, or the list in its brackets.
fn list_of(file: File<'_>, body: NodeId) -> NodeId {
    let is_list = |n: &NodeId| file.has(*n, Role::Block) && !file.has(*n, Role::Statement);
    match items_of(&file, body)[..] {
        [list] if is_list(&list) => list,
        _ => body,
    }
}

/// What stands for a body among other statements in a language whose expressions are statements: a block in brackets may
/// be an expression there.
fn without_brackets(file: File<'_>, body: NodeId) -> Option<NodeId> {
    let list = list_of(file, body);
    match items_of(&file, list)[..] {
        [only] => Some(only),
        _ => Some(list).filter(|&n| !file.node_text(n).starts_with(b"{")),
    }
}

/// The expression that the last statement of a body returns.
fn returned(file: File<'_>, last: NodeId) -> Option<NodeId> {
    if file.has(last, Role::Returned) {
        return Some(last);
    }
    let mut parts = file.named_children(last);
    // A list of values that has one item.
    let only = parts.next().filter(|&n| parts.next().is_none() && !file.has(n, Role::Statement));
    let below = |n| file.child_with(n, Role::Returned);
    below(last).or_else(|| only.and_then(below))
}

/// Whether there is room for other statements before a statement.
fn is_among_others(file: File<'_>, statement: NodeId) -> bool {
    file.parent(statement).is_some_and(|parent| parent == NodeId::ROOT || file.has(parent, Role::Block))
}

/// Whether a statement consists only of a call.
fn is_all_of(file: File<'_>, statement: NodeId, call: NodeId) -> bool {
    file.has(statement, Role::Statement) && items_of(&file, statement) == [call]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    #[test]
    fn a_body_does_not_move_before_a_macro_or_a_variable_that_it_needs() {
        let units = |language: &str, text: &str| {
            plan(&base(language, text.as_bytes())).iter().map(|group| group.units().len()).sum::<usize>()
        };
        let early = "int f(int);\nint g() { return f(1); }\n";
        assert_eq!(units("c", &format!("{early}#define K 2\nint f(int a) {{ return a + K; }}\n")), 0);
        assert_eq!(units("c", &format!("{early}int k;\nint f(int a) {{ return a + k; }}\n")), 0);
        assert_ne!(units("c", &format!("#define K 2\n{early}int f(int a) {{ return a + K; }}\n")), 0);
        assert_ne!(units("c", &format!("{early}int f(int a) {{ return a + h(); }}\nint h() {{}}\n")), 0);
        let python = "def g(): return f(1)\nk = 2\ndef f(a): return a + k\n";
        assert_ne!(units("python", python), 0);
    }
}
