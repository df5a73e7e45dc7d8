//! Hierarchical deletion: level by level, whatever the grammar lets be absent.
//!
//! After Misherghi and Su, "HDD: Hierarchical Delta Debugging" (ICSE 2006), section 3; a level holds
//! the nodes with equally many deletable ancestors, so that chains of single children cost nothing.

use crate::levels::{has_tokens, levels};
use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;

pub(crate) const PASS: Pass = Pass {
    name: "delete",
    summary: "deletes statements, list items and other optional nodes, level by level",
    grain: Grain::Coarse,
    proves: true,
    reaches: true,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "struct s { int x; };\nint f(int a, int b) { g(); return h(a, b, 3); }\nint i = 1, j;\n",
            keep: &["int b)", "h(", "j;"],
            after: "int f(int b) { return h(); }\nint j;\n",
        },
        Example {
            language: "python",
            before: "import os\nclass A(B):\n    x = 1\n    def f(self, y=2):\n        return [1, 2]\nz = 3; w = 4\n",
            keep: &["class A", "f(", "w = 4"],
            after: "class A:\n    def f():\n        pass\nw = 4\n",
        },
        Example {
            language: "text",
            before: "[section]\n  a = 1, 2\n  b = (c d)\n[other]\n",
            keep: &["[section]", "b", "d"],
            after: "[section]\n  b (d)\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(base, |file, node| {
        let tree = file.tree();
        tree.is_optional(node) && !tree.has(node, Role::Comment) && has_tokens(file, node, 1)
    });
    let unit = |(file, node)| Unit::Drop { file, node };
    let group = |nodes: Vec<_>| Group::deletions(nodes.into_iter().map(unit).collect());
    levels.into_iter().map(group).collect()
}
