//! Replaces a node that cannot be absent by its filler: a statement by `pass` or `;`, a type by `int`.

use crate::levels::levels_with_slight_last;
use crate::{Base, Example, File, Grain, Group, Pass};
use lopper_languages::lexer::tokens;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "fillers",
    summary: "replaces statements, bodies and types by the shortest text that is allowed in their place",
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "python",
            before: "@a.b(2)\ndef f():\n    a()\n    return g(1)\n",
            keep: &["@", "def f"],
            after: "@str\ndef f():\n    pass\n",
        },
        Example {
            language: "c",
            before: "struct s f() { a(); }\nint g() { if (b) { c(); } }\n",
            keep: &["f()", "if (b)"],
            after: "int f() ;\nint g() { if (b) ; }\n",
        },
        Example {
            language: "javascript",
            before: "function f() { if (a) { g(); } while (b) h(); }\n",
            keep: &["function f", "if (a)", "while"],
            after: "function f() { if (a) ; while (b) ; }\n",
        },
        Example {
            language: "go",
            before: "package p\nfunc f() int { g(); return 1 }\nfunc h() { i() }\n",
            keep: &["func f", "i()"],
            after: "package p\nfunc f() int { panic(0) }\nfunc h() { i() }\n",
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
    let has_filler = |file, node| filler(file, node).is_some() && !may_go(file, node);
    let levels = levels_with_slight_last(|| PASS.files(base), has_filler, is_slight);
    let shrunk = |(file, node): (File<'_>, NodeId)| filler(file, node).map(|by| file.replace(node, by));
    levels.into_iter().map(|level| Group::deletions(level.into_iter().filter_map(shrunk))).collect()
}

/// Whether a node is a statement that may be absent from its block, or all of a block that may be absent: the pass `delete` is
/// for those. A program of one statement would be empty without it.
fn may_go(file: File<'_>, node: NodeId) -> bool {
    let Some(block) = file.parent(node).filter(|&n| file.has(n, Role::Block)) else { return false };
    let is_alone = || file.named_children(block).take(2).count() == 1;
    let is_needed = block == NodeId::ROOT && is_alone();
    file.has(node, Role::Statement)
        && !is_needed
        && (file.is_optional(node) || file.is_optional(block) && is_alone())
}

/// A node's filler, unless the node is its filler already.
fn filler(file: File<'_>, node: NodeId) -> Option<&'static str> {
    file.filler(node).filter(|filler| file.node_text(node) != filler.as_bytes())
}
