//! Replaces a negated comparison by the opposite one: `!(a == b)` becomes `a != b`.

use crate::operands::operand;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "opposites",
    summary: "replaces a negated comparison by the opposite one (`!(a == b)` by `a != b`)",
    examples: &[
        Example {
            language: "c",
            before: "int f() { return !(a == b) && c == !(d < e); }\n",
            keep: &["return", "a", "b", " && ", "c == ", "d", "e"],
            after: "int f() { return (a != b) && c == (d >= e); }\n",
        },
        Example {
            language: "python",
            before: "while not a > b:\n    f(not (a != b), not a in c)\n",
            keep: &["while", "a", "b", "f(", ", not a in c)"],
            after: "while a <= b:\n    f(a == b, not a in c)\n",
        },
        Example {
            language: "javascript",
            before: "f(!(a === b));\n",
            keep: &["f(", "a", "b"],
            after: "f(a !== b);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// Operators and their opposites.
const OPPOSITES: [(&[u8], &[u8]); 4] = [(b"==", b"!="), (b"===", b"!=="), (b"<", b">="), (b">", b"<=")];

fn plan(base: &Base) -> Vec<Group> {
    let negations = PASS.files(base).flat_map(|file| file.with(Role::Negation).map(move |n| (file, n)));
    vec![Group::deletions(negations.filter_map(|(file, negation)| opposite(file, negation)))]
}

fn opposite(file: File<'_>, negation: NodeId) -> Option<Unit> {
    let inner = |&n: &NodeId| {
        let mut parts = file.named_children(n);
        parts.next().filter(|_| parts.next().is_none())
    };
    let negated = std::iter::successors(file.named_children(negation).last(), inner);
    let comparison = negated.last()?;
    let [left, operator, right] = file.children(comparison).collect::<Vec<_>>()[..] else { return None };
    let text = file.node_text(operator);
    let pairs = OPPOSITES.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    let (_, by) = pairs.into_iter().find(|&(from, _)| from == text)?;
    let [left, place, right] = [left, operator, right].map(|n| file.range(n));
    let source = file.text();
    let text = [&source[left.start..place.start], by, &source[place.end..right.end]].concat();
    Some(file.replace(negation, Source::made(operand(file, &text, negation))))
}
