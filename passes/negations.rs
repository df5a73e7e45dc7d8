//! A variable means the opposite: what it is set to is flipped, and where it was negated it is not.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::bindings::Definition;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "negations",
    summary: "flips the constants that a variable is set to, and drops the negations of its uses",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
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
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let definitions = file.bindings().definitions().iter();
        definitions.filter_map(move |d| opposite(file, id, d)).collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

fn opposite(file: &Parsed, id: FileId, definition: &Definition) -> Option<Unit> {
    let tree = file.tree();
    let (mut units, mut is_negated) = (Vec::new(), false);
    let names = definition.places.iter().map(|place| place.name);
    for name in names.chain(definition.uses.iter().copied()) {
        let parent = tree.parent(name)?;
        if let Some(value) = tree.children(parent).find(|&n| n != name && tree.has(n, Role::Value)) {
            let by = Source::text(flipped(file, value)?);
            units.push(Unit::Replace { file: id, node: value, by });
        } else if tree.has(parent, Role::Negation) {
            units.push(Unit::Replace { file: id, node: parent, by: Source::Node(name) });
            is_negated = true;
        }
    }
    is_negated.then(|| Unit::Together(units.into()))
}

/// What is true where a constant is false, and the other way round; `None` if it is no such constant.
fn flipped(file: &Parsed, value: NodeId) -> Option<&'static str> {
    let text = file.node_text(value);
    let pairs = file.language.truths().iter();
    pairs.flat_map(|&(a, b)| [(a, b), (b, a)]).find(|(from, _)| from.as_bytes() == text).map(|(_, to)| to)
}
