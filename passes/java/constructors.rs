//! Deletes the constructors of a class with the arguments of all its creations, which cannot stay without them, and with the
//! `final` of the fields that they set.

use crate::c::{all, child, is};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "constructors",
    summary: "deletes the constructors of a class with the arguments of all creations of its objects",
    languages: &["java"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "java",
            before: "class A {\n    A(int a) { b = a; }\n    int b;\n    Object c = new A(1), d = new B(2), e = new A(new A(3).b);\n}\n",
            keep: &["int b;", "Object c = new A(", ", d = new B(2), e = new A("],
            after: "class A {\n    int b;\n    Object c = new A(), d = new B(2), e = new A();\n}\n",
        },
        Example {
            language: "java",
            before: "class A {\n    private final int b;\n    final int c = 1;\n    A(int a) { b = a; }\n}\nclass B extends A {\n    B() { super(2); }\n}\n",
            keep: &["private", "int b;", "final int c = 1;", "B() { super("],
            after: "class A {\n    private int b;\n    final int c = 1;\n}\nclass B extends A {\n    B() { super(); }\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let mut constructors: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
        for constructor in all(file, "constructor_declaration") {
            let name = child(&file, constructor, "identifier");
            let name = name.map(|name| file.node_text(name)).unwrap_or_default();
            constructors.entry(name).or_default().push(constructor);
        }
        constructors.into_iter().map(move |(class, constructors)| without(file, class, &constructors))
    });
    vec![Group::deletions(units).doubtful()]
}

fn without(file: File<'_>, class: &[u8], constructors: &[NodeId]) -> Unit {
    let is_it = |&name: &NodeId| file.node_text(name) == class;
    let creations = all(file, "object_creation_expression").filter_map(|creation| {
        child(&file, creation, "type_identifier").filter(is_it)?;
        child(&file, creation, "argument_list")
    });
    let of_heirs = all(file, "explicit_constructor_invocation").filter_map(|call| {
        child(&file, call, "super")?;
        let heir = file.ancestors(call).find(|&n| is(&file, n, "class_declaration"))?;
        child(&file, child(&file, heir, "superclass")?, "type_identifier").filter(is_it)?;
        child(&file, call, "argument_list")
    });
    let arguments = creations.chain(of_heirs);
    let mut gone: Vec<NodeId> = constructors.to_vec();
    let mut passed = Vec::new();
    for list in arguments.filter(|&list| file.named_children(list).next().is_some()) {
        if !gone.iter().any(|&n| file.is_within(list, n)) {
            gone.push(list);
            passed.push(list);
        }
    }
    let passed = passed.into_iter().map(|list| file.replace(list, "()"));
    let members = constructors.first().and_then(|&n| file.parent(n));
    let marks = members.map(|members| finals(file, members)).unwrap_or_default();
    let marks = marks.into_iter().map(|mark| file.drop(mark));
    Unit::together(constructors.iter().map(|&n| file.drop(n)).chain(passed).chain(marks))
}

/// The `final` of each field among these members that its declaration does not set.
fn finals(file: File<'_>, members: NodeId) -> Vec<NodeId> {
    let is_open = |n: NodeId| is(&file, n, "variable_declarator") && child(&file, n, "=").is_none();
    let fields = file.children(members).filter(|&n| is(&file, n, "field_declaration"));
    let open = fields.filter(|&field| file.children(field).any(is_open));
    open.filter_map(|field| child(&file, child(&file, field, "modifiers")?, "final")).collect()
}
