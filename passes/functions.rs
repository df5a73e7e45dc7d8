//! Functions and their calls: what goes with a parameter, and what a call stands for.

use crate::File;
use lopper_languages::bindings::Call;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

/// A function or method, or a macro with parameters, by all that names it in a file.
pub(crate) struct Function<'a> {
    file: File<'a>,
    /// Definitions and declarations, in the order of the text.
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) calls: &'a [Call],
}

/// The functions of a file, by name and then in the order of the text. O(definitions).
pub(crate) fn functions(file: File<'_>) -> Vec<Function<'_>> {
    let mut functions = Vec::new();
    for definition in file.definitions() {
        let nodes: Vec<NodeId> =
            file.places(definition).filter_map(|place| named(file, place.name)).collect();
        if !nodes.is_empty() {
            let name = file.node_text(definition.places[0].name);
            functions.push((name, Function { file, nodes, calls: &definition.calls }));
        }
    }
    functions.sort_by_key(|(name, _)| *name);
    functions.into_iter().map(|(_, function)| function).collect()
}

/// The function that this is the name of.
fn named(file: File<'_>, name: NodeId) -> Option<NodeId> {
    let function = file.ancestors(name).find(|&n| file.has(n, Role::Function))?;
    (part(&file, function, Role::FunctionName) == Some(name)).then_some(function)
}

impl Function<'_> {
    /// The argument of a call for a parameter: the one whose keyword is a use of one of these names, or the one at
    /// this place of the list.
    pub(crate) fn argument(&self, call: &Call, place: usize, parameters: &[NodeId]) -> Option<NodeId> {
        let (file, bindings) = (self.file, self.file.bindings());
        let arguments = items(&file, call.whole, Role::Arguments);
        let keyword = |&n: &NodeId| name_in(file, n).filter(|_| value(&file, n) != n);
        let is_meant = |keyword: NodeId| {
            let meant = bindings.of(keyword);
            meant.is_some() && parameters.iter().any(|&name| bindings.of(name) == meant)
        };
        if let Some(&named) = arguments.iter().find(|n| keyword(n).is_some_and(is_meant)) {
            return Some(named);
        }
        let first = |&function: &NodeId| items(&file, function, Role::Parameters).first().copied();
        let is_method = receiver(&file, call).is_some()
            && self.nodes.iter().filter_map(first).all(|n| is_receiver(file, n));
        let place = if is_method { place.checked_sub(1)? } else { place };
        arguments.get(place).copied().filter(|&n| value(&file, n) == n)
    }
}

/// The texts that a call passes, with the names of a function's parameters; what a method is called on is the
/// first of them.
pub(crate) fn arguments<'a>(file: File<'a>, function: NodeId, call: &Call) -> Vec<(NodeId, &'a [u8])> {
    let one = Function { file, nodes: vec![function], calls: &[] };
    let parameters = items(&file, function, Role::Parameters);
    let called_on =
        receiver(&file, call).filter(|_| parameters.first().is_some_and(|&n| is_receiver(file, n)));
    let passed = |(place, &item): (usize, &NodeId)| {
        let name = name_in(file, item)?;
        if let Some(object) = called_on.filter(|_| place == 0) {
            return Some((name, file.node_text(object)));
        }
        let argument = one.argument(call, place, &[name])?;
        Some((name, file.node_text(value(&file, argument))))
    };
    parameters.iter().enumerate().filter_map(passed).collect()
}

/// What a method is called on.
pub(crate) fn receiver(tree: &Tree, call: &Call) -> Option<NodeId> {
    let reached = tree.parent(call.callee).filter(|&n| tree.has(n, Role::Access) && n != call.whole)?;
    tree.children(reached).next().filter(|&n| n != call.callee)
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
pub(crate) fn name_in(file: File<'_>, parameter: NodeId) -> Option<NodeId> {
    let nodes = || std::iter::once(parameter).chain(file.descendants(parameter));
    let untyped = nodes().find(|&n| file.has(n, Role::Name) && !file.has(n, Role::Type));
    untyped.or_else(|| nodes().find(|&n| file.has(n, Role::Name)))
}

/// Where the name that a parameter declares stands for it in a node, but not in the parameter itself.
pub(crate) fn mentions(file: File<'_>, within: NodeId, parameter: NodeId) -> Vec<NodeId> {
    let mut names = name_in(file, parameter).map_or(vec![], |name| file.bindings().occurrences(name));
    names.retain(|&n| file.is_within(n, within) && !file.is_within(n, parameter));
    names
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
