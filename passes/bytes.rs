//! Deletes windows of bytes, in files without a grammar.
//!
//! Windows end with their line: a line end between lines deletes no token, and what stands on a line tells later passes what
//! belongs together. Narrow windows leave words out: they get short names first, and what is left of them goes by letters.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "bytes",
    summary: "deletes windows of bytes in files without a grammar, but no line ends between lines",
    languages: &["text"],
    examples: &[
        Example {
            language: "text",
            before: "a = \"12 34\" -- word\nb\n",
            keep: &["a", "\"1", "4\"", "word", "b"],
            after: "a \"14\"word\nb",
        },
        Example { language: "text", before: "+€∑+", keep: &["∑"], after: "∑" },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The widths of the windows, in bytes.
const WIDTHS: [usize; 4] = [64, 16, 4, 1];

/// Windows that are narrower than this leave words out.
const WIDE: usize = 16;

fn plan(base: &Base) -> Vec<Group> {
    let group = |width: usize| {
        let units = PASS.files(base).flat_map(|file| windows(file, width));
        Group::deletions(units).beyond_grammar()
    };
    WIDTHS.map(group).into()
}

/// The bytes of a file that may go in windows of this width, cut into these.
fn windows(file: File<'_>, width: usize) -> Vec<Unit> {
    let lines = file.lines().map(|line| {
        let text = &file.text()[line.clone()];
        let within = text.strip_suffix(b"\n").filter(|_| line.end < file.text().len());
        line.start..line.start + within.unwrap_or(text).len()
    });
    let parts: Vec<Range<usize>> = match width < WIDE {
        true => lines.flat_map(|line| without_words(file, line)).collect(),
        false => lines.collect(),
    };
    let cut = |part| file.windows(part, width).map(|window| file.cut(window));
    parts.into_iter().flat_map(cut).collect()
}

/// The parts of a line between words of several letters.
fn without_words(file: File<'_>, line: Range<usize>) -> Vec<Range<usize>> {
    let words = file.parsed.tokens_in(line.clone()).iter().filter(|token| token.kind == TokenKind::Word);
    let mut parts = Vec::new();
    let mut start = line.start;
    for word in words.map(|token| token.range()).filter(|word| word.len() > 1) {
        parts.push(start..word.start);
        start = word.end;
    }
    parts.push(start..line.end);
    parts
}
