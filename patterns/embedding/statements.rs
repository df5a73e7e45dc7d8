//! Which statement a node belongs to, and how close a piece of a pattern has to stay to another one.

use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

/// How a piece is tied to the node at which the piece above it is embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tie {
    /// It may be anywhere below it.
    Loose,
    /// It must belong to the same statement: what stands in the head of a loop is not in its body.
    Statement,
    /// A keyword or operator must be its child.
    Child,
}

/// Whether a node is a statement or a place for statements.
pub(super) fn is_place(tree: &Tree, node: NodeId) -> bool {
    [Role::Statement, Role::Block, Role::Body].iter().any(|&role| tree.has(node, role))
}

/// The statement or parameter around a definition's name.
pub(super) fn whole_of(tree: &Tree, name: NodeId) -> NodeId {
    let is_whole = |&node: &NodeId| {
        let of_list = tree.parent(node).is_some_and(|parent| tree.has(parent, Role::Parameters));
        of_list || tree.has(node, Role::Statement)
    };
    std::iter::once(name).chain(tree.ancestors(name)).find(is_whole).unwrap_or(name)
}

/// Whether a node has a body: that of a function or loop, for example.
pub(super) fn has_body(tree: &Tree, node: NodeId) -> bool {
    tree.descendants(node).any(|below| tree.has(below, Role::Body))
}
