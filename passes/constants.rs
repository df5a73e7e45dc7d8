//! Replaces an expression by the simplest constant.

use crate::levels::levels;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "constants",
    summary: "replaces an expression by a simple constant",
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
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(PASS.files(base), |file, node| file.has(node, Role::Expression));
    let choices = |level: Vec<_>| Group::choices(level.into_iter().map(simpler)).doubtful();
    levels.into_iter().map(choices).collect()
}

fn simpler((file, node): (File<'_>, NodeId)) -> Vec<Unit> {
    let text = file.node_text(node);
    // Constants are ranked: none is replaced by a later one, or two would alternate. Replacing a single token
    // gains little.
    let count = match file.tokens_in(file.range(node)).len() {
        ..=1 => 1,
        _ => usize::MAX,
    };
    let constants = file.language().constants().iter().take(count).take_while(|c| c.as_bytes() != text);
    constants.map(|&constant| file.replace(node, constant)).collect()
}
