//! Makes a function of an object that can only be called, or indexed: one whose class has no other member than `operator()`
//! or `operator[]`.

use super::members::free_text;
use crate::c::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "functors",
    summary: "makes a function of the only object of a class that has no other member than `operator()` or `operator[]`",
    languages: &["cpp"],
    proves: true,
    examples: &[
        Example {
            language: "cpp",
            before: "struct a { int operator[](int c) const { return c; } } b;\nint d = b[0];\n",
            keep: &["int c) ", "{ return c; }", "int d = b", "0"],
            after: "int b(int c) { return c; }\nint d = b(0);\n",
        },
        Example {
            language: "cpp",
            before: "int f() { struct { int operator()(int); } a; struct g { int operator()(int); }; g h; g i; return a(1) + h(2) + i(3); }\n",
            keep: &["int f() { ", "(int);", "return a(1) + h(2) + i(3); }"],
            after: "int f() { int a(int); struct g { int operator()(int); }; g h; g i; return a(1) + h(2) + i(3); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS
        .files(base)
        .flat_map(|file| all(file, "field_declaration_list").filter_map(move |body| function(file, body)));
    vec![Group::deletions(functions).doubtful()]
}

fn function(file: File<'_>, body: NodeId) -> Option<Unit> {
    let mut members = file.named_children(body);
    let method = members.next().filter(|_| members.next().is_none())?;
    let declarator = child(&file, method, "function_declarator")?;
    let operator = child(&file, declarator, "operator_name")?;
    let is_plain = file.children(operator).any(|n| is(&file, n, "()") || is(&file, n, "[]"));
    is_plain.then_some(())?;
    let class = file.parent(body)?;
    let (object, whole, mut gone) = object(file, class)?;
    let text = free_text(file, method, vec![(file.range(operator), file.node_text(object).to_vec())]);
    gone.push(file.replace(whole, text));
    let definition = file.definition(object)?;
    for used in file.uses(definition) {
        let around = file.parent(used)?;
        (file.children(around).next() == Some(used)).then_some(())?;
        match file.kind_name(around) {
            "call_expression" => {}
            "subscript_expression" => {
                let list = child(&file, around, "subscript_argument_list")?;
                let (open, close) = (child(&file, list, "[")?, child(&file, list, "]")?);
                gone.extend([file.replace(open, "("), file.replace(close, ")")]);
            }
            _ => return None,
        }
    }
    Some(Unit::together(gone))
}

/// The name of the only object of a class, its declaration, and what goes with it.
fn object(file: File<'_>, class: NodeId) -> Option<(NodeId, NodeId, Vec<Unit>)> {
    let around = file.parent(class)?;
    let declared = |whole: NodeId, of: NodeId| {
        is(&file, whole, "declaration").then_some(())?;
        let mut others = file.named_children(whole).filter(|&n| n != of);
        let object = others.next().filter(|&n| is(&file, n, "identifier") && others.next().is_none())?;
        Some(object)
    };
    let name = child(&file, class, "type_identifier");
    let uses = name.map_or(vec![], |name| file.bindings().occurrences(name));
    if let Some(object) = declared(around, class) {
        return (uses.len() <= 1).then_some((object, around, Vec::new()));
    }
    let [_, used] = uses[..] else { return None };
    let whole = file.parent(used)?;
    Some((declared(whole, used)?, whole, vec![file.drop(class)]))
}
