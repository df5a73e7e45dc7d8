//! A parameter goes, with its argument in every call and what uses it in the function.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "parameters",
    summary: "deletes a parameter with its arguments; its uses become an argument or a constant",
    grain: Grain::Coarse,
    proves: false,
    examples: &[
        Example {
            language: "c",
            before: "int f(int a, char *b);\nint f(int a, char *b) { return g(a); }\nint h = f(1, 0) + f(2, 0);\n",
            keep: &["return g(", "f(1", "f(2"],
            after: "int f(int a);\nint f(int a) { return g(a); }\nint h = f(1) + f(2);\n",
        },
        Example {
            language: "c",
            before: "int f(a, b) float a; { return a + b; }\nint h = f(0.5f, 2);\n",
            keep: &["return", "+", "= f("],
            after: "int f() { return 0.5f + 2; }\nint h = f();\n",
        },
        Example {
            language: "python",
            before: "class A:\n    def f(self, a, b=2):\n        return g(a)\nA().f(7, b=3)\n",
            keep: &["return g(", "self"],
            after: "class A:\n    def f(self):\n        return g(7)\nA().f()\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let choices = base.files().flat_map(|(id, file)| {
        let functions = Functions::of(file);
        let named: Vec<(&[u8], Vec<NodeId>)> = functions.named.clone().into_iter().collect();
        named.into_iter().flat_map(move |(name, nodes)| functions.parameters(file, id, name, &nodes))
    });
    vec![Group::choices(choices.collect()).doubtful()]
}

/// The functions of a file, and their calls, by name.
struct Functions<'a> {
    named: BTreeMap<&'a [u8], Vec<NodeId>>,
    calls: BTreeMap<&'a [u8], Vec<NodeId>>,
}

impl<'a> Functions<'a> {
    fn of(file: &'a Parsed) -> Self {
        let tree = file.tree();
        let by_name = |whole: Role, name: Role| {
            let mut found: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
            for node in tree.nodes().filter(|&n| tree.has(n, whole)) {
                if let Some(name) = part(tree, node, name) {
                    found.entry(file.node_text(name)).or_default().push(node);
                }
            }
            found
        };
        Self { named: by_name(Role::Function, Role::FunctionName), calls: by_name(Role::Call, Role::Callee) }
    }

    /// For every parameter of a function how it may go: each use becomes an argument, or a constant.
    fn parameters(&self, file: &Parsed, id: FileId, name: &[u8], functions: &[NodeId]) -> Vec<Vec<Unit>> {
        let tree = file.tree();
        let lists: Vec<Vec<NodeId>> = functions.iter().map(|&f| items(tree, f, Role::Parameters)).collect();
        let most = lists.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).map(|place| self.parameter(file, id, name, functions, &lists, place)).collect()
    }

    fn parameter(
        &self,
        file: &Parsed,
        id: FileId,
        name: &[u8],
        functions: &[NodeId],
        lists: &[Vec<NodeId>],
        place: usize,
    ) -> Vec<Unit> {
        let tree = file.tree();
        let mut gone: Vec<NodeId> = Vec::new();
        let mut uses: Vec<NodeId> = Vec::new();
        let mut parameter: Option<&[u8]> = None;
        for (&function, list) in functions.iter().zip(lists) {
            let Some(&node) = list.get(place) else { continue };
            gone.push(node);
            let Some(name) = name_in(file, node) else { continue };
            parameter = Some(name);
            for other in mentions(file, scope(tree, function), node, name) {
                match declaration(tree, function, other) {
                    Some(declaration) => gone.push(declaration),
                    None => uses.push(other),
                }
            }
        }
        let calls = self.calls.get(name).map_or(&[][..], Vec::as_slice);
        let method = lists.iter().filter_map(|list| list.first()).all(|&n| is_receiver(file.node_text(n)));
        let arguments: Vec<NodeId> =
            calls.iter().filter_map(|&call| argument(file, call, place, parameter, method)).collect();
        gone.extend(&arguments);
        let with_uses = |by: Source| {
            let drops = gone.iter().map(|&node| Unit::Drop { file: id, node });
            let replaced = uses.iter().map(|&node| Unit::Replace { file: id, node, by });
            Unit::Together(drops.chain(replaced).collect())
        };
        if uses.is_empty() {
            return vec![with_uses(Source::Text(""))];
        }
        let argument = arguments.first().map(|&node| Source::Node(value(tree, node)));
        let constant = file.language.constants().first().map(|text| Source::Text(text));
        argument.into_iter().chain(constant).map(with_uses).collect()
    }
}

/// The part of a function or call that has this role.
fn part(tree: &Tree, whole: NodeId, role: Role) -> Option<NodeId> {
    let below = |node: NodeId| tree.children(node).find(|&n| tree.has(n, role));
    below(whole).or_else(|| tree.children(whole).find_map(below))
}

/// The items of a function's or call's list.
fn items(tree: &Tree, whole: NodeId, list: Role) -> Vec<NodeId> {
    let is_item = |n: &NodeId| tree.is_named(*n) && !tree.has(*n, Role::Comment);
    part(tree, whole, list).map_or(vec![], |list| tree.children(list).filter(is_item).collect())
}

/// Where a function's parameters mean something.
fn scope(tree: &Tree, function: NodeId) -> NodeId {
    let is_statement = |n: &NodeId| tree.has(*n, Role::Statement);
    if is_statement(&function) {
        function
    } else {
        tree.ancestors(function).find(is_statement).unwrap_or(function)
    }
}

/// The name that a parameter declares: the first that is not a type, else the first, since what old C
/// leaves without a type looks like one.
fn name_in(file: &Parsed, parameter: NodeId) -> Option<&[u8]> {
    let tree = file.tree();
    let mut names = std::iter::once(parameter).chain(tree.descendants(parameter));
    let first = names.find(|&n| tree.has(n, Role::Name))?;
    let untyped =
        std::iter::once(first).chain(names).find(|&n| tree.has(n, Role::Name) && !tree.has(n, Role::Type));
    Some(file.node_text(untyped.unwrap_or(first)))
}

/// Where a name stands in a scope but not in the parameter itself.
fn mentions<'a>(
    file: &'a Parsed,
    scope: NodeId,
    parameter: NodeId,
    name: &'a [u8],
) -> impl Iterator<Item = NodeId> + use<'a> {
    let tree = file.tree();
    let is_mention = move |n: &NodeId| tree.has(*n, Role::Name) && file.node_text(*n) == name;
    tree.descendants(scope).filter(is_mention).filter(move |&n| !tree.is_within(n, parameter))
}

/// The declaration between a function's head and its body that a name stands in, as in old C.
fn declaration(tree: &Tree, function: NodeId, name: NodeId) -> Option<NodeId> {
    let whole = tree.parent(function)?;
    let child = tree.ancestors(name).find(|&n| tree.parent(n) == Some(whole))?;
    (child != function && tree.has(child, Role::Statement) && tree.has(whole, Role::Statement))
        .then_some(child)
}

/// The object that a method is called on is no argument.
fn is_receiver(parameter: &[u8]) -> bool {
    matches!(parameter, b"self" | b"cls")
}

/// The argument of a call for the parameter of this place or name.
fn argument(
    file: &Parsed,
    call: NodeId,
    place: usize,
    parameter: Option<&[u8]>,
    method: bool,
) -> Option<NodeId> {
    let tree = file.tree();
    let arguments = items(tree, call, Role::Arguments);
    let has_name = |&&n: &&NodeId| value(tree, n) != n && name_in(file, n) == parameter;
    if let Some(&named) = arguments.iter().find(has_name) {
        return Some(named);
    }
    let shifted = if method { place.checked_sub(1)? } else { place };
    arguments.get(shifted).copied().filter(|&n| value(tree, n) == n)
}

/// What is passed with an argument, without the name in `name=value`.
fn value(tree: &Tree, argument: NodeId) -> NodeId {
    let mut children = tree.children(argument);
    let named = children.next().is_some_and(|n| tree.has(n, Role::Name)) && children.next().is_some();
    let value =
        children.next().filter(|&n| tree.has(n, Role::Expression) && !tree.has(argument, Role::Expression));
    value.filter(|_| named).unwrap_or(argument)
}
