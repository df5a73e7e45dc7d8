//! Which uses of a class need its members: a declaration of its name is not enough for them.

use crate::File;
use crate::c::is;
use lopper_languages::tree::NodeId;

/// Whether a node defines a class, with its members.
pub(crate) fn defines_members(file: File<'_>, node: NodeId) -> bool {
    let specifier = std::iter::once(node).chain(file.descendants(node)).find(|&n| is_class(file, n));
    specifier.is_some_and(|n| file.children(n).any(|part| is(&file, part, "field_declaration_list")))
}

/// Whether a use of a class needs its members: before `::`, among the bases of a class, and where a template is instantiated.
pub(crate) fn needs_members(file: File<'_>, used: NodeId) -> bool {
    // The arguments of a template belong to its name.
    let name = file.parent(used).filter(|&n| is(&file, n, "template_type")).unwrap_or(used);
    let mut around = file.ancestors(name).take_while(|&n| !is(&file, n, "template_argument_list"));
    let is_scope = |n: NodeId| is(&file, n, "qualified_identifier") && file.children(n).next() == Some(name);
    file.parent(name).is_some_and(is_scope)
        || around.any(|n| is(&file, n, "base_class_clause") || is(&file, n, "template_instantiation"))
}

fn is_class(file: File<'_>, node: NodeId) -> bool {
    matches!(file.kind_name(node), "class_specifier" | "struct_specifier" | "union_specifier")
}
