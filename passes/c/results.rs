//! A value that a function leaves in a variable becomes what it returns, and its call stands where the
//! variable was read.

use super::{child, function_around, is};
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "results",
    summary: "returns a value in place of leaving it in a variable",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "int main() { int a = 1; int *b = f(a, 2); }\n",
            keep: &["int a = 1;", "f(a, 2);"],
            after: "int main() { int a = 1; return f(a, 2); }\n",
        },
        Example {
            language: "c",
            before: "int a;\nvoid f(int b) { if (b) a = b + 1; }\nint main() { f(2); return g(a, 3); }\n",
            keep: &["f(int b) { if (b) ", "b + 1", "f(2)", "return g(", ", 3)"],
            after: "int f(int b) { if (b) return b + 1; }\nint main() { return g(f(2), 3); }\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (id, file) in base.files() {
        units.extend(file.tree().nodes().filter_map(|node| returned_at_last(file, id, node)));
        units.extend(file.bindings().definitions().iter().filter_map(|d| returned(file, id, d)));
    }
    vec![Group::deletions(units).doubtful()]
}

/// What the last statement of a block sets a variable to is returned.
fn returned_at_last(file: &Parsed, id: FileId, statement: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let is_named = |&n: &NodeId| tree.is_named(n);
    tree.parent(statement).filter(|&n| is(tree, n, "compound_statement"))?;
    let is_last = tree.next_sibling(statement).is_none_or(|n| !tree.is_named(n));
    let set = tree.children(statement).filter(is_named).last().filter(|_| is_last)?;
    let value = tree.child_with(set, Role::Value)?;
    Some(returning(file, id, statement, value))
}

/// A global variable that one function sets once goes: the function returns it, and its only call stands
/// where the variable is read.
fn returned(file: &Parsed, id: FileId, definition: &Definition) -> Option<Unit> {
    let (tree, bindings) = (file.tree(), file.bindings());
    if definition.sort != Sort::Variable || definition.scope != NodeId::ROOT {
        return None;
    }
    let is_set = |&n: &NodeId| tree.has(n, Role::Target);
    let (set, read): (Vec<NodeId>, Vec<NodeId>) = definition.uses.iter().partition(|n| is_set(n));
    let ([set], [read]) = (&set[..], &read[..]) else { return None };
    let assignment = tree.parent(*set).filter(|&n| child(tree, n, "=").is_some())?;
    let statement = tree.parent(assignment).filter(|&n| is(tree, n, "expression_statement"))?;
    let value = tree.child_with(assignment, Role::Value)?;
    let function = function_around(tree, statement)?;
    let mut called = bindings.within(tree, function).map(|(_, d)| &bindings.definitions()[d]);
    let [callee] = called.find(|d| d.sort == Sort::Function)?.uses[..] else { return None };
    let call = tree.parent(callee).filter(|&n| tree.has(n, Role::Call))?;
    let alone = tree.parent(call).filter(|&n| is(tree, n, "expression_statement"))?;
    let mut units = vec![
        returning(file, id, statement, value),
        Unit::Replace { file: id, node: *read, by: Source::Node(call) },
        Unit::Drop { file: id, node: alone },
    ];
    units.extend(definition.places.iter().map(|place| Unit::Drop { file: id, node: place.whole }));
    let void = tree.children(function).find(|&n| tree.has(n, Role::Type) && file.node_text(n) == b"void");
    units.extend(void.map(|node| Unit::Replace { file: id, node, by: Source::text("int") }));
    Some(Unit::Together(units.into()))
}

fn returning(file: &Parsed, id: FileId, statement: NodeId, value: NodeId) -> Unit {
    let by = Source::made([b"return ", file.node_text(value), b";"].concat());
    Unit::Replace { file: id, node: statement, by }
}
