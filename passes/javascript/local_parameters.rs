//! Makes a parameter of a local variable, since calls need not pass one: `function f() { var a = 1; g(a); }` becomes
//! `function f(a = 1) { g(a); }`.

use super::{FAMILY, is_function};
use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "local-parameters",
    summary: "makes a parameter of a local variable",
    languages: FAMILY,
    proves: true,
    examples: &[
        Example {
            language: "javascript",
            before: "function f() {\n  var a\n  return a - (a = 0)\n}\nlet g = (b) => { const c = b + 1; return c * c; };\n",
            keep: &["function f(", "return a - (a = 0)", "let g = (b", "=> {", "return c * c; };"],
            after: "function f(a) {\n  return a - (a = 0)\n}\nlet g = (b, c = b + 1) => { return c * c; };\n",
        },
        Example {
            language: "typescript",
            before: "class A { f(a: B) { let b: C = d; b.e(); } }\n",
            keep: &["class A { f(", "b", ": C = d", "b.e()"],
            after: "class A { f(a: B, b: C = d) { b.e(); } }\n",
        },
        Example {
            language: "tsx",
            before: "function f() { let a = <b/>; g(a, a); }\n",
            keep: &["function f(", "a = <b/>", "g(a, a)"],
            after: "function f(a = <b/>) { g(a, a); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The longest declaration, in bytes, that becomes a parameter: functions in declarations may be nested thousands of times, and each unit
/// holds the text of one.
const LONGEST: usize = 4096;

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let functions = file.nodes().filter(move |&n| is_function(file, n));
        functions.flat_map(move |function| of_function(file, function))
    });
    vec![Group::deletions(units).doubtful()]
}

/// A unit for each local variable that has a declaration of its own.
fn of_function(file: File<'_>, function: NodeId) -> Vec<Unit> {
    let Some(list) = file.child_with(function, Role::Parameters) else { return Vec::new() };
    let Some(body) = file.child_with(function, Role::Body).filter(|&n| file.has(n, Role::Block)) else {
        return Vec::new();
    };
    let Some(close) = file.children(list).last().filter(|&n| file.node_text(n) == b")") else {
        return Vec::new();
    };
    let at = file.range(close).start;
    let comma: &[u8] = if items_of(&file, list).is_empty() { b"" } else { b", " };
    let declared = |statement: NodeId| {
        matches!(file.kind_name(statement), "variable_declaration" | "lexical_declaration").then_some(())?;
        let mut declarators = file.named_children(statement);
        let declarator = declarators.next().filter(|_| declarators.next().is_none())?;
        (file.range(declarator).len() <= LONGEST).then_some(())?;
        Some(Unit::together([
            file.write(at..at, [comma, file.node_text(declarator)].concat()),
            file.drop(statement),
        ]))
    };
    items_of(&file, body).into_iter().filter_map(declared).collect()
}
