//! Comments go.

use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;

pub(crate) const PASS: Pass = Pass {
    name: "comments",
    summary: "deletes comments",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "/* about\n   it */\nint a; // and it\nint /* why? */ b;\n",
            keep: &["int a;", "b;", "why?"],
            after: "int a;\nint /* why? */ b;\n",
        },
        Example {
            language: "python",
            before: "# about\nif a:\n    # inside\n    b('#', # end\n      c)\n",
            keep: &["b('#',"],
            after: "if a:\n    b('#',\n      c)\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (id, file) in base.files() {
        let tree = file.tree();
        let comments = tree.nodes().filter(|&node| tree.has(node, Role::Comment));
        units.extend(comments.map(|node| Unit::Drop { file: id, node }));
    }
    vec![Group::deletions(units)]
}
