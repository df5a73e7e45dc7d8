//! The places where a class is named as the type of objects, and the objects that are declared there.

use crate::File;
use crate::c::{child, is};
use lopper_languages::tree::NodeId;

/// A name of a class, with its template arguments and its namespaces.
pub(super) fn whole_name(file: File<'_>, name: NodeId) -> NodeId {
    let mut named = name;
    while let Some(around) = file.parent(named) {
        let is_all = match file.kind_name(around) {
            "template_type" | "template_function" => file.children(around).next() == Some(named),
            "qualified_identifier" => file.named_children(around).last() == Some(named),
            _ => false,
        };
        if !is_all {
            break;
        }
        named = around;
    }
    named
}

/// The names of the variables, parameters and fields that are objects of a class, or references to such, by their declarations.
/// O(uses of the class).
pub(super) fn objects(file: File<'_>, class: NodeId) -> Vec<NodeId> {
    let definition = child(&file, class, "type_identifier").and_then(|name| file.definition(name));
    let named = definition.into_iter().flat_map(|definition| file.uses(definition));
    let types = named.map(|name| whole_name(file, name)).chain([class]);
    let declarators = types.filter_map(|node| Some((node, file.parent(node)?))).flat_map(|(node, around)| {
        let is_declaration = file.kind_name(around).ends_with("declaration");
        file.named_children(around).filter(move |&n| is_declaration && n != node)
    });
    declarators.filter_map(|declarator| declared(file, declarator)).collect()
}

/// The name that a declarator gives to an object.
fn declared(file: File<'_>, declarator: NodeId) -> Option<NodeId> {
    let inner = |&n: &NodeId| match file.kind_name(n) {
        "init_declarator" => file.named_children(n).next(),
        "reference_declarator" => file.named_children(n).last(),
        _ => None,
    };
    let name = std::iter::successors(Some(declarator), inner).last()?;
    (is(&file, name, "identifier") || is(&file, name, "field_identifier")).then_some(name)
}

/// The declarator of the constructor that has this name.
pub(super) fn constructor(file: File<'_>, name: NodeId) -> Option<NodeId> {
    let mut node = name;
    if let Some(qualified) = file.parent(name).filter(|&n| is(&file, n, "qualified_identifier")) {
        (file.next_sibling(name).is_none()).then_some(())?;
        node = qualified;
    }
    let declarator = file.parent(node).filter(|&n| is(&file, n, "function_declarator"))?;
    (file.children(declarator).next() == Some(node)).then_some(declarator)
}

/// The lists of what is passed to a constructor where objects of this type are created.
pub(super) fn creations(file: File<'_>, named: NodeId) -> Vec<NodeId> {
    let Some(around) = file.parent(named) else { return Vec::new() };
    let list = |n: NodeId| child(&file, n, "argument_list");
    match file.kind_name(around) {
        "call_expression" | "new_expression" => list(around).into_iter().collect(),
        "declaration" => {
            let is_definition = |n: &NodeId| is(&file, *n, "init_declarator");
            file.children(around).filter(is_definition).filter_map(list).collect()
        }
        _ => Vec::new(),
    }
}
