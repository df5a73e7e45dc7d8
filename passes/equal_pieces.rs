//! Shrinks equal words inside strings, and equal numbers, in all their places at once: what goes in and what
//! is expected to come out.

use crate::literals::{inside_quotes, smaller_integers};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::lexer::{Token, TokenKind};
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "equal-pieces",
    summary: "shrinks equal words inside strings, and equal numbers, in all their places at once",
    examples: &[
        Example {
            language: "python",
            before: "assert f('one two-three', 130) == ['two', 'three', 130]\n",
            keep: &["assert f('", ") == ['", "',", "]"],
            after: "assert f('one -', 0) == ['', '', 0]\n",
        },
        Example {
            language: "c",
            before: "char *a = \"some text\", *b = \"text: %d\";\nint c = 77, d[77];\n",
            keep: &["char *a = \"some", "\", *b = \"", ": %d\"", "int c = ", ", d["],
            after: "char *a = \"some \", *b = \": %d\";\nint c = 0, d[0];\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// Words longer than this lose only halves, not single characters.
const LONG: usize = 16;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let words = equal(file, TokenKind::String, words).into_values().map(move |w| shorter(file, &w));
        let whole = |_: File<'_>, token: &Token| vec![token.range()];
        let numbers = equal(file, TokenKind::Number, whole);
        words.chain(numbers.into_values().map(move |n| smaller(file, &n))).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The pieces of the tokens of a kind that occur more than once, with their places.
fn equal<'a>(
    file: File<'a>,
    kind: TokenKind,
    pieces: impl Fn(File<'a>, &Token) -> Vec<Range<usize>>,
) -> BTreeMap<&'a [u8], Vec<Range<usize>>> {
    let mut equal: BTreeMap<&[u8], Vec<Range<usize>>> = BTreeMap::new();
    for token in file.tokens().iter().filter(|token| token.kind == kind) {
        for piece in pieces(file, token) {
            equal.entry(&file.text()[piece.clone()]).or_default().push(piece);
        }
    }
    equal.retain(|_, places| places.len() > 1);
    equal
}

/// The words in a string, without those that an escape may be a part of.
fn words(file: File<'_>, token: &Token) -> Vec<Range<usize>> {
    let inner = inside_quotes(file, token);
    let text = &file.text()[inner.clone()];
    let is_letter = |c: &u8| c.is_ascii_alphanumeric() || !c.is_ascii();
    let runs = text.split(|c| !is_letter(c)).filter(|word| !word.is_empty());
    let places = runs.map(|word| {
        let start = inner.start + (word.as_ptr() as usize - text.as_ptr() as usize);
        start..start + word.len()
    });
    places.filter(|place| file.text()[place.start - 1] != b'\\').collect()
}

/// The ways to shorten a word in all its places: to nothing, to a half, by one byte.
fn shorter(file: File<'_>, places: &[Range<usize>]) -> Vec<Unit> {
    let length = places[0].len();
    let mut parts: Vec<Range<usize>> = Vec::new();
    parts.push(0..length);
    if length > 2 {
        parts.extend([0..length / 2, length / 2..length]);
    }
    if (2..=LONG).contains(&length) {
        parts.extend((0..length).rev().map(|at| at..at + 1));
    }
    let cut = |part: &Range<usize>| {
        let cuts = places.iter().map(|place| file.cut(place.start + part.start..place.start + part.end));
        Unit::together(cuts)
    };
    parts.iter().map(cut).collect()
}

/// The ways to make a number smaller in all its places.
fn smaller(file: File<'_>, places: &[Range<usize>]) -> Vec<Unit> {
    let zero = (file.text()[places[0].clone()] != *b"0").then_some(0);
    let values = zero.into_iter().chain(smaller_integers(&file.text()[places[0].clone()]));
    let nodes: Vec<_> = places.iter().filter_map(|place| file.at(place.clone())).collect();
    let by = |value: u64| {
        let replaced = nodes.iter().map(|&node| file.replace(node, Source::made(value.to_string())));
        Unit::together(replaced)
    };
    values.map(by).collect()
}
