//! Puts what a statement of a text says that a name means in the place of the name, and deletes the statement:
//! `typedef struct { bit a; } t; t b;` becomes `struct { bit a; } b;`, and `a = 1; f(a);` becomes `f(1);`.

use super::defined::{Defined, defined, places, statements};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "meanings",
    summary: "puts what a definition says that a name means in the place of the name, and deletes the definition",
    languages: &["text"],
    grain: Grain::Fine,
    examples: &[
        Example {
            language: "text",
            before: "BEGIN {\n  a = b + 1\n  print a * 2\n}\n",
            keep: &["BEGIN {", "b + 1", "print ", " * 2"],
            after: "BEGIN {\n  print b + 1 * 2\n}\n",
        },
        Example {
            language: "text",
            before: "typedef struct packed { logic c; } pair;\nlocalparam int N = 3 + 1;\nmodule t;\npair e[N];\nendmodule\n",
            keep: &["logic c; }", "module t;\n", " e[", "endmodule", "3 + 1"],
            after: "module t;\nstruct packed { logic c; } e[3 + 1];\nendmodule\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// What stands between a name and its meaning.
const SIGNS: &[&[u8]] = &[b"=", b":=", b"is"];

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let named = defined(file).into_iter().map(|defined| ways(file, &defined));
        let typedefs = typedefs(file).into_iter().map(|unit| vec![unit]);
        typedefs.chain(named).chain(assigned(file)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The words behind `typedef` but the last one stand for that one.
fn typedefs(file: File<'_>) -> Vec<Unit> {
    let text = |at: usize| &file.text()[file.tokens()[at].range()];
    let places = places(file);
    let unit = |(node, tokens): (NodeId, Range<usize>)| {
        let name = tokens.end - 1;
        let is_typedef = text(tokens.start) == b"typedef" && tokens.len() > 2;
        let places = places.get(text(name)).filter(|_| is_typedef)?;
        let uses: Vec<usize> = places.iter().copied().filter(|&at| at != name).collect();
        let is_behind = !uses.is_empty() && uses.iter().all(|&at| at > name);
        is_behind.then(|| replaced(file, node, &uses, written(file, tokens.start + 1..name)))
    };
    statements(file).filter_map(unit).collect()
}

/// What stands behind the sign that follows a name, as it is and in brackets.
fn ways(file: File<'_>, defined: &Defined<'_>) -> Vec<Unit> {
    let text = |at: usize| &file.text()[file.tokens()[at].range()];
    let mut behind = defined.name + 1..defined.tokens.end;
    let is_typed = behind.clone().next().is_some_and(|at| text(at) == b":");
    let sign =
        behind.find(|&at| SIGNS.contains(&text(at)) || !is_typed).filter(|&at| SIGNS.contains(&text(at)));
    let Some(sign) = sign.filter(|&sign| sign + 1 < defined.tokens.end) else { return Vec::new() };
    let meaning = sign + 1..defined.tokens.end;
    let is_operand = meaning.len() > 1 && text(sign) != b"is";
    texts(file, meaning, is_operand).map(|text| replaced(file, defined.node, &defined.uses, &text)).collect()
}

/// Some tokens as they are, and in brackets.
fn texts(file: File<'_>, tokens: Range<usize>, is_operand: bool) -> impl Iterator<Item = Vec<u8>> {
    let plain = written(file, tokens);
    let grouped = is_operand.then(|| [b"(", plain, b")"].concat());
    std::iter::once(plain.to_vec()).chain(grouped)
}

/// A variable with more uses stays.
const USES: usize = 4;

/// What a statement assigns to a variable that is used only behind it.
fn assigned(file: File<'_>) -> Vec<Vec<Unit>> {
    let text = |at: usize| &file.text()[file.tokens()[at].range()];
    let places = places(file);
    let ways = |(node, tokens): (NodeId, Range<usize>)| {
        let (name, value) = (tokens.start, tokens.start + 2..tokens.end);
        let is_assignment = !value.is_empty() && [&b"="[..], b":="].contains(&text(name + 1));
        let (first, uses) = places.get(text(name)).filter(|_| is_assignment)?.split_first()?;
        let is_used =
            *first == name && (1..=USES).contains(&uses.len()) && uses.iter().all(|&at| at >= tokens.end);
        let by = texts(file, value.clone(), value.len() > 1);
        is_used.then(|| by.map(|text| replaced(file, node, uses, &text)).collect())
    };
    statements(file).filter_map(ways).collect()
}

/// What some tokens are in the text.
fn written(file: File<'_>, tokens: Range<usize>) -> &[u8] {
    let tokens = &file.tokens()[tokens];
    let range = tokens.first().zip(tokens.last()).map(|(first, last)| first.range().start..last.range().end);
    &file.text()[range.unwrap_or_default()]
}

/// A text in the place of these tokens, without the definition.
fn replaced(file: File<'_>, definition: NodeId, uses: &[usize], by: &[u8]) -> Unit {
    let uses = uses.iter().map(|&used| file.write(file.tokens()[used].range(), by));
    Unit::together(uses.chain([file.drop(definition)]))
}
