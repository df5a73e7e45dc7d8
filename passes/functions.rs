//! Functions and their calls, matched by name: what goes with a parameter, and what a call stands for.

use crate::File;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::BTreeMap;

/// What is called by one name in a file. Names are not resolved: what is hidden by another scope, and what
/// other objects have methods of that name, is taken for the same.
pub(crate) struct Function<'a> {
    file: File<'a>,
    /// Definitions and declarations, in the order of the text.
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) calls: Vec<NodeId>,
}

/// The functions of a file by name. O(nodes).
pub(crate) fn functions(file: File<'_>) -> Vec<Function<'_>> {
    let by_name = |whole: Role, name: Role| {
        let mut found: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
        for node in file.with(whole) {
            if let Some(name) = part(&file, node, name) {
                found.entry(file.node_text(name)).or_default().push(node);
            }
        }
        found
    };
    let mut calls = by_name(Role::Call, Role::Callee);
    let named = by_name(Role::Function, Role::FunctionName).into_iter();
    named
        .map(|(name, nodes)| Function { file, nodes, calls: calls.remove(name).unwrap_or_default() })
        .collect()
}

impl Function<'_> {
    /// The argument of a call for the parameter of this place or name.
    pub(crate) fn argument(&self, call: NodeId, place: usize, parameter: Option<&[u8]>) -> Option<NodeId> {
        let file = self.file;
        let arguments = items(&file, call, Role::Arguments);
        let has_name = |&&n: &&NodeId| value(&file, n) != n && name_in(file, n) == parameter;
        if let Some(&named) = arguments.iter().find(has_name) {
            return Some(named);
        }
        let first = |&function: &NodeId| items(&file, function, Role::Parameters).first().copied();
        let is_method = receiver(&file, call).is_some()
            && self.nodes.iter().filter_map(first).all(|n| is_receiver(file, n));
        let place = if is_method { place.checked_sub(1)? } else { place };
        arguments.get(place).copied().filter(|&n| value(&file, n) == n)
    }
}

/// The texts that a call passes, by the names of a function's parameters; what a method is called on is the
/// first of them.
pub(crate) fn arguments<'a>(file: File<'a>, function: NodeId, call: NodeId) -> BTreeMap<&'a [u8], &'a [u8]> {
    let one = Function { file, nodes: vec![function], calls: vec![call] };
    let passed = |(place, &item): (usize, &NodeId)| {
        let name = name_in(file, item)?;
        let argument = one.argument(call, place, Some(name))?;
        Some((name, file.node_text(value(&file, argument))))
    };
    let parameters = items(&file, function, Role::Parameters);
    let first = parameters.first().filter(|&&n| is_receiver(file, n)).map(|&n| file.node_text(n));
    let called_on = receiver(&file, call).map(|n| file.node_text(n));
    parameters.iter().enumerate().filter_map(passed).chain(first.zip(called_on)).collect()
}

/// What a method is called on.
pub(crate) fn receiver(tree: &Tree, call: NodeId) -> Option<NodeId> {
    let callee = part(tree, call, Role::Callee)?;
    let reached = tree.parent(callee).filter(|&n| tree.has(n, Role::Access) && n != call)?;
    tree.children(reached).next().filter(|&n| n != callee)
}

/// The part of a function or call that has this role.
pub(crate) fn part(tree: &Tree, whole: NodeId, role: Role) -> Option<NodeId> {
    let below = |node| tree.child_with(node, role);
    below(whole).or_else(|| tree.children(whole).find_map(below))
}

/// The items of a function's or call's list.
pub(crate) fn items(tree: &Tree, whole: NodeId, list: Role) -> Vec<NodeId> {
    let is_item = |n: &NodeId| tree.is_named(*n) && !tree.has(*n, Role::Comment);
    part(tree, whole, list).map_or(vec![], |list| tree.children(list).filter(is_item).collect())
}

/// The name that a parameter declares: the first that is not a type, else the first, since what old C
/// leaves without a type looks like one.
pub(crate) fn name_in(file: File<'_>, parameter: NodeId) -> Option<&[u8]> {
    let nodes = || std::iter::once(parameter).chain(file.descendants(parameter));
    let untyped = nodes().find(|&n| file.has(n, Role::Name) && !file.has(n, Role::Type));
    untyped.or_else(|| nodes().find(|&n| file.has(n, Role::Name))).map(|name| file.node_text(name))
}

/// What is passed with an argument, without the name in `name=value`.
pub(crate) fn value(tree: &Tree, argument: NodeId) -> NodeId {
    if tree.has(argument, Role::Expression) {
        return argument;
    }
    let mut children = tree.named_children(argument);
    match (children.next(), children.next()) {
        (Some(name), Some(value)) if tree.has(name, Role::Name) => value,
        _ => argument,
    }
}

/// Whether a parameter is the object that a method is called on, which is no argument.
fn is_receiver(file: File<'_>, parameter: NodeId) -> bool {
    file.language().lexis().is_receiver(file.node_text(parameter))
}
