//! Returns a value that a function stores in a variable, and moves the call to the place where the variable
//! is read.

use super::{FAMILY, child, function_around, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "results",
    summary: "returns a value instead of storing it in a variable",
    languages: FAMILY,
    proves: true,
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
        Example {
            language: "cpp",
            before: "int main() { auto b = n::f(2); }\n",
            keep: &["f(2);"],
            after: "int main() { return n::f(2); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for file in PASS.files(base) {
        units.extend(file.nodes().filter_map(|node| returned_at_last(file, node)));
        units.extend(file.definitions().filter_map(|d| returned(file, d)));
    }
    vec![Group::deletions(units).doubtful()]
}

/// Returns the value that the last statement of a block assigns to a variable.
fn returned_at_last(file: File<'_>, statement: NodeId) -> Option<Unit> {
    let is_named = |&n: &NodeId| file.is_named(n);
    file.parent(statement).filter(|&n| is(&file, n, "compound_statement"))?;
    let is_last = file.next_sibling(statement).is_none_or(|n| !file.is_named(n));
    let set = file.children(statement).filter(is_named).last().filter(|_| is_last)?;
    let value = file.child_with(set, Role::Value)?;
    Some(returning(file, statement, value))
}

/// Deletes a global variable that only one function assigns, once: the function returns the value, and its
/// only call moves to the place where the variable is read.
fn returned(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let bindings = file.bindings();
    if definition.sort != Sort::Variable || definition.scope != NodeId::ROOT {
        return None;
    }
    let is_set = |&n: &NodeId| file.has(n, Role::Target);
    let (set, read): (Vec<NodeId>, Vec<NodeId>) = file.uses(definition).partition(is_set);
    let ([set], [read]) = (&set[..], &read[..]) else { return None };
    let assignment = file.parent(*set).filter(|&n| child(&file, n, "=").is_some())?;
    let statement = file.parent(assignment).filter(|&n| is(&file, n, "expression_statement"))?;
    let value = file.child_with(assignment, Role::Value)?;
    let function = function_around(&file, statement)?;
    let mut called = bindings.within(&file, function).map(|(_, d)| &bindings.definitions()[d]);
    let [callee] = called.find(|d| d.sort == Sort::Function)?.uses[..] else { return None };
    let call =
        file.parent(callee.name).filter(|_| callee.file == file.id).filter(|&n| file.has(n, Role::Call))?;
    let alone = file.parent(call).filter(|&n| is(&file, n, "expression_statement"))?;
    let mut units = vec![returning(file, statement, value), file.replace(*read, call), file.drop(alone)];
    units.extend(file.places(definition).map(|place| file.drop(place.whole)));
    let void = file.children(function).find(|&n| file.has(n, Role::Type) && file.node_text(n) == b"void");
    units.extend(void.map(|node| file.replace(node, "int")));
    Some(Unit::together(units))
}

fn returning(file: File<'_>, statement: NodeId, value: NodeId) -> Unit {
    let by = [b"return ", file.node_text(value), b";"].concat();
    file.replace(statement, by)
}
