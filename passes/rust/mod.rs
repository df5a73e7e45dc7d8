//! Passes for Rust.

pub(crate) mod borrows;
pub(crate) mod bounds;
pub(crate) mod enums;
pub(crate) mod expansions;
pub(crate) mod free_functions;
pub(crate) mod impl_traits;
mod macro_rules;
pub(crate) mod makers;
pub(crate) mod mods;
pub(crate) mod newtypes;
pub(crate) mod objects;
pub(crate) mod opaque_results;
mod paths;
pub(crate) mod provided;
pub(crate) mod return_types;
pub(crate) mod tails;
pub(crate) mod tuple_fields;
pub(crate) mod tuples;

use crate::c::{child, is};
use crate::{File, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

/// The name at the end of the path of a type or value, without its type arguments: `b` in `a::b<u8>`.
pub(crate) fn head(file: File<'_>, path: NodeId) -> Option<NodeId> {
    let inner = |&node: &NodeId| match file.kind_name(node) {
        "generic_type" | "generic_type_with_turbofish" => file.named_children(node).next(),
        "scoped_type_identifier" | "scoped_identifier" => file.named_children(node).last(),
        _ => None,
    };
    let end = std::iter::successors(Some(path), inner).last()?;
    matches!(file.kind_name(end), "identifier" | "type_identifier").then_some(end)
}

/// The index of the definition that a path ends with. `Self` is the type of the `impl` around it.
fn meant(file: File<'_>, path: NodeId) -> Option<usize> {
    let name = head(file, path)?;
    if file.node_text(name) != b"Self" {
        return file.bindings().of(name);
    }
    let owner = file.ancestors(name).find(|&n| is(&file, n, "impl_item") || is(&file, n, "trait_item"))?;
    file.bindings().of(head(file, implemented(file, owner)?)?)
}

/// The type that the functions of an `impl` belong to.
pub(crate) fn implemented(file: File<'_>, owner: NodeId) -> Option<NodeId> {
    let types = file.children(owner).filter(|&n| file.has(n, Role::Type));
    types.last().filter(|_| is(&file, owner, "impl_item"))
}

/// Makes a structure with these fields of a structure or an enumeration. Fields in round brackets stand before the bounds.
fn as_structure(file: File<'_>, item: NodeId, fields: &[u8]) -> Option<Unit> {
    let keyword = file.children(item).find(|&n| matches!(file.node_text(n), b"struct" | b"enum"))?;
    let head = child(&file, item, "type_parameters").or_else(|| child(&file, item, "type_identifier"))?;
    let (head, end) = (file.range(head).end, file.range(item).end);
    let is_tuple = fields.starts_with(b"(");
    let (front, back) = match fields {
        [] | [b'(', ..] => (fields, &b";"[..]),
        _ => (&b" "[..], fields),
    };
    let mut units = match child(&file, item, "where_clause").map(|n| file.range(n).end) {
        None => vec![file.write(head..end, [front, back].concat())],
        Some(bounded) if is_tuple => vec![file.write(head..head, front), file.write(bounded..end, back)],
        Some(bounded) => vec![file.write(bounded..end, [front, back].concat())],
    };
    if file.node_text(keyword) != b"struct" {
        units.push(file.write(file.range(keyword), *b"struct"));
    }
    Some(Unit::together(units))
}
