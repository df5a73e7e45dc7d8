//! Expressions as operands: in parentheses, if the operators around their new place would take them apart.

use crate::File;
use lopper_languages::lexer::tokens;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

/// The text of an expression for the place of a node. O(length of the text).
pub(crate) fn operand(file: File<'_>, text: &[u8], place: NodeId) -> Vec<u8> {
    let is_torn = match shape(file, text) {
        Shape::Primary => false,
        Shape::Prefixed => is_accessed(file, place) || joins(file, text, place),
        Shape::Compound => binds(file, place),
    };
    match is_torn {
        true => [b"(", text, b")"].concat(),
        false => text.to_vec(),
    }
}

/// How strongly an expression holds together.
enum Shape {
    /// A word, number, string or bracket, with accesses, calls and the like behind it.
    Primary,
    /// Such an expression behind signs or casts, which only a call or an access takes apart.
    Prefixed,
    /// Anything else: most operators beside it may take it apart.
    Compound,
}

fn shape(file: File<'_>, text: &[u8]) -> Shape {
    let lexis = file.language().lexis();
    let (mut depth, mut is_open, mut is_bracket) = (0_usize, true, false);
    let mut shape = Shape::Primary;
    for token in tokens(text, lexis) {
        let token = &text[token.range()];
        let is_word =
            token[0].is_ascii_alphanumeric() || matches!(token[0], b'_' | b'$' | b'"' | b'\'' | 128..);
        match token {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => {
                depth = depth.saturating_sub(1);
                is_bracket |= depth == 0 && is_open;
                is_open &= depth > 0;
            }
            _ if depth > 0 => {}
            _ if lexis.is_access(token) => is_open = true,
            // What follows the first bracket may be what a cast converts.
            _ if is_word && (is_open || is_bracket) => {
                shape = if is_bracket && !is_open { Shape::Prefixed } else { shape };
                (is_open, is_bracket) = (false, false);
            }
            b"*" | b"&" | b"-" | b"+" | b"!" | b"~" if is_open => shape = Shape::Prefixed,
            _ => return Shape::Compound,
        }
    }
    shape
}

/// Whether a node stands beside an operator: at an end of the expression around it, but not as an assigned value.
fn binds(file: File<'_>, node: NodeId) -> bool {
    let range = file.range(node);
    file.parent(node).filter(|&n| file.has(n, Role::Expression)).is_some_and(|around| {
        let whole = file.range(around);
        let is_end = whole.start == range.start || whole.end == range.end;
        is_end && file.child_with(around, Role::Value) != Some(node)
    })
}

/// Whether a node is what an access or a call begins with.
fn is_accessed(file: File<'_>, node: NodeId) -> bool {
    let around = file.parent(node).filter(|&n| file.has(n, Role::Access));
    around.is_some_and(|n| file.range(n).start == file.range(node).start)
}

/// Whether a sign would become one operator with the sign before it.
fn joins(file: File<'_>, text: &[u8], place: NodeId) -> bool {
    let before = &file.text()[..file.range(place).start];
    before.last().is_some_and(|last| text.first() == Some(last))
}
