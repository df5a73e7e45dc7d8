//! Functions, their parameters and their calls.

use crate::{Base, File};
use lopper_languages::bindings::{Call, Definition};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::BTreeSet;

/// A function, a method, or a macro with parameters, with all its definitions and declarations in a file.
pub(crate) struct Function<'a> {
    file: File<'a>,
    /// Definitions and declarations, in the order of the text.
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) calls: &'a [Call],
    /// The index of the definition in the file's bindings.
    pub(crate) definition: usize,
    /// Whether each of them has a parameter for the object that it is called on.
    pub(crate) is_method: bool,
    /// Whether they are called by calls of their class.
    is_constructor: bool,
}

/// The functions of a file, by name and then in the order of the text. O(definitions).
pub(crate) fn functions(file: File<'_>) -> Vec<Function<'_>> {
    let mut functions = Vec::new();
    for (index, definition) in file.definitions().enumerate() {
        let function = Function::new(file, index, definition);
        if !function.nodes.is_empty() {
            functions.push((file.node_text(definition.places[0].name), function));
        }
    }
    functions.sort_by_key(|(name, _)| *name);
    functions.into_iter().map(|(_, function)| function).collect()
}

/// The function with this name node.
fn named(file: File<'_>, name: NodeId) -> Option<NodeId> {
    // The qualifiers of a member that is defined outside of its class stand between the two.
    file.ancestors(name).find(|&n| file.has(n, Role::Function)).filter(|_| file.has(name, Role::FunctionName))
}

/// Whether each of these functions has a parameter for the object that it is called on.
fn are_methods(file: File<'_>, nodes: &[NodeId]) -> bool {
    let first = |&function: &NodeId| items(&file, function, Role::Parameters).first().copied();
    nodes.iter().filter_map(first).all(|n| is_receiver(file, n))
}

/// A function with all its definitions, declarations and calls in all files, one part for each file; empty if the
/// definition is none of a function. O(places and calls).
pub(crate) fn parts<'a>(base: &'a Base, definition: &'a Definition) -> Vec<Function<'a>> {
    let files = definition.places.iter().map(|place| place.file);
    let files: BTreeSet<FileId> = files.chain(definition.calls.iter().map(|call| call.file)).collect();
    let part = |id: FileId| Function::new(File { id, parsed: base.file(id) }, 0, definition);
    let mut parts: Vec<Function<'_>> = files.into_iter().map(part).collect();
    let is_method = parts.iter().all(|part| part.is_method);
    parts.iter_mut().for_each(|part| part.is_method = is_method);
    if parts.iter().all(|part| part.nodes.is_empty()) { Vec::new() } else { parts }
}

/// The constructors of a class with these names in a file, with the calls of the class in all files, one part for each
/// file. O(calls).
pub(crate) fn constructors<'a>(
    base: &'a Base,
    file: File<'a>,
    names: &[NodeId],
    class: &'a Definition,
) -> Vec<Function<'a>> {
    let files: BTreeSet<FileId> = class.calls.iter().map(|call| call.file).chain([file.id]).collect();
    let own: Vec<NodeId> = names.iter().filter_map(|&name| named(file, name)).collect();
    let is_method = are_methods(file, &own);
    let part = |id: FileId| {
        let nodes = if id == file.id { own.clone() } else { Vec::new() };
        let part = File { id, parsed: base.file(id) };
        Function { nodes, is_method, is_constructor: true, ..Function::new(part, 0, class) }
    };
    files.into_iter().map(part).collect()
}

impl<'a> Function<'a> {
    /// What a definition has in a file.
    fn new(file: File<'a>, index: usize, definition: &'a Definition) -> Self {
        let nodes: Vec<NodeId> =
            file.places(definition).filter_map(|place| named(file, place.name)).collect();
        let from = definition.calls.partition_point(|call| call.file < file.id);
        let to = definition.calls.partition_point(|call| call.file <= file.id);
        let is_method = are_methods(file, &nodes);
        Self {
            file,
            nodes,
            calls: &definition.calls[from..to],
            definition: index,
            is_method,
            is_constructor: false,
        }
    }

    /// The file of this part.
    pub(crate) fn file(&self) -> File<'a> {
        self.file
    }

    /// The argument of a call in another file than that of the function: the one with this keyword, otherwise the one
    /// at this place of the list.
    pub(crate) fn distant_argument(&self, call: &Call, place: usize, keyword: &[u8]) -> Option<NodeId> {
        let file = self.file;
        let arguments = items(&file, call.whole, Role::Arguments);
        let is_named = |n: &&NodeId| {
            name_in(file, **n).is_some_and(|name| value(&file, **n) != **n && file.node_text(name) == keyword)
        };
        arguments.iter().find(is_named).copied().or_else(|| self.argument(call, place, &[]))
    }

    /// The argument of a call for a parameter: the one whose keyword is a use of one of these names,
    /// otherwise the one at this place of the list.
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
        let is_method = self.is_method && (self.is_constructor || receiver(&file, call).is_some());
        let place = if is_method { place.checked_sub(1)? } else { place };
        arguments.get(place).copied().filter(|&n| value(&file, n) == n)
    }

    /// The calls of other functions that get this one, to call it. O(uses × arguments).
    pub(crate) fn passed_on(&self) -> Vec<PassedOn> {
        let file = self.file;
        let definition = file.bindings().definitions().get(self.definition);
        let uses = definition.into_iter().flat_map(|d| &d.uses).filter(|used| used.file == file.id);
        let passed_on = |name: NodeId| {
            // `self.f` in `run(self.f, 1)` has the object.
            let access = file.parent(name).filter(|&n| file.has(n, Role::Access));
            let passed = access.unwrap_or(name);
            let is_list = |n: NodeId| file.has(n, Role::Arguments);
            let keyword = file.parent(passed).filter(|&n| !is_list(n) && value(&file, n) == passed);
            let passed = keyword.unwrap_or(passed);
            let list = file.parent(passed).filter(|&n| is_list(n))?;
            let behind: Vec<NodeId> =
                items_of(&file, list).into_iter().skip_while(|&n| n != passed).skip(1).collect();
            let packed = behind.iter().map(|&n| value(&file, n)).find(|&n| is_display(file, n));
            let packed = packed.map_or(vec![], |list| items_of(&file, list));
            let direct = behind.into_iter().map(|n| (value(&file, n) == n).then_some(n)).collect();
            Some(PassedOn { direct, packed, has_object: self.is_method && access.is_some() })
        };
        uses.filter_map(|used| passed_on(used.name)).collect()
    }
}

/// A call of another function that gets a function, to call it.
pub(crate) struct PassedOn {
    /// The arguments behind the function, as in `run(f, 1)`; none for those with a keyword.
    direct: Vec<Option<NodeId>>,
    /// The items of the first tuple or list behind it, as in `run(target=f, args=(1, 2))`.
    packed: Vec<NodeId>,
    /// Whether the function has the object for its first parameter.
    has_object: bool,
}

impl PassedOn {
    fn index(&self, place: usize) -> Option<usize> {
        place.checked_sub(usize::from(self.has_object))
    }

    /// The argument behind the function for the parameter at this place.
    pub(crate) fn direct(&self, place: usize) -> Option<NodeId> {
        self.direct.get(self.index(place)?).copied().flatten()
    }

    /// The item of the tuple or list for the parameter at this place.
    pub(crate) fn packed(&self, place: usize) -> Option<NodeId> {
        self.packed.get(self.index(place)?).copied()
    }
}

/// Whether an expression is a tuple or a list that is written out.
pub(crate) fn is_display(file: File<'_>, node: NodeId) -> bool {
    let first = file.children(node).next().filter(|_| file.has(node, Role::Expression));
    first.is_some_and(|first| !file.is_named(first) && [&b"("[..], b"["].contains(&file.node_text(first)))
}

/// What a call passes for a parameter.
pub(crate) struct Passed<'a> {
    /// The parameter.
    pub(crate) parameter: NodeId,
    /// The parameter's name.
    pub(crate) name: NodeId,
    /// The argument's text.
    pub(crate) text: &'a [u8],
}

/// The texts that a call passes, with the parameters of a function. The object that a method is called on
/// belongs to the first parameter.
pub(crate) fn arguments<'a>(file: File<'a>, function: NodeId, call: &Call) -> Vec<Passed<'a>> {
    let nodes = vec![function];
    let is_method = are_methods(file, &nodes);
    let one = Function { file, nodes, calls: &[], definition: 0, is_method, is_constructor: false };
    let parameters = items(&file, function, Role::Parameters);
    let called_on =
        receiver(&file, call).filter(|_| parameters.first().is_some_and(|&n| is_receiver(file, n)));
    let passed = |(place, &parameter): (usize, &NodeId)| {
        let name = name_in(file, parameter).filter(|_| rest_mark(file, parameter).is_none())?;
        if let Some(object) = called_on.filter(|_| place == 0) {
            return Some(Passed { parameter, name, text: file.node_text(own_object(file, object)) });
        }
        let argument = one.argument(call, place, &[name])?;
        Some(Passed { parameter, name, text: file.node_text(value(&file, argument)) })
    };
    parameters.iter().enumerate().filter_map(passed).collect()
}

/// The mark of what takes or passes any number of arguments, such as `*a` and `**b` in Python and `...a` in JavaScript.
pub(crate) fn rest_mark(file: File<'_>, node: NodeId) -> Option<&[u8]> {
    let first = file.children(node).next()?;
    Some(file.node_text(first)).filter(|text| REST_MARKS.contains(text))
}

const REST_MARKS: [&[u8]; 3] = [b"*", BY_NAME, b"..."];
/// The mark for arguments with keywords.
const BY_NAME: &[u8] = b"**";

/// The arguments that a call passes for each parameter that takes any number of them, with the parameter's name.
pub(crate) fn further_arguments(file: File<'_>, function: NodeId, call: &Call) -> Vec<(NodeId, Vec<NodeId>)> {
    let parameters = items(&file, function, Role::Parameters);
    let arguments = items(&file, call.whole, Role::Arguments);
    let is_named = |&n: &NodeId| value(&file, n) != n;
    let names: BTreeSet<&[u8]> =
        parameters.iter().filter_map(|&n| name_in(file, n)).map(|name| file.node_text(name)).collect();
    let is_for_another =
        |&n: &NodeId| name_in(file, n).is_some_and(|keyword| names.contains(file.node_text(keyword)));
    let is_called_on =
        receiver(&file, call).is_some() && parameters.first().is_some_and(|&n| is_receiver(file, n));
    let further = |(place, &parameter): (usize, &NodeId)| {
        let mark = rest_mark(file, parameter)?;
        let passed: Vec<NodeId> = match mark == BY_NAME {
            true => arguments.iter().copied().filter(|n| is_named(n) && !is_for_another(n)).collect(),
            false => {
                let others = arguments.iter().copied().filter(|n| !is_named(n));
                others.skip(place.saturating_sub(usize::from(is_called_on))).collect()
            }
        };
        Some((name_in(file, parameter)?, passed))
    };
    parameters.iter().enumerate().filter_map(further).collect()
}

/// The object that an expression stands for: for `super()`, that of the method around it.
fn own_object(file: File<'_>, object: NodeId) -> NodeId {
    let is_super = file.bindings().call(object).is_some_and(|call| file.node_text(call.callee) == b"super");
    let method = file.ancestors(object).find(|&n| is_super && file.has(n, Role::Function));
    let first = method.and_then(|method| items(&file, method, Role::Parameters).first().copied());
    first.and_then(|parameter| name_in(file, parameter)).unwrap_or(object)
}

/// An argument as a call in C converts it: `(char) (a + b)` for a parameter `char c`.
pub(crate) fn cast(file: File<'_>, passed: &Passed<'_>) -> Vec<u8> {
    let (whole, name) = (file.range(passed.parameter), file.range(passed.name));
    let parts = [&file.text()[whole.start..name.start], &file.text()[name.end..whole.end]].concat();
    let is_word = passed.text.iter().all(|c| c.is_ascii_alphanumeric() || *c == b'_');
    let (open, close): (&[u8], &[u8]) = if is_word { (b"", b"") } else { (b"(", b")") };
    [b"(", parts.trim_ascii(), b") ", open, passed.text, close].concat()
}

/// Whether a parameter is declared with a type before its name, as in C.
pub(crate) fn is_typed(file: File<'_>, parameter: NodeId) -> bool {
    file.child_with(parameter, Role::Type).is_some_and(|n| file.range(n).start == file.range(parameter).start)
}

/// The object that a method is called on.
pub(crate) fn receiver(tree: &Tree, call: &Call) -> Option<NodeId> {
    let reached = tree.parent(call.callee).filter(|&n| tree.has(n, Role::Access) && n != call.whole)?;
    tree.children(reached).next().filter(|&n| n != call.callee)
}

/// The object that a method is called on, also where the call itself consists of the object, the name and the arguments.
pub(crate) fn object(file: File<'_>, call: &Call) -> Option<NodeId> {
    let beside = || {
        let first = file.children(call.whole).next().filter(|&n| n != call.callee)?;
        (file.parent(call.callee) == Some(call.whole) && file.has(first, Role::Expression)).then_some(first)
    };
    receiver(&file, call).or_else(beside)
}

/// The part of a function or call that has this role.
pub(crate) fn part(tree: &Tree, whole: NodeId, role: Role) -> Option<NodeId> {
    let below = |node| tree.child_with(node, role);
    // The parameters of a lambda in C++ stand in a declarator of their own.
    let of_value = || tree.children(tree.child_with(whole, Role::Value)?).find_map(below);
    below(whole).or_else(|| tree.children(whole).find_map(below)).or_else(of_value)
}

/// The items of a function's or call's list.
pub(crate) fn items(tree: &Tree, whole: NodeId, list: Role) -> Vec<NodeId> {
    part(tree, whole, list).map_or(vec![], |list| items_of(tree, list))
}

/// The items of a list or block: its named children, but no comments.
pub(crate) fn items_of(tree: &Tree, list: NodeId) -> Vec<NodeId> {
    tree.named_children(list).filter(|&n| !tree.has(n, Role::Comment)).collect()
}

/// The expression that a statement evaluates, if it does nothing else.
pub(crate) fn evaluated(file: File<'_>, statement: NodeId) -> Option<NodeId> {
    let is_alone = |&n: &NodeId| {
        let mut beside = file.children(statement).filter(|&part| part != n);
        file.has(n, Role::Expression) && beside.all(|n| file.node_text(n) == b";")
    };
    match file.has(statement, Role::Expression) {
        true => Some(statement),
        false => file.children(statement).find(is_alone),
    }
}

/// The name that a parameter declares: the first name that is not a type, otherwise the first one, since in
/// old C a parameter without a type looks like a type.
pub(crate) fn name_in(file: File<'_>, parameter: NodeId) -> Option<NodeId> {
    let nodes = || std::iter::once(parameter).chain(file.descendants(parameter));
    let untyped = nodes().find(|&n| file.has(n, Role::Name) && !file.has(n, Role::Type));
    untyped.or_else(|| nodes().find(|&n| file.has(n, Role::Name)))
}

/// The value of a parameter in calls that pass none.
pub(crate) fn default_of(file: File<'_>, parameter: NodeId) -> Option<NodeId> {
    let mut parts = file.children(parameter).skip_while(|&n| file.node_text(n) != b"=");
    parts.find(|&n| file.is_named(n))
}

/// The names inside a node, but outside the parameter itself, that stand for the parameter.
pub(crate) fn mentions(file: File<'_>, within: NodeId, parameter: NodeId) -> Vec<NodeId> {
    let mut names = name_in(file, parameter).map_or(vec![], |name| file.bindings().occurrences(name));
    names.retain(|&n| file.is_within(n, within) && !file.is_within(n, parameter));
    names
}

/// The value of an argument, without the keyword in `name=value`.
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

/// Whether a parameter stands for the object that a method is called on, which the arguments do not include.
fn is_receiver(file: File<'_>, parameter: NodeId) -> bool {
    file.language().lexis().is_receiver(file.node_text(parameter))
}
