//! Turns a class into a structure without access specifiers: everything in it is public.

use crate::c::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "structs",
    summary: "turns a class into a structure without access specifiers",
    languages: &["cpp"],
    proves: true,
    examples: &[Example {
        language: "cpp",
        before: "class c : b { int a; public: int d; struct { private: int e; }; protected: int f; };\nclass g { int h; };\n",
        keep: &["c : b", "int a;", "int d;", "private: int e; };", "int f;", "g {"],
        after: "struct c : b { int a; int d; struct { private: int e; }; int f; };\nclass g { int h; };\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let classes =
        PASS.files(base).flat_map(|file| all(file, "class_specifier").filter_map(move |n| opened(file, n)));
    vec![Group::deletions(classes)]
}

fn opened(file: File<'_>, class: NodeId) -> Option<Unit> {
    let keyword = child(&file, class, "class")?;
    let body = child(&file, class, "field_declaration_list")?;
    let specifiers = file.children(body).filter(|&n| is(&file, n, "access_specifier"));
    let mut units: Vec<Unit> = specifiers.map(|node| file.drop(node)).collect();
    if units.is_empty() {
        return None;
    }
    units.push(file.replace(keyword, "struct"));
    Some(Unit::together(units))
}
