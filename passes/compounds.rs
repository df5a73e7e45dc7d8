//! Replaces a plain assignment by one with an operator: `a = a + b` becomes `a += b`.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "compounds",
    summary: "replaces a plain assignment (`a = a + b`) by an augmented one (`a += b`)",
    examples: &[
        Example {
            language: "c",
            before: "int f() { a = a + 1; *b = c << *b; d = d < e; g = h(g - 1); int i = i * 2; }\n",
            keep: &["a", "1", "b", "c", "d", "< e", "h(g - 1)", "i * 2"],
            after: "int f() { a += 1; *b <<= c; d = d < e; g = h(g - 1); int i = i * 2; }\n",
        },
        Example {
            language: "go",
            before: "func f() { x = x + 2 }\n",
            keep: &["x", "+"],
            after: "func f() { x += 2 }\n",
        },
        Example { language: "python", before: "x = x // 2\n", keep: &["x", "//"], after: "x //= 2\n" },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let compounds = PASS
        .files(base)
        .flat_map(|file| file.with(Role::Value).filter_map(move |value| compound(file, value)));
    vec![Group::deletions(compounds).doubtful()]
}

fn compound(file: File<'_>, value: NodeId) -> Option<Unit> {
    let text = |node| file.node_text(node);
    // A list of values may have one item.
    let mut parts = file.children(file.ancestors(value).find(|&n| file.children(n).nth(1).is_some())?);
    let (target, equals) = (parts.next()?, parts.next()?);
    let mut operands = file.children(value);
    let (left, operator, right) = (operands.next()?, operands.next()?, operands.next()?);
    if text(equals) != b"=" {
        return None;
    }
    let both = [text(operator), b"="].concat();
    if !file.language().lexis().is_assignment(&both) {
        return None;
    }
    let other = match text(target) {
        target if target == text(left) => right,
        target if target == text(right) => left,
        _ => return None,
    };
    Some(Unit::together([file.replace(equals, both), file.replace(value, other)]))
}
