//! Drops the quotes of a string that is a word: `>> "out"` becomes `>> out`, and `{"a": 1}` becomes `{a: 1}`. Only for languages in
//! which a word may stand where a string does.

use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "quotes",
    summary: "drops the quotes of a string that is a word",
    languages: &["bash", "html", "javascript", "toml", "typescript", "yaml"],
    grain: Grain::Finish,
    examples: &[
        Example {
            language: "bash",
            before: "tr a-z b-y >> \"out\"\n",
            keep: &["tr a-z b-y >> ", "out"],
            after: "tr a-z b-y >> out\n",
        },
        Example {
            language: "html",
            before: "<li class=\"selected\"></li>\n",
            keep: &["<li class=", "selected", "></li>"],
            after: "<li class=selected></li>\n",
        },
        Example {
            language: "javascript",
            before: "f({\"a\": 1});\n",
            keep: &["f({", "a", ": 1})"],
            after: "f({a: 1});\n",
        },
        Example {
            language: "typescript",
            before: "type T = { \"a\": b };\n",
            keep: &["type T = { ", "a", ": b }"],
            after: "type T = { a: b };\n",
        },
        Example { language: "toml", before: "'a' = 1\n", keep: &["a", "= 1"], after: "a = 1\n" },
        Example { language: "yaml", before: "a: \"b-c\"\n", keep: &["a: ", "b-c"], after: "a: b-c\n" },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    vec![Group::deletions(PASS.files(base).flat_map(quoted_words)).doubtful()]
}

/// For each string that is a word, what drops its quotes.
fn quoted_words(file: File<'_>) -> impl Iterator<Item = Unit> {
    let strings = file.tokens().iter().filter(|token| token.kind == TokenKind::String);
    strings.filter_map(move |token| {
        let Range { start, end } = token.range();
        let [open, word @ .., close] = &file.text()[start..end] else { return None };
        let is_word =
            !word.is_empty() && word.iter().all(|c| c.is_ascii_alphanumeric() || b"_-./".contains(c));
        let quotes = [file.cut(start..start + 1), file.cut(end - 1..end)];
        (open == close && is_word).then(|| Unit::together(quotes))
    })
}
