//! Inverts a variable: flips the constants assigned to it, and deletes the negations at its uses.

use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "negations",
    summary: "flips the constants assigned to a variable, and deletes the negations at its uses",
    examples: &[
        Example {
            language: "python",
            before: "tag = False\nwhile a():\n    tag = True\n    if not tag: b()\n",
            keep: &["while", "if ", "tag: b()"],
            after: "tag = True\nwhile a():\n    tag = False\n    if tag: b()\n",
        },
        Example {
            language: "c",
            before: "int f() { int x = 1, y = !x; return !x; }\n",
            keep: &["int x = ", "y = ", "return "],
            after: "int f() { int x = 0, y = x; return x; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let opposites =
        PASS.files(base).flat_map(|file| file.definitions().filter_map(move |d| opposite(file, d)));
    vec![Group::deletions(opposites).doubtful()]
}

fn opposite(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let (mut units, mut is_negated) = (Vec::new(), false);
    let names = file.places(definition).map(|place| place.name);
    for name in names.chain(file.uses(definition)) {
        let parent = file.parent(name)?;
        if let Some(value) = file.children(parent).find(|&n| n != name && file.has(n, Role::Value)) {
            let by = Source::text(flipped(file, value)?);
            units.push(file.replace(value, by));
        } else if file.has(parent, Role::Negation) {
            units.push(file.replace(parent, name));
            is_negated = true;
        }
    }
    is_negated.then(|| Unit::together(units))
}

/// The true constant for a false one, and vice versa; `None` if the value is not such a constant.
fn flipped(file: File<'_>, value: NodeId) -> Option<&'static str> {
    let text = file.node_text(value);
    let pairs = file.language().truths().iter();
    pairs.flat_map(|&(a, b)| [(a, b), (b, a)]).find(|(from, _)| from.as_bytes() == text).map(|(_, to)| to)
}
