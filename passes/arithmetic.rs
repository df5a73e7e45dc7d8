//! Replaces an operation on two whole numbers by its result: `3 + 1` becomes `4`.

use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "arithmetic",
    summary: "replaces an operation on two whole numbers by its result (`3 + 1` by `4`)",
    examples: &[
        Example {
            language: "c",
            before: "int f() { return g(3 + 1) + 1.5 * 2 - 7 * 10 + (2 - 3); }\n",
            keep: &["return g(", ") + 1.5 * 2 - ", " + (2 - 3);"],
            after: "int f() { return g(4) + 1.5 * 2 - 70 + (2 - 3); }\n",
        },
        Example {
            language: "python",
            before: "a = b * (9 - 2 + 1) - 010 + 1\n",
            keep: &["a = b * ", " - 010 + 1"],
            after: "a = b * (8) - 010 + 1\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let expressions = PASS.files(base).flat_map(|file| file.with(Role::Expression).map(move |n| (file, n)));
    vec![Group::deletions(expressions.filter_map(|(file, node)| computed(file, node)))]
}

/// The unit that puts the result in the place of an operation, unless it is negative: a sign would be one more token, which
/// operators beside it could take for their own.
fn computed(file: File<'_>, operation: NodeId) -> Option<Unit> {
    let [left, operator, right] = file.children(operation).collect::<Vec<_>>()[..] else { return None };
    let (left, right) = (number(file, left)?, number(file, right)?);
    let result = match file.node_text(operator) {
        b"+" => left.checked_add(right),
        b"-" => left.checked_sub(right),
        b"*" => left.checked_mul(right),
        _ => None,
    }?;
    Some(file.replace(operation, Source::made(result.to_string())))
}

/// The value of a decimal number.
fn number(file: File<'_>, node: NodeId) -> Option<u32> {
    let text = file.node_text(node);
    let is_decimal = text.iter().all(u8::is_ascii_digit) && !(text.len() > 1 && text.starts_with(b"0"));
    let text = std::str::from_utf8(text).ok().filter(|_| is_decimal && file.has(node, Role::Literal))?;
    text.parse().ok()
}
