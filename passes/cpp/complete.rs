//! Which nodes define a class with its members, and do not only declare its name.

use crate::File;
use crate::c::is;
use lopper_languages::tree::NodeId;

/// Whether a node defines a class with its members.
pub(crate) fn defines_members(file: File<'_>, node: NodeId) -> bool {
    let is_class =
        |&n: &NodeId| matches!(file.kind_name(n), "class_specifier" | "struct_specifier" | "union_specifier");
    let class = std::iter::once(node).chain(file.descendants(node)).find(is_class);
    class.is_some_and(|n| file.children(n).any(|part| is(&file, part, "field_declaration_list")))
}
