//! Turns an attribute into a variable: `self.a = 1` becomes `a = 1`, with `global a` in each function that sets the
//! variable if several functions use it.

use crate::uses::{free_name, taken_names};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "attributes",
    summary: "turns an attribute into a variable",
    languages: &["python"],
    pump: true,
    examples: &[Example {
        language: "python",
        before: "class A:\n    def f(self, a):\n        self.a = a\n        self.b = 1\n        return self.b\n    def g(self):\n        return self.a\n",
        keep: &["class A:", "def f(self, a):", "= a\n", "b = 1", "return", "b\n", "def g"],
        after: "class A:\n    def f(self, a):\n        global a_\n        a_ = a\n        b = 1\n        return b\n    def g(self):\n        return a_\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let taken = taken_names(file);
        let fields = file.definitions().filter(|d| d.sort == Sort::Field);
        fields.filter_map(|field| be_variable(file, field, &taken)).collect::<Vec<_>>()
    });
    vec![Group::deletions(units).doubtful()]
}

fn be_variable(file: File<'_>, field: &Definition, taken: &BTreeSet<&[u8]>) -> Option<Unit> {
    let names: Vec<NodeId> = field.places.iter().map(|place| place.name).chain(file.uses(field)).collect();
    let access = |name: NodeId| {
        let around = file.parent(name).filter(|&n| file.kind_name(n) == "attribute")?;
        (file.children(around).last() == Some(name)).then_some(around)
    };
    let accesses = names.iter().map(|&name| access(name)).collect::<Option<Vec<NodeId>>>()?;
    let name = free_name(file.node_text(*names.first()?), taken);
    let functions: BTreeSet<Option<NodeId>> = accesses.iter().map(|&n| function_around(file, n)).collect();
    let setters: BTreeSet<NodeId> = accesses
        .iter()
        .filter(|&&n| functions.len() > 1 && is_set(file, n))
        .filter_map(|&n| function_around(file, n))
        .collect();
    let mut units: Vec<Unit> = accesses.into_iter().map(|node| file.replace(node, name.clone())).collect();
    for function in setters {
        let body = file.child_with(function, Role::Body)?;
        let colon =
            file.children(function).take_while(|&n| n != body).find(|&n| file.node_text(n) == b":")?;
        let end = file.range(colon).end;
        let statement = match layout::indentation(file.text(), file.range(body).start) {
            Some(indentation) => [b"\n", indentation, b"global ", &name[..]].concat(),
            None => [b" global ", &name[..], b";"].concat(),
        };
        units.push(file.write(end..end, statement));
    }
    Some(Unit::together(units))
}

fn function_around(file: File<'_>, node: NodeId) -> Option<NodeId> {
    file.ancestors(node).find(|&n| file.kind_name(n) == "function_definition")
}

/// Whether an assignment sets what a node names.
fn is_set(file: File<'_>, node: NodeId) -> bool {
    file.parent(node).is_some_and(|around| {
        file.kind_name(around).ends_with("assignment") && file.range(around).start == file.range(node).start
    })
}
