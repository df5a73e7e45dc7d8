//! Deletes a variable, and replaces each use by its value.

use crate::functions::part;
use crate::operands::operand;
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "variables",
    summary: "replaces the uses of a variable by its value, and deletes the assignment",
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "int f(float p) { int a = p, b = 2; c = a; return c + b; }\n",
            keep: &["f(float p)", "return", " + "],
            after: "int f(float p) { return p + 2; }\n",
        },
        Example {
            language: "c",
            before: "int f() { int *p = &a[1]; *p = p->b; }\n",
            keep: &["= ", "b"],
            after: "int f() { *&a[1] = (&a[1])->b; }\n",
        },
        Example {
            language: "python",
            before: "def f(x):\n    y = g(x)\n    print(y)\n    x = 1\n    return x\n",
            keep: &["print(", "g(x)", "return"],
            after: "def f(x):\n    print(g(x))\n    x = 1\n    return x\n",
        },
        Example {
            language: "javascript",
            before: "class A {\n  a = new B;\n  f() { return g(this.a); }\n}\n",
            keep: &["class A", "f()", "return g(", "new B"],
            after: "class A {\n  f() { return g(new B); }\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let propagated =
        PASS.files(base).flat_map(|file| file.with(Role::Variable).filter_map(move |n| propagated(file, n)));
    vec![Group::deletions(propagated).doubtful()]
}

/// Deletes the assignment, and replaces the name by the value in the rest of the function.
fn propagated(file: File<'_>, variable: NodeId) -> Option<Unit> {
    let (name, value) = (part(&file, variable, Role::VariableName)?, part(&file, variable, Role::Value)?);
    let scope = scope(&file, variable);
    let mut uses = file.bindings().occurrences(name);
    uses.retain(|&n| file.is_within(n, scope) && !file.is_within(n, variable));
    if uses.is_empty() {
        return None;
    }
    let text = file.node_text(value);
    let is_field = file.definition(name).is_some_and(|d| d.sort == Sort::Field);
    let access = |node| file.parent(node).filter(|&n| is_field && file.has(n, Role::Access)).unwrap_or(node);
    let replaced = uses.into_iter().map(access).map(|node| file.replace(node, operand(file, text, node)));
    let gone = file.drop(alone(&file, variable));
    Some(Unit::together(std::iter::once(gone).chain(replaced)))
}

/// The function around a node, or the whole file.
fn scope(tree: &Tree, node: NodeId) -> NodeId {
    let is_function =
        |n: &NodeId| tree.has(*n, Role::Body) && tree.parent(*n).is_some_and(|p| heads(tree, p));
    tree.ancestors(node).find(is_function).unwrap_or(NodeId::ROOT)
}

/// Whether a node is the whole definition of a function.
fn heads(tree: &Tree, node: NodeId) -> bool {
    let is_head = |n: NodeId| tree.has(n, Role::Function) && statement(tree, n) == node;
    is_head(node) || tree.children(node).any(is_head)
}

/// The statement that consists only of this variable, or the variable itself.
fn alone(tree: &Tree, variable: NodeId) -> NodeId {
    let around = tree.parent(variable).filter(|&n| tree.has(n, Role::Statement));
    let is_other = |&n: &NodeId| tree.is_named(n) && !tree.has(n, Role::Type) && n != variable;
    around.filter(|&n| !tree.children(n).any(|n| is_other(&n))).unwrap_or(variable)
}
