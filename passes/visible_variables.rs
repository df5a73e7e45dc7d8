//! Replaces an expression by a variable that is visible there: `f(g(1).h)` becomes `f(a)`.
//!
//! A value often reaches the place where it shows through calls and containers. No deletion takes these out, but the variable that held
//! the value before them may still be there.

use crate::levels::{has_tokens, levels};
use crate::uses::{signed, statement};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;

pub(crate) const PASS: Pass = Pass {
    name: "visible-variables",
    summary: "replaces an expression by a variable that is visible there",
    examples: &[
        Example {
            language: "c",
            before: "int f(int a) { int b = g(a), c = h(1 + 2); return b; }\n",
            keep: &["int f(int a) { int b = g(a), c = ", "return b"],
            after: "int f(int a) { int b = g(a), c = a; return b; }\n",
        },
        Example {
            language: "lua",
            before: "local a, b = 0, -0\nlocal c = {}\nc[1] = b\nprint(unpack(c))\n",
            keep: &["local a, b = 0, -0", "print("],
            after: "local a, b = 0, -0\nlocal c = b\nc[1] = b\nprint(b)\n",
        },
        Example {
            language: "php",
            before: "<?php\n$a = 1;\n$b = [$a];\nf($b[0]);\n",
            keep: &["$a = 1;", "$b = [$a];", "f("],
            after: "<?php\n$a = 1;\n$b = [$a];\nf($a);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of variables that are tried in the place of an expression: those that come last before it.
const VARIABLES: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    if !base.is_small() {
        return Vec::new();
    }
    let group =
        |level: Vec<_>| Group::choices(level.into_iter().map(|(file, node)| ways(file, node))).doubtful();
    levels(PASS.files(base), is_compound).into_iter().map(group).collect()
}

/// Whether a node is an expression of several tokens whose value something uses.
fn is_compound(file: File<'_>, node: NodeId) -> bool {
    let is_used = |n: NodeId| {
        file.parent(n).is_some_and(|parent| !file.has(parent, Role::Statement) || file.has(n, Role::Returned))
    };
    file.has(node, Role::Expression) && has_tokens(file, node, 2) && is_used(node)
}

/// The variables in the place of an expression.
fn ways(file: File<'_>, node: NodeId) -> Vec<Unit> {
    let (start, set) = (file.range(node).start, statement(&file, node));
    let is_set = |name: NodeId| statement(&file, name) == set;
    let mut found: Vec<(Reverse<usize>, &[u8])> = Vec::new();
    let is_variable =
        |d: &&Definition| matches!(d.sort, Sort::Variable | Sort::Parameter) && file.is_within(node, d.scope);
    for definition in file.definitions().filter(is_variable) {
        let names = || file.places(definition).map(|place| place.name).chain(file.uses(definition));
        let before = names().map(|name| file.range(name).start).filter(|&at| at < start).max();
        let is_within = names().any(|name| file.is_within(name, node))
            || definition.sort == Sort::Variable && file.places(definition).any(|place| is_set(place.name));
        if let Some(at) = before.filter(|_| !is_within) {
            found.push((Reverse(at), file.node_text(signed(file, definition.places[0].name))));
        }
    }
    found.sort_unstable();
    found.into_iter().take(VARIABLES).map(|(_, name)| file.replace(node, name.to_vec())).collect()
}
