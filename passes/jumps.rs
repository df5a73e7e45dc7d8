//! Jumps: the statements that end a round of a loop, or all of it. They make no sense without it.

use crate::File;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

/// The first words of loops.
const LOOPS: &[&[u8]] = &[b"while", b"until", b"for", b"foreach", b"do", b"loop"];
/// The first word of another statement that `break` may belong to.
const SWITCH: &[u8] = b"switch";
/// The first words of statements that end a round of a loop.
const JUMPS: &[&[u8]] = &[b"break", b"continue", b"next", b"redo"];

/// In a body of more nodes, no jumps are looked for, so that loops in loops take no quadratic time.
const LONG: usize = 4096;

/// Whether a statement is a loop.
pub(crate) fn is_loop(file: File<'_>, node: NodeId) -> bool {
    file.has(node, Role::Statement) && LOOPS.contains(&first_word(file, node))
}

/// The statements in the body of a loop, or of a `switch`, that end it or its rounds; none if the body is long.
pub(crate) fn jumps(file: File<'_>, statement: NodeId, body: NodeId) -> Vec<NodeId> {
    let is_target =
        |n: NodeId| is_loop(file, n) || file.has(n, Role::Statement) && first_word(file, n) == SWITCH;
    if !is_target(statement) || file.descendants(body).nth(LONG).is_some() {
        return Vec::new();
    }
    let is_jump = |&n: &NodeId| file.has(n, Role::Statement) && JUMPS.contains(&first_word(file, n));
    let is_own = |&n: &NodeId| file.ancestors(n).find(|&n| is_target(n)) == Some(statement);
    file.descendants(body).filter(is_jump).filter(is_own).collect()
}

/// The first token of a node.
pub(crate) fn first_word(file: File<'_>, node: NodeId) -> &[u8] {
    file.node_text(file.first_leaf(node))
}
