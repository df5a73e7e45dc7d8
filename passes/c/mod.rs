//! Passes for C, which ask for its node kinds; most of them are for C++, too, whose grammar extends that of C.

pub(crate) mod addresses;
pub(crate) mod conditionals;
pub(crate) mod copies;
pub(crate) mod enumerators;
pub(crate) mod fields;
pub(crate) mod includes;
pub(crate) mod increments;
pub(crate) mod indirections;
mod initializers;
pub(crate) mod joins;
pub(crate) mod lifts;
pub(crate) mod loops;
pub(crate) mod macros;
pub(crate) mod moves;
pub(crate) mod placements;
pub(crate) mod prototypes;
pub(crate) mod results;
pub(crate) mod returns;
pub(crate) mod sources;
pub(crate) mod standard_headers;
pub(crate) mod structures;
pub(crate) mod typedefs;

use crate::File;
use lopper_languages::tree::{NodeId, Tree};

/// The languages with these node kinds.
const FAMILY: &[&str] = &["c", "cpp"];

/// Whether a node has this kind.
pub(crate) fn is(tree: &Tree, node: NodeId, kind: &str) -> bool {
    tree.kind_name(node) == kind
}

/// The nodes of a kind.
pub(crate) fn all<'a>(file: File<'a>, kind: &'a str) -> impl Iterator<Item = NodeId> + 'a {
    file.tree().nodes().filter(move |&n| is(&file, n, kind))
}

/// The first child of a kind.
pub(crate) fn child(tree: &Tree, node: NodeId, kind: &str) -> Option<NodeId> {
    tree.children(node).find(|&n| is(tree, n, kind))
}

/// The first child that is more than punctuation.
fn first(tree: &Tree, node: NodeId) -> Option<NodeId> {
    tree.children(node).find(|&n| tree.is_named(n))
}

/// The function that a node is in.
fn function_around(tree: &Tree, node: NodeId) -> Option<NodeId> {
    tree.ancestors(node).find(|&n| is(tree, n, "function_definition"))
}

/// The declaration of a name, and the name's declarator in it, with its value if it has one.
fn declared(tree: &Tree, name: NodeId) -> Option<(NodeId, NodeId)> {
    let is_whole = |n: &NodeId| tree.kind_name(*n).ends_with("declaration");
    let whole = tree.ancestors(name).find(is_whole)?;
    let path = std::iter::once(name).chain(tree.ancestors(name));
    let item = path.take_while(|&n| n != whole).last()?;
    is_declarator(tree, item).then_some((whole, item))
}

fn is_declarator(tree: &Tree, node: NodeId) -> bool {
    let kind = tree.kind_name(node);
    kind.ends_with("declarator") || kind == "identifier" || kind == "field_identifier"
}

/// The declarators of a declaration.
fn declarators(tree: &Tree, declaration: NodeId) -> impl Iterator<Item = NodeId> {
    tree.children(declaration).filter(|&n| is_declarator(tree, n))
}

/// The specifiers of a declaration, which hold for all its declarators: type, qualifiers, storage class.
fn specifiers(file: File<'_>, declaration: NodeId) -> Option<&[u8]> {
    let first = declarators(&file, declaration).next()?;
    Some(file.text()[file.range(declaration).start..file.range(first).start].trim_ascii_end())
}

/// The empty range before a node.
pub(crate) fn at(tree: &Tree, node: NodeId) -> std::ops::Range<usize> {
    let start = tree.range(node).start;
    start..start
}

/// The names of a structure outside its definition.
fn mentions(file: File<'_>, structure: NodeId) -> impl Iterator<Item = NodeId> {
    let tag = child(&file, structure, "type_identifier").and_then(|tag| file.definition(tag));
    tag.into_iter().flat_map(move |definition| file.uses(definition))
}

/// The type that the name of a structure stands in: the keyword and the name, or in C++ perhaps the name alone.
fn named_by(file: File<'_>, name: NodeId) -> NodeId {
    let whole =
        file.parent(name).filter(|&n| child(&file, n, "struct").or(child(&file, n, "union")).is_some());
    whole.unwrap_or(name)
}
