//! An expression gives way to the simplest constant.

use crate::levels::levels;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::role::Role;

pub(crate) const PASS: Pass = Pass {
    name: "constants",
    summary: "replaces an expression by a simple constant",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "python",
            before: "x = f(a, b[1])\ny = g() + 1\n",
            keep: &["x = f(", ")", "y = ", " + "],
            after: "x = f(0, 0)\ny = 0 + 0\n",
        },
        Example { language: "c", before: "int a = b(c) * 2;\n", keep: &["int a ="], after: "int a = 0;\n" },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(base, |file, node| file.tree().has(node, Role::Expression));
    let choices = |level: Vec<_>| {
        let units = level.into_iter().map(|(id, node)| {
            let file = base.file(id);
            let text = file.node_text(node);
            // Constants are ranked: one is never replaced by a later one, or two would take turns.
            // One token has little to win from another.
            let count = match file.tokens_in(file.tree().range(node)).len() {
                ..=1 => 1,
                _ => usize::MAX,
            };
            let simpler = file.language.constants().iter().take(count).take_while(|c| c.as_bytes() != text);
            let unit =
                |&constant: &&'static str| Unit::Replace { file: id, node, by: Source::text(constant) };
            simpler.map(unit).collect()
        });
        Group::choices(units.collect()).doubtful()
    };
    levels.into_iter().map(choices).collect()
}
