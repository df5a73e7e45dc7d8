//! A constant that is false becomes one that is true: what stands in its way may then go.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::role::Role;

pub(crate) const PASS: Pass = Pass {
    name: "flips",
    summary: "makes a constant that is false true, if that lets something go",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: true,
    examples: &[Example {
        language: "python",
        before: "done = False\nwhile a(0): pass\n",
        keep: &["done = ", "while"],
        after: "done = True\nwhile a(0): pass\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut choices = Vec::new();
    for (id, file) in base.files() {
        for node in file.tree().nodes().filter(|&n| file.tree().has(n, Role::Literal)) {
            let text = file.node_text(node);
            let truths = file.language.truths().iter().filter(|(falsehood, _)| falsehood.as_bytes() == text);
            let flipped =
                |(_, truth): &(_, &'static str)| Unit::Replace { file: id, node, by: Source::text(truth) };
            choices.push(truths.map(flipped).collect());
        }
    }
    vec![Group::choices(choices)]
}
