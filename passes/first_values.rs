//! Gives a variable its first value where it is declared: `int a; b(); a = 1;` becomes `b(); int a = 1;`.

use crate::functions::part;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "first-values",
    summary: "declares a variable where it gets its first value, or gives it that value where it is declared",
    languages: &["c", "cpp", "csharp", "go", "java", "javascript", "rust", "typescript"],
    examples: &[
        Example {
            language: "c",
            before: "float a, *b;\nint f() { int c; g(1); c = h(2); b = i; b = g(c, b, c, b); }\n",
            keep: &["float a", "int f() {", "g(1);", " = h(2);", "i;", " b = g(c, b, c, b); }"],
            after: "float a, *b = i;\nint f() { g(1); int c = h(2); b = g(c, b, c, b); }\n",
        },
        Example {
            language: "cpp",
            before: "struct A { A(int); };\nauto f() { A *a; g(); a = new A(h); return a->b(a); }\n",
            keep: &["struct A { A(int); };", "auto f() { ", "g(); ", " = new A(h); return a->b(a); }"],
            after: "struct A { A(int); };\nauto f() { g(); A *a = new A(h); return a->b(a); }\n",
        },
        Example {
            language: "csharp",
            before: "class A { void F() { int a; a = G(); H(a, a, a); } }\n",
            keep: &["class A { void F() { ", "G();", " H(a, a, a); } }"],
            after: "class A { void F() { int a = G(); H(a, a, a); } }\n",
        },
        Example {
            language: "typescript",
            before: "let a: A<B>;\na = b();\na(a, a);\n",
            keep: &["A<B>", "a(a, a);", "b()"],
            after: "let a: A<B> = b();\na(a, a);\n",
        },
        Example {
            language: "javascript",
            before: "let a;\na = b();\na(a, a);\n",
            keep: &["a(a, a)", "b()"],
            after: "let a = b();\na(a, a);\n",
        },
        Example {
            language: "java",
            before: "class A { void f() { int a; while (g()) { a = h(); i(a, a, a); } } }\n",
            keep: &["class A { void f() { ", "while (g()) { ", " i(a, a, a)"],
            after: "class A { void f() { while (g()) { int a = h(); i(a, a, a); } } }\n",
        },
        Example {
            language: "rust",
            before: "fn f() {\n    let a: u8;\n    a = g();\n    h(a, a);\n}\n",
            keep: &["fn f()", "u8", "g()", "h(a, a)"],
            after: "fn f() {\n    let a: u8 = g();\n    h(a, a);\n}\n",
        },
        Example {
            language: "go",
            before: "package p\n\nfunc f() {\n\tvar a int\n\ta = g()\n\th(a, a)\n}\n",
            keep: &["func f()", "int", "g()", "h(a, a)"],
            after: "package p\n\nfunc f() {\n\tvar a int = g()\n\th(a, a)\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| file.definitions().map(move |d| ways(file, d)));
    vec![Group::choices(ways.map(|ways| ways.unwrap_or_default())).doubtful()]
}

/// The ways to declare a variable together with its first value: in the place of the assignment, and in that of the declaration.
fn ways(file: File<'_>, definition: &Definition) -> Option<Vec<Unit>> {
    let (Sort::Variable, [place]) = (definition.sort, &definition.places[..]) else { return None };
    let declared = place.whole;
    let first = file.uses(definition).next().filter(|&first| first > declared)?;
    let (assignment, value) = assigned(file, first)?;
    if holds(file, declared) || file.uses(definition).any(|used| file.is_within(used, value)) {
        return None;
    }
    let text = [declaration(file, declared), b" = ", file.node_text(value)].concat();
    let end = &file.text()[file.range(declared)][declaration(file, declared).len()..];
    let text = [&text[..], end].concat();
    let block = file.parent(assignment)?;
    let is_there = file.uses(definition).all(|used| file.is_within(used, block));
    let moved = (is_there && file.has(declared, Role::Statement))
        .then(|| Unit::together([file.drop(declared), file.write(file.range(assignment), text.clone())]));
    let is_known = file.descendants(value).chain([value]).filter_map(|n| file.definition(n)).all(|known| {
        known.scope == NodeId::ROOT
            || known.places[0].name < declared && file.is_within(declared, known.scope)
    });
    let given =
        is_known.then(|| Unit::together([file.write(file.range(declared), text), file.drop(assignment)]));
    Some(moved.into_iter().chain(given).collect())
}

/// The statement in a block that only assigns to a name, and the value.
fn assigned(file: File<'_>, name: NodeId) -> Option<(NodeId, NodeId)> {
    let is_alone = |n: &NodeId| {
        file.has(*n, Role::Statement) && file.parent(*n).is_some_and(|p| file.has(p, Role::Block))
    };
    // In Go, the name is in a list; in C, the assignment is in a statement.
    let statement = file.ancestors(name).take(2).find(is_alone).filter(|_| file.has(name, Role::Target))?;
    let value = part(&file, statement, Role::Value)?;
    let between = file.text()[file.range(name).end..file.range(value).start].trim_ascii();
    (file.range(name).start == file.range(statement).start && between == b"=").then_some((statement, value))
}

/// Whether a declaration gives a value.
fn holds(file: File<'_>, declared: NodeId) -> bool {
    std::iter::once(declared).chain(file.descendants(declared)).any(|n| file.has(n, Role::Value))
}

/// The text of a declaration without what ends it.
fn declaration(file: File<'_>, declared: NodeId) -> &[u8] {
    let text = file.node_text(declared);
    text.strip_suffix(b";").unwrap_or(text).trim_ascii_end()
}
