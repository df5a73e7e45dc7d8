//! Classes with their bases and members.

use crate::File;
use crate::functions::items_of;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

/// A class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Class {
    /// The name in its head.
    pub(super) name: NodeId,
    /// The definition, without decorators.
    pub(super) node: NodeId,
    /// The statement: the definition, with its decorators.
    pub(super) whole: NodeId,
    /// The block of its members.
    pub(super) body: NodeId,
}

/// The classes of a file, in the order of the text. O(nodes).
pub(super) fn classes(file: File<'_>) -> Vec<Class> {
    let class = |node: NodeId| {
        let name = file.children(node).find(|&n| file.has(n, Role::Name))?;
        let around = file.parent(node).filter(|&n| file.kind_name(n) == "decorated_definition");
        Some(Class { name, node, whole: around.unwrap_or(node), body: file.child_with(node, Role::Body)? })
    };
    let nodes = file.tree().nodes().filter(|&n| file.kind_name(n) == "class_definition");
    nodes.filter_map(class).collect()
}

impl Class {
    /// The class that a name stands for.
    pub(super) fn named<'c>(file: File<'_>, classes: &'c [Self], name: NodeId) -> Option<&'c Self> {
        let definition = file.definition(name)?;
        classes.iter().find(|class| file.places(definition).any(|place| place.name == class.name))
    }

    /// The innermost class around a node.
    pub(super) fn around<'c>(file: File<'_>, classes: &'c [Self], node: NodeId) -> Option<&'c Self> {
        let node = file.ancestors(node).find(|&n| file.kind_name(n) == "class_definition")?;
        classes.iter().find(|class| class.node == node)
    }

    /// The base classes in its head, and other arguments there.
    pub(super) fn bases(&self, file: File<'_>) -> Vec<NodeId> {
        let list = file.children(self.node).find(|&n| file.kind_name(n) == "argument_list");
        list.map_or(Vec::new(), |list| items_of(&file, list))
    }

    /// The statements in its body, but for those that do nothing.
    pub(super) fn members(&self, file: File<'_>) -> Vec<NodeId> {
        let mut members = items_of(&file, self.body);
        members.retain(|&n| file.kind_name(n) != "pass_statement");
        members
    }

    /// The name that a member gives to something.
    pub(super) fn member_name(file: File<'_>, member: NodeId) -> Option<&[u8]> {
        let names = std::iter::once(member).chain(file.descendants(member));
        let mut names =
            names.filter(|&n| file.definition(n).is_some_and(|d| file.places(d).any(|p| p.name == n)));
        names.find(|&n| file.has(n, Role::Name)).map(|n| file.node_text(n))
    }

    /// The function that is a method of this name.
    pub(super) fn method(&self, file: File<'_>, name: &[u8]) -> Option<NodeId> {
        let functions = self.members(file).into_iter().filter_map(|member| function_of(file, member));
        let is_called =
            |n: &NodeId| file.child_with(*n, Role::FunctionName).is_some_and(|n| file.node_text(n) == name);
        functions.into_iter().find(is_called)
    }
}

/// The function that a statement defines.
pub(super) fn function_of(file: File<'_>, statement: NodeId) -> Option<NodeId> {
    std::iter::once(statement).chain(file.children(statement)).find(|&n| file.has(n, Role::Function))
}
