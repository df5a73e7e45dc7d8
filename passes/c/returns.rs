//! Changes the type of a function to `void`, and deletes the returned values.

use super::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "returns",
    summary: "changes the type of a function to `void`, and deletes the returned expressions",
    languages: &["c", "cpp", "java", "csharp"],
    proves: true,
    examples: &[
        Example {
            language: "c",
            before: "static int f(int a) { if (a) return a + 1; g(); return 0; }\n",
            keep: &["f(int a)", "if (a) return", "g()"],
            after: "static void f(int a) { if (a) return; g(); return; }\n",
        },
        Example {
            language: "c",
            before: "char **f(int a) { if (a) return g(a); return 0; }\n",
            keep: &["f(int a)", "if (a) return"],
            after: "void f(int a) { if (a) return; return; }\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> T f(T a) { return a + 1; }\n",
            keep: &["f(T a)"],
            after: "template <class T> void f(T a) { return; }\n",
        },
        Example {
            language: "java",
            before: "class A {\n    int f(int a) { if (a > 1) return a + 1; g(b -> { return b; }); return 0; }\n}\n",
            keep: &["f(int a)", "if (a > 1) return", "g(b -> { return b; })"],
            after: "class A {\n    void f(int a) { if (a > 1) return; g(b -> { return b; }); return; }\n}\n",
        },
        Example {
            language: "csharp",
            before: "class A {\n    B f(int a) { if (a > 1) return a; g(b => { return b; }); int h() { return 1; } return 0; }\n}\n",
            keep: &["f(int a)", "if (a > 1) return", "g(b => { return b; })", "h()"],
            after: "class A {\n    void f(int a) { if (a > 1) return; g(b => { return b; }); void h() { return; } return; }\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS.files(base).flat_map(|file| {
        let kinds = ["function_definition", "method_declaration", "local_function_statement"];
        let functions = kinds.into_iter().flat_map(move |kind| all(file, kind));
        functions.filter_map(move |function| returning_nothing(file, function))
    });
    vec![Group::deletions(functions).doubtful()]
}

fn returning_nothing(file: File<'_>, function: NodeId) -> Option<Unit> {
    let pointer = match is(&file, function, "function_definition") {
        true => pointer(file, function)?,
        false => 0..0,
    };
    let typed = file.child_with(function, Role::Type)?;
    let is_function = |&n: &NodeId| {
        let kind = file.kind_name(n);
        matches!(kind, "function_definition" | "method_declaration" | "local_function_statement")
            || matches!(kind, "lambda_expression" | "anonymous_method_expression")
    };
    // A function inside this one keeps its own returns.
    let is_own = |&n: &NodeId| file.ancestors(n).find(is_function) == Some(function);
    let returned = file.descendants(function).filter(|&n| file.has(n, Role::Returned)).filter(is_own);
    let gone = returned.map(|node| file.drop(node));
    let gone: Vec<Unit> = gone.collect();
    if gone.is_empty() {
        return None;
    }
    let void = file.replace(typed, "void");
    let pointer = (!pointer.is_empty()).then(|| file.cut(pointer));
    Some(Unit::together(std::iter::once(void).chain(pointer).chain(gone)))
}

/// What makes the type of a function a pointer or a reference: empty if it is neither.
fn pointer(file: File<'_>, function: NodeId) -> Option<Range<usize>> {
    const PARTS: [&str; 3] = ["pointer_declarator", "reference_declarator", "function_declarator"];
    let part = |node: NodeId| PARTS.iter().find_map(|kind| child(&file, node, kind));
    let outer = part(function)?;
    let mut inner = outer;
    while !is(&file, inner, "function_declarator") {
        inner = part(inner)?;
    }
    Some(file.range(outer).start..file.range(inner).start)
}
