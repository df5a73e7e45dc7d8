//! Puts what a statement of a text says that a name means in the place of the name, and deletes the statement:
//! `typedef struct { bit a; } t; t b;` becomes `struct { bit a; } b;`.

use super::defined::{Defined, defined, places, statements};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "meanings",
    summary: "puts what a definition says that a name means in the place of the name, and deletes the definition",
    languages: &["text"],
    grain: Grain::Fine,
    examples: &[Example {
        language: "text",
        before: "typedef struct packed { logic c; } pair;\nlocalparam int N = 3 + 1;\nmodule t;\npair e[N];\nendmodule\n",
        keep: &["logic c; }", "module t;\n", " e[", "endmodule", "3 + 1"],
        after: "module t;\nstruct packed { logic c; } e[3 + 1];\nendmodule\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// What stands between a name and its meaning.
const SIGNS: &[&[u8]] = &[b"=", b":=", b"is"];

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let named = defined(file).into_iter().map(|defined| ways(file, &defined));
        typedefs(file).into_iter().map(|unit| vec![unit]).chain(named).collect::<Vec<_>>()
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
    let plain = written(file, meaning);
    let grouped = is_operand.then(|| [b"(", plain, b")"].concat());
    let texts = std::iter::once(plain.to_vec()).chain(grouped);
    texts.map(|text| replaced(file, defined.node, &defined.uses, &text)).collect()
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
