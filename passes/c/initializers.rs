//! The values that initializers give to the fields of a structure by their places: `{ 1, 2 }`.

use super::{declarators, first, is, mentions, named_by};
use crate::File;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

/// An initializer of an object.
pub(super) struct Initializer {
    /// The list in braces.
    pub(super) list: NodeId,
    /// The values of the first fields.
    pub(super) values: Vec<NodeId>,
}

/// The initializers of the objects of a structure, but for those that name fields. O(uses of the structure).
pub(super) fn initializers(file: File<'_>, structure: NodeId) -> Vec<Initializer> {
    let lists = types(file, structure).into_iter().flat_map(|node| lists(file, node));
    let initializer = |list: NodeId| {
        let values = file.named_children(list).filter(|&n| !file.has(n, Role::Comment)).collect();
        Initializer { list, values }
    };
    let names_no_field =
        |initializer: &Initializer| initializer.values.iter().all(|&n| !is(&file, n, "initializer_pair"));
    lists.map(initializer).filter(names_no_field).collect()
}

/// The nodes that stand for the type: the definition, its tag after the keyword, and its names.
fn types(file: File<'_>, structure: NodeId) -> Vec<NodeId> {
    let tagged = mentions(file, structure).map(|name| named_by(file, name));
    let definition = file.parent(structure).filter(|&n| is(&file, n, "type_definition"));
    let names = definition.into_iter().flat_map(|n| file.children(n));
    let named = names.filter(|&n| is(&file, n, "type_identifier")).filter_map(|n| file.definition(n));
    let named = named.flat_map(|definition| file.uses(definition));
    std::iter::once(structure).chain(tagged).chain(named).collect()
}

/// The lists in braces for objects that are declared, or made, with a type.
fn lists(file: File<'_>, node: NodeId) -> Vec<NodeId> {
    let Some(around) = file.parent(node) else { return Vec::new() };
    let is_list = |n: &NodeId| is(&file, *n, "initializer_list");
    if is(&file, around, "type_descriptor") && file.named_children(around).count() == 1 {
        let made = file.parent(around).filter(|&n| is(&file, n, "compound_literal_expression"));
        return made.into_iter().flat_map(|n| file.children(n)).filter(is_list).collect();
    }
    let mut lists = Vec::new();
    for declarator in declarators(&file, around).filter(|&n| is(&file, n, "init_declarator")) {
        let value = file.children(declarator).find(is_list).into_iter();
        match first(&file, declarator).map(|n| file.kind_name(n)) {
            Some("identifier") => lists.extend(value),
            Some("array_declarator") => lists.extend(value.flat_map(|n| file.children(n)).filter(is_list)),
            _ => {}
        }
    }
    lists
}
