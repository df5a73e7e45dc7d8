//! What cannot be absent shrinks to its filler: a statement to `pass` or `;`, a type to `int`.

use crate::levels::levels;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "fillers",
    summary: "replaces statements, bodies and types by the shortest text that may stand there",
    grain: Grain::Coarse,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "python",
            before: "def f():\n    a()\n    return g(1)\n",
            keep: &["def f"],
            after: "def f():\n    pass\n",
        },
        Example {
            language: "c",
            before: "struct s f() { a(); }\nint g() { if (b) { c(); } }\n",
            keep: &["f()", "if (b)"],
            after: "int f() ;\nint g() { if (b) ; }\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let replaceable = |file: &Parsed, node: NodeId| {
        let filler = file.tree().filler(node);
        filler.is_some_and(|filler| file.node_text(node) != filler.as_bytes())
    };
    let unit = |(file, node)| {
        let filler = base.file(file).tree().filler(node).unwrap_or_default();
        Unit::Replace { file, node, by: Source::text(filler) }
    };
    let group = |level: Vec<_>| Group::deletions(level.into_iter().map(unit).collect());
    levels(base, replaceable).into_iter().map(group).collect()
}
