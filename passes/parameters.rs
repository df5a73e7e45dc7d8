//! Deletes a parameter with its argument in every call, and replaces its uses in the function.

use crate::functions::{Function, functions, items, mentions, name_in, value};
use crate::uses::{statement, without};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "parameters",
    summary: "deletes a parameter with its arguments, and replaces its uses by an argument or a constant",
    grain: Grain::Coarse,
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
        Example {
            language: "go",
            before: "package p\n\nfunc f(a int, b string) int { return a }\n\nfunc main() { f(1, \"x\") }\n",
            keep: &["func main", "f("],
            after: "package p\n\nfunc f() int { return 1 }\n\nfunc main() { f() }\n",
        },
        Example {
            language: "lua",
            before: "local function f(a, b) return a end\nprint(f(1, \"x\"))\n",
            keep: &["print(", "f("],
            after: "local function f() return 1 end\nprint(f())\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let mut choices = Vec::new();
    for file in PASS.files(base) {
        for function in functions(file) {
            let count = |&node: &NodeId| items(&file, node, Role::Parameters).len();
            let most = function.nodes.iter().map(count).max().unwrap_or(0);
            choices.extend((0..most).map(|place| ways_to_go(file, &function, place)));
        }
    }
    vec![Group::choices(choices).doubtful()]
}

/// What must change to delete a function's parameter.
pub(crate) struct Going {
    /// The units that delete the parameter and its arguments.
    pub(crate) drops: Vec<Unit>,
    /// The uses of the parameter in the function.
    pub(crate) uses: Vec<NodeId>,
    /// The arguments for the parameter in calls.
    pub(crate) arguments: Vec<NodeId>,
}

pub(crate) fn going(file: File<'_>, function: &Function, place: usize) -> Going {
    let mut gone: Vec<NodeId> = Vec::new();
    let mut uses: Vec<NodeId> = Vec::new();
    let mut names: Vec<NodeId> = Vec::new();
    for &node in &function.nodes {
        let Some(&item) = items(&file, node, Role::Parameters).get(place) else { continue };
        gone.push(item);
        names.extend(name_in(file, item));
        for mention in mentions(file, statement(&file, node), item) {
            match declaration(&file, node, mention) {
                Some(declaration) => gone.push(declaration),
                None => uses.push(mention),
            }
        }
    }
    let argument = |call| function.argument(call, place, &names);
    let arguments: Vec<NodeId> = function.calls.iter().filter_map(argument).collect();
    let drops = gone.iter().chain(&arguments).map(|&node| file.drop(node)).collect();
    Going { drops, uses, arguments }
}

/// The ways to delete a function's parameter: its uses become an argument, or a constant.
fn ways_to_go(file: File<'_>, function: &Function, place: usize) -> Vec<Unit> {
    let Going { drops, uses, arguments } = going(file, function, place);
    let with_uses = |used: &dyn Fn(NodeId) -> Unit| {
        Unit::together(drops.iter().cloned().chain(uses.iter().map(|&node| used(node))))
    };
    let constant = with_uses(&|node| without(file, node, None));
    match arguments.first().filter(|_| !uses.is_empty()) {
        Some(&argument) => {
            let by = Source::Node(value(&file, argument));
            let argument = with_uses(&|node| file.replace(node, by.clone()));
            vec![argument, constant]
        }
        None => vec![constant],
    }
}

/// The declaration between a function's head and its body that contains a name, as in old C.
fn declaration(tree: &Tree, function: NodeId, name: NodeId) -> Option<NodeId> {
    let whole = tree.parent(function)?;
    let child = tree.ancestors(name).find(|&n| tree.parent(n) == Some(whole))?;
    (child != function && tree.has(child, Role::Statement) && tree.has(whole, Role::Statement))
        .then_some(child)
}
