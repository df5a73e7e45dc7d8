//! An operator that also assigns only assigns: `a += b` becomes `a = b`.

use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;

pub(crate) const PASS: Pass = Pass {
    name: "operators",
    summary: "makes an assignment with an operator a plain one",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "int f() { x <<= 1; x |= x <= 1; }\n",
            keep: &["x", "= 1;", "= x <= 1"],
            after: "int f() { x = 1; x = x <= 1; }\n",
        },
        Example { language: "python", before: "x **= 2\n", keep: &["x", "= 2"], after: "x = 2\n" },
    ],
    plan,
};

/// Ends like an assignment, and is none.
const COMPARISONS: [&[u8]; 5] = [b"==", b"!=", b"<=", b">=", b":="];

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (file, parsed) in base.files() {
        for token in parsed.tokens.iter().filter(|token| token.kind == TokenKind::Operator) {
            let text = &parsed.text[token.range()];
            if text.len() > 1 && text.ends_with(b"=") && !COMPARISONS.contains(&text) {
                units.push(Unit::Cut { file, range: token.start..token.end - 1 });
            }
        }
    }
    vec![Group::deletions(units)]
}
