//! Replaces the uses of a variable up to its next assignment by its value: of several assignments to a variable, each
//! may be deleted by itself.

use crate::functions::{name_in, part};
use crate::operands::operand;
use crate::uses::{is_alone, signed, statement};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "rebindings",
    summary: "replaces the uses of a variable by its value up to the next assignment",
    languages: &["python"],
    pump: true,
    examples: &[Example {
        language: "python",
        before: "def f(x):\n    a = g(x)\n    b, a = a\n    a = a.c(a, b)\n    return a\n",
        keep: &["def f(x)", "b, a = ", "return a"],
        after: "def f(x):\n    b, a = g(x)\n    a = a.c(a, b)\n    return a\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let replaced =
        PASS.files(base).flat_map(|file| file.with(Role::Variable).filter_map(move |n| replaced(file, n)));
    vec![Group::deletions(replaced).doubtful()]
}

fn replaced(file: File<'_>, assignment: NodeId) -> Option<Unit> {
    let (name, value) = (part(&file, assignment, Role::VariableName)?, part(&file, assignment, Role::Value)?);
    let definition = file.definition(name_in(file, name)?)?;
    let whole = Some(statement(&file, assignment)).filter(|_| is_alone(&file, assignment))?;
    let end = file.range(whole).end;
    let block = file.parent(whole)?;
    let later = |n: &NodeId| file.range(*n).start >= end && file.is_within(*n, block);
    let next = file.places(definition).map(|place| place.name).find(later)?;
    let last = file.range(statement(&file, next)).end;
    let uses = file.uses(definition).filter(|n| later(n) && file.range(*n).end <= last);
    let uses: Vec<NodeId> = uses.map(|n| signed(file, n)).filter(|&n| !file.has(n, Role::Target)).collect();
    let text = file.node_text(value);
    let by_value = uses.iter().map(|&n| file.replace(n, operand(file, text, n)));
    (!uses.is_empty()).then(|| Unit::together(std::iter::once(file.drop(whole)).chain(by_value)))
}
