//! Makes a member belong to its class and not to its objects: what was called on an object needs none, so that the object
//! may go.

use crate::c::{child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "statics",
    summary: "makes the members of a class static, and deletes the objects before them",
    languages: &["java"],
    pump: true,
    examples: &[Example {
        language: "java",
        before: "class A {\n    int a;\n    int f(int b) { return this.a + b; }\n    public static void main(String[] args) {\n        A x = new A();\n        x.f(1);\n    }\n}\n",
        keep: &[
            "int a;",
            "int f(int b) { return ",
            "a + b",
            "public static void main",
            "f(1)",
            "A x = new A()",
        ],
        after: "class A {\n    static int a;\n    static int f(int b) { return a + b; }\n    public static void main(String[] args) {\n        A x = new A();\n        f(1);\n    }\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let classes = file.with(Role::Members).filter(move |&n| !is(&file, n, "interface_body"));
        classes.map(move |members| ways(file, members))
    });
    vec![Group::choices(ways).doubtful()]
}

/// All members become static, or one of them.
fn ways(file: File<'_>, members: NodeId) -> Vec<Unit> {
    let is_of_objects = |&n: &NodeId| {
        let is_member = matches!(file.kind_name(n), "field_declaration" | "method_declaration");
        let modifiers = child(&file, n, "modifiers");
        is_member && !modifiers.is_some_and(|n| file.children(n).any(|n| file.node_text(n) == b"static"))
    };
    let members: Vec<NodeId> = file.named_children(members).filter(is_of_objects).collect();
    let all = (members.len() > 1).then(|| be_static(file, &members));
    all.into_iter().chain(members.iter().map(|&member| be_static(file, &[member]))).collect()
}

fn be_static(file: File<'_>, members: &[NodeId]) -> Unit {
    let mut definitions: BTreeSet<usize> = BTreeSet::new();
    let mut units = Vec::new();
    let mut objects: Vec<(usize, Reverse<usize>)> = Vec::new();
    for &member in members {
        let names = file.bindings().within(&file, member).filter(|(name, index)| {
            let definition = &file.bindings().definitions()[*index];
            is_declared(file, definition, *name, member)
        });
        definitions.extend(names.map(|(_, index)| index));
        let start = file.range(member).start;
        units.push(file.write(start..start, *b"static "));
    }
    for index in definitions {
        for used in file.uses(&file.bindings().definitions()[index]) {
            let access = file.parent(used).filter(|&n| {
                matches!(file.kind_name(n), "field_access" | "method_invocation")
                    && file.children(n).next() != Some(used)
            });
            objects.extend(access.map(|n| (file.range(n).start, Reverse(file.range(used).start))));
        }
    }
    // What an object consists of goes with it: `a.f()` in `a.f().g()`.
    objects.sort_unstable();
    let mut behind = 0;
    for (start, Reverse(end)) in objects {
        if start >= behind {
            units.push(file.cut(start..end));
            behind = end;
        }
    }
    Unit::together(units)
}

/// Whether a name is what a member declares.
fn is_declared(file: File<'_>, definition: &Definition, name: NodeId, member: NodeId) -> bool {
    let is_own = file.parent(name) == Some(member)
        || file
            .parent(name)
            .is_some_and(|n| is(&file, n, "variable_declarator") && file.parent(n) == Some(member));
    is_own && file.places(definition).any(|place| place.name == name)
}
