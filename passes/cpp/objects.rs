//! The places where a class is named as the type of objects.

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
