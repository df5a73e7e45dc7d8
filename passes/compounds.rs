//! An assignment of what its target and something else come to is written with an operator: `a = a + b`
//! becomes `a += b`.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "compounds",
    summary: "makes an assignment of a target and something else one with an operator",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "int f() { a = a + 1; *b = c << *b; d = d < e; g = h(g - 1); int i = i * 2; }\n",
            keep: &["a", "1", "b", "c", "d", "< e", "h(g - 1)", "i * 2"],
            after: "int f() { a += 1; *b <<= c; d = d < e; g = h(g - 1); int i = i * 2; }\n",
        },
        Example { language: "python", before: "x = x // 2\n", keep: &["x", "//"], after: "x //= 2\n" },
    ],
    plan,
};

/// The operators that can be part of an assignment's, in some language.
const OPERATORS: [&[u8]; 13] =
    [b"+", b"-", b"*", b"/", b"//", b"%", b"**", b"@", b"<<", b">>", b"&", b"|", b"^"];

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let values = file.tree().nodes().filter(|&n| file.tree().has(n, Role::Value));
        values.filter_map(move |value| compound(file, id, value))
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

fn compound(file: &Parsed, id: FileId, value: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let text = |node| file.node_text(node);
    let mut parts = tree.children(tree.parent(value)?);
    let (target, equals) = (parts.next()?, parts.next()?);
    let mut operands = tree.children(value);
    let (left, operator, right) = (operands.next()?, operands.next()?, operands.next()?);
    if text(equals) != b"=" || !OPERATORS.contains(&text(operator)) {
        return None;
    }
    let other = match text(target) {
        target if target == text(left) => right,
        target if target == text(right) => left,
        _ => return None,
    };
    let both = Source::made([text(operator), b"="].concat());
    Some(Unit::Together(Box::new([
        Unit::Replace { file: id, node: equals, by: both },
        Unit::Replace { file: id, node: value, by: Source::Node(other) },
    ])))
}
