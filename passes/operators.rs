//! An operator that also assigns only assigns: `a += b` becomes `a = b`.

use crate::{Base, Example, Group, Pass};
use lopper_languages::lexer::{Token, TokenKind};

pub(crate) const PASS: Pass = Pass {
    name: "operators",
    summary: "makes an assignment with an operator a plain one",
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
    ..Pass::DEFAULT
};

/// Ends like an assignment, and is none.
const COMPARISONS: [&[u8]; 5] = [b"==", b"!=", b"<=", b">=", b":="];

fn plan(base: &Base) -> Vec<Group> {
    let operators = PASS.files(base).flat_map(|file| {
        let assigns = move |token: &&Token| {
            let text = &file.text()[token.range()];
            text.len() > 1 && text.ends_with(b"=") && !COMPARISONS.contains(&text)
        };
        let operators = file.tokens().iter().filter(|token| token.kind == TokenKind::Operator);
        operators.filter(assigns).map(move |token| file.cut(token.start as usize..token.end as usize - 1))
    });
    vec![Group::deletions(operators)]
}
