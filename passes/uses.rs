//! Uses of names: what is left of the program without them.

use crate::{Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

/// The statement that a node is in, or is.
pub(crate) fn statement(tree: &Tree, node: NodeId) -> NodeId {
    let is_statement = |n: &NodeId| tree.has(*n, Role::Statement);
    std::iter::once(node).chain(tree.ancestors(node)).find(is_statement).unwrap_or(NodeId::ROOT)
}

/// The program without a use: what it is used for becomes a constant, the simplest type, or nothing.
///
/// `value` is what the name is worth, if that is known.
pub(crate) fn without(file: &Parsed, id: FileId, node: NodeId, value: Option<Source>) -> Unit {
    let tree = file.tree();
    let replaced = |node: NodeId, by: Source| Unit::Replace { file: id, node, by };
    if tree.has(node, Role::Type)
        && let Some(filler) = tree.filler(node)
    {
        return replaced(node, Source::text(filler));
    }
    let reached = reached(tree, node);
    let gone = |node| Unit::Drop { file: id, node: statement(tree, node) };
    if tree.has(reached, Role::Target)
        && let Some(assignment) = tree.parent(reached)
    {
        let assigned = tree.child_with(assignment, Role::Value);
        let assigned = assigned.filter(|_| !is_alone(tree, assignment));
        return assigned.map_or_else(|| gone(assignment), |n| replaced(assignment, Source::Node(n)));
    }
    let constant = || file.language.constants().first().map(|text| Source::text(text));
    match value.or_else(constant).filter(|_| tree.has(reached, Role::Expression)) {
        Some(value) => replaced(reached, value),
        None => gone(node),
    }
}

/// The widest expression that reaches something through a name: `a[1].b` for `a`.
fn reached(tree: &Tree, name: NodeId) -> NodeId {
    let mut node = name;
    while let Some(parent) = tree.parent(node).filter(|&p| tree.has(p, Role::Access)) {
        if tree.children(parent).find(|&n| tree.is_named(n)) != Some(node) {
            break;
        }
        node = parent;
    }
    node
}

/// Whether an assignment is a statement of its own.
fn is_alone(tree: &Tree, assignment: NodeId) -> bool {
    let is_statement = |n: NodeId| tree.has(n, Role::Statement);
    is_statement(assignment)
        || tree
            .parent(assignment)
            .is_some_and(|n| is_statement(n) && tree.children(n).filter(|&n| tree.is_named(n)).count() == 1)
}
