//! Lets one use of a variable refer to another variable, so that what only the first one needs may go.
//!
//! A step of its own gains nothing, so it is a pump: a condition `i` that becomes `p` frees `i`, its steps and its parameter. A name
//! takes over from one that is used less often; so the steps come to an end, and names that are hardly used disappear.

use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;

pub(crate) const PASS: Pass = Pass {
    name: "exchanges",
    summary: "lets one use of a variable refer to another variable",
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "int f(int count, int *b) { for (; count; count--) *b++ = 0; return *b; }\n",
            keep: &["int count, ", "for (; ", "; count--", "*b++", "return *b"],
            after: "int f(int count, int *b) { for (; b; count--) *b++ = 0; return *b; }\n",
        },
        Example {
            language: "python",
            before: "def f(alpha, b):\n    b.c()\n    return b + alpha\n",
            keep: &["(alpha, b)", "b.c()", "return b + "],
            after: "def f(alpha, b):\n    b.c()\n    return b + b\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A variable with more uses stays whatever one of them becomes.
const FEW: usize = 3;
/// The number of variables that are tried in the place of a use: those that are used most often.
const STAND_INS: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    if !base.is_small() {
        return Vec::new();
    }
    vec![Group::choices(PASS.files(base).flat_map(ways)).doubtful()]
}

/// The other variables for each use of the variables of a file.
fn ways(file: File<'_>) -> Vec<Vec<Unit>> {
    let is_variable = |d: &&Definition| {
        matches!(d.sort, Sort::Variable | Sort::Parameter) && file.has(d.places[0].name, Role::Name)
    };
    let mut variables: Vec<&Definition> = file.bindings().definitions().iter().filter(is_variable).collect();
    variables.sort_by_key(|variable| std::cmp::Reverse(variable.uses.len()));
    let rare = variables.iter().rev().filter(|variable| variable.uses.len() <= FEW);
    let ways = rare.flat_map(|&rare| {
        let name = file.node_text(rare.places[0].name);
        let others = variables.iter().take_while(|other| other.uses.len() >= rare.uses.len());
        let others: Vec<&Definition> =
            others.copied().filter(|other| file.node_text(other.places[0].name) != name).collect();
        file.uses(rare).map(move |used| {
            let visible = others.iter().filter(|other| file.is_within(used, other.scope)).take(STAND_INS);
            let by = |other: &&Definition| file.replace(used, Source::Node(other.places[0].name));
            visible.map(by).collect()
        })
    });
    ways.collect()
}
