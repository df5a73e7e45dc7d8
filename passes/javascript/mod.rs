//! Passes for JavaScript, and what they share.

pub(crate) mod callbacks;
pub(crate) mod class_functions;
pub(crate) mod early_calls;
mod exports;
pub(crate) mod immediate_calls;
mod imports;
pub(crate) mod joins;
pub(crate) mod local_parameters;
pub(crate) mod scripts;
pub(crate) mod shortcuts;

use crate::File;
use lopper_languages::tree::NodeId;

/// The languages with these node kinds.
const FAMILY: &[&str] = &["javascript", "typescript", "tsx"];

/// Whether a node is a function with a body, named or not.
pub(crate) fn is_function(file: File<'_>, node: NodeId) -> bool {
    matches!(
        file.kind_name(node),
        "function_expression"
            | "arrow_function"
            | "function_declaration"
            | "method_definition"
            | "generator_function"
            | "generator_function_declaration"
    )
}

/// An expression without the brackets around it.
pub(crate) fn bare(file: File<'_>, mut node: NodeId) -> NodeId {
    while file.kind_name(node) == "parenthesized_expression"
        && let Some(inner) = file.named_children(node).next()
    {
        node = inner;
    }
    node
}
