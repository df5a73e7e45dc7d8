//! Deletes the constructors of a class with the arguments of all its creations, which cannot stay without them.

use crate::c::{all, child};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "constructors",
    summary: "deletes the constructors of a class with the arguments of all creations of its objects",
    languages: &["java"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "java",
        before: "class A {\n    A(int a) { b = a; }\n    int b;\n    Object c = new A(1), d = new B(2), e = new A(new A(3).b);\n}\n",
        keep: &["int b;", "Object c = new A(", ", d = new B(2), e = new A("],
        after: "class A {\n    int b;\n    Object c = new A(), d = new B(2), e = new A();\n}\n",
    }],
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
    let arguments = all(file, "object_creation_expression").filter_map(|creation| {
        child(&file, creation, "type_identifier").filter(|&n| file.node_text(n) == class)?;
        child(&file, creation, "argument_list")
    });
    let mut gone: Vec<NodeId> = constructors.to_vec();
    let mut passed = Vec::new();
    for list in arguments.filter(|&list| file.named_children(list).next().is_some()) {
        if !gone.iter().any(|&n| file.is_within(list, n)) {
            gone.push(list);
            passed.push(list);
        }
    }
    let passed = passed.into_iter().map(|list| file.replace(list, "()"));
    Unit::together(constructors.iter().map(|&n| file.drop(n)).chain(passed))
}
