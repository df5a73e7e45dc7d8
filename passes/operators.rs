//! Replaces an augmented assignment by a plain one: `a += b` becomes `a = b`.

use crate::{Base, Example, Group, Pass};
use lopper_languages::lexer::{Token, TokenKind};

pub(crate) const PASS: Pass = Pass {
    name: "operators",
    summary: "replaces an augmented assignment (`a += b`) by a plain one (`a = b`)",
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

fn plan(base: &Base) -> Vec<Group> {
    let operators = PASS.files(base).flat_map(|file| {
        let lexis = file.language().lexis();
        let assigns = move |token: &&Token| lexis.is_assignment(&file.text()[token.range()]);
        let operators = file.tokens().iter().filter(|token| token.kind == TokenKind::Operator);
        operators.filter(assigns).map(move |token| file.cut(token.start as usize..token.end as usize - 1))
    });
    vec![Group::deletions(operators)]
}
