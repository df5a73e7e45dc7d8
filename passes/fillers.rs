//! Replaces a node that cannot be absent by its filler: a statement by `pass` or `;`, a type by `int`.

use crate::levels::levels_with_slight_last;
use crate::{Base, Example, File, Grain, Group, Pass};
use lopper_languages::lexer::tokens;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "fillers",
    summary: "replaces statements, bodies and types by the shortest text that is allowed in their place",
    grain: Grain::Coarse,
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
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let is_slight = |file: File<'_>, node| {
        let filler = filler(file, node).unwrap_or_default().as_bytes();
        file.tokens_in(file.range(node)).len() <= tokens(filler, file.language().lexis()).count()
    };
    let has_filler = |file, node| filler(file, node).is_some();
    let levels = levels_with_slight_last(|| PASS.files(base), has_filler, is_slight);
    let shrunk = |(file, node): (File<'_>, NodeId)| filler(file, node).map(|by| file.replace(node, by));
    levels.into_iter().map(|level| Group::deletions(level.into_iter().filter_map(shrunk))).collect()
}

/// A node's filler, unless the node is its filler already.
fn filler(file: File<'_>, node: NodeId) -> Option<&'static str> {
    file.filler(node).filter(|filler| file.node_text(node) != filler.as_bytes())
}
