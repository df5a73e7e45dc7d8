//! Simplifies literals: numbers become smaller and lose their suffixes, strings become shorter. So do comments that the test needs.
//!
//! A literal is a token here, not a node: where the text does not parse, or where the parser splits a
//! formatted string, there is no node for it.

use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::lexer::{Token, TokenKind};
use lopper_languages::lexis::Lexis;
use lopper_languages::role::Role;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "literals",
    summary: "shrinks numbers, strings and comments, piece by piece",
    examples: &[
        Example {
            language: "c",
            before: "int a[5000], b = 0x1fUL; char *s = \"hello, world\";\n",
            keep: &["0]", "\"", "o", "d"],
            after: "int a[0], b = 1; char *s = \"od\";\n",
        },
        Example {
            language: "python",
            before: "x = rb'abc' + 12.50\n",
            keep: &["b", "."],
            after: "x = b'' + .5\n",
        },
        Example {
            language: "c",
            before: "char *s = \"a-b %d \";\n",
            keep: &["= \"a", "b", "%d"],
            after: "char *s = \"ab%d\";\n",
        },
        Example {
            language: "javascript",
            before: "s = x.match(/a+['\"]b*/gi);\n",
            keep: &["match(/", "b", "/g"],
            after: "s = x.match(/b/g);\n",
        },
        Example {
            language: "c",
            before: "char *s = \"one two three four five six seven eight nine ten eleven twelve thirteen\";\n",
            keep: &["= \"", " six ", "eight ", "eleven"],
            after: "char *s = \" six eight eleven\";\n",
        },
        Example {
            language: "python",
            before: "a = 1  # see the page: noqa (for b)\nc()\n",
            keep: &["a = 1  #", "noqa", "c()"],
            after: "a = 1  #noqa\nc()\n",
        },
        Example {
            language: "c",
            before: "int a; /* the rest of this line is\n        not for the linter: skip it, please */ int b;\n",
            keep: &["int a; /*", "skip", "*/ int b;"],
            after: "int a; /*skip*/ int b;\n",
        },
        Example {
            language: "python",
            before: "f(\"\"\"a|b\nc|d\"\"\")\n",
            keep: &["f(\"\"\"", "c|d\"\"\")"],
            after: "f(\"\"\"c|d\"\"\")\n",
        },
        Example {
            language: "text",
            before: "retry 5000 'at once'\n",
            keep: &["retry", "'", "a"],
            after: "retry 1 'a'\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// Strings and comments longer than this lose halves and words, and single characters only when they have become shorter.
const LONG: usize = 64;

fn plan(base: &Base) -> Vec<Group> {
    let words = PASS.files(base).flat_map(|file| {
        let strings = file.tokens().iter().filter(|token| token.kind == TokenKind::String);
        let texts = strings.map(move |token| inside_quotes(file, token)).chain(comments(file));
        let long = texts.filter(|inner| inner.len() > LONG);
        long.flat_map(move |inner| words(file, inner)).map(move |word| file.cut(word))
    });
    let words = Group::deletions(words).doubtful();
    let of_comments = |file: File<'_>| {
        comments(file)
            .map(|inner| cuts(inner).map(|piece| file.cut(piece)).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let all = PASS.files(base).flat_map(literals).chain(PASS.files(base).flat_map(of_comments));
    vec![Group::choices(all).doubtful(), words]
}

/// The most lines of a string that are deleted one by one.
const LINES: usize = 16;

/// The lines of a string that has several, each with its end; of the last one, the end before it.
fn lines(file: File<'_>, inner: Range<usize>) -> Vec<Range<usize>> {
    let text = &file.text()[inner.clone()];
    let ends = text.iter().enumerate().filter(|(_, c)| **c == b'\n').map(|(at, _)| inner.start + at + 1);
    let ends: Vec<usize> = ends.take(LINES).collect();
    let starts = std::iter::once(inner.start).chain(ends.iter().copied());
    let last =
        ends.last().filter(|&&end| ends.len() < LINES && end < inner.end).map(|end| end - 1..inner.end);
    starts.zip(&ends).map(|(start, &end)| start..end).chain(last).collect()
}

/// The words of a string or comment, each with the blanks before it.
fn words(file: File<'_>, inner: Range<usize>) -> Vec<Range<usize>> {
    let text = &file.text()[inner.clone()];
    let is_end =
        |at: &usize| !text[*at].is_ascii_whitespace() && text.get(at + 1).is_none_or(u8::is_ascii_whitespace);
    let ends: Vec<usize> = (0..text.len()).filter(is_end).map(|at| inner.start + at + 1).collect();
    let starts = std::iter::once(inner.start).chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, &end)| start..end).collect()
}

/// What stands in the comments, between the markers.
fn comments<'a>(file: File<'a>) -> impl Iterator<Item = Range<usize>> + use<'a> {
    let Lexis { line_comments, block_comments, .. } = *file.language().lexis();
    let inside = move |text: &[u8]| {
        let closed = block_comments.iter().find_map(|(open, close)| {
            text.strip_prefix(open.as_bytes())?
                .strip_suffix(close.as_bytes())
                .map(|_| (open.len(), close.len()))
        });
        let opened = || line_comments.iter().find(|open| text.starts_with(open.as_bytes()));
        closed.or_else(|| Some((opened()?.len(), 0)))
    };
    file.with(Role::Comment).filter_map(move |node| {
        let range = file.range(node);
        let (open, close) = inside(file.node_text(node))?;
        Some(range.start + open..range.end - close)
    })
}

fn literals<'a>(file: File<'a>) -> impl Iterator<Item = Vec<Unit>> + use<'a> {
    file.tokens().iter().map(move |token| alternatives(file, token))
}

fn alternatives(file: File, token: &Token) -> Vec<Unit> {
    let (range, text) = (token.range(), &file.text()[token.range()]);
    match token.kind {
        TokenKind::Number => {
            let integer = |node| {
                let smaller = smaller_integers(text).into_iter();
                smaller.map(move |n| file.replace(node, Source::made(n.to_string())))
            };
            let integers = file.at(range.clone()).into_iter().flat_map(integer);
            integers.chain(pieces(range).into_iter().map(|piece| file.cut(piece))).collect()
        }
        TokenKind::String => {
            let inner = inside_quotes(file, token);
            let ends = range.end - suffix(text)..range.end;
            let letters = (range.start..range.start + prefix(text)).chain(ends).map(|at| at..at + 1);
            let whole = Some(inner.clone()).filter(|range| !range.is_empty());
            let parts = whole.into_iter().chain(lines(file, inner.clone())).chain(pieces(inner));
            parts.chain(letters).map(|piece| file.cut(piece)).collect()
        }
        TokenKind::Word | TokenKind::Operator => Vec::new(),
    }
}

/// The length of the prefix before a string's quotes.
fn prefix(text: &[u8]) -> usize {
    text.iter().position(|c| matches!(c, b'"' | b'\'' | b'`' | b'/' | b'[')).unwrap_or(0)
}

/// The length of the flags behind a regular expression.
fn suffix(text: &[u8]) -> usize {
    text.iter().rev().position(|c| !c.is_ascii_alphanumeric()).unwrap_or(0)
}

/// The bytes between a string's quotes.
pub(crate) fn inside_quotes(file: File<'_>, token: &Token) -> Range<usize> {
    let (range, text) = (token.range(), &file.text()[token.range()]);
    let prefix = prefix(text);
    let quotes = if text.len() - prefix >= 6 && text[prefix] == text[prefix + 1] { 3 } else { 1 };
    range.start + prefix + quotes..range.end - suffix(text) - quotes
}

/// A range, if it is not empty, and its pieces.
fn cuts(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let all = Some(range.clone()).filter(|range| !range.is_empty());
    all.into_iter().chain(pieces(range))
}

/// The halves of a range and, if it is not too long, its single bytes; never the whole range.
fn pieces(range: Range<usize>) -> Vec<Range<usize>> {
    let middle = range.start + range.len() / 2;
    let mut pieces = Vec::new();
    if range.len() > 2 {
        pieces.extend([range.start..middle, middle..range.end]);
    }
    if (2..=LONG).contains(&range.len()) {
        pieces.extend(range.rev().map(|at| at..at + 1));
    }
    pieces
}

/// Numbers up to this one are minimised exactly, larger ones approximately.
const SMALL: u64 = 1024;

/// Smaller numbers, in ascending order: first a few steps, each about the square of the one before, then ever
/// finer ones, up to the number below this one.
pub(crate) fn smaller_integers(text: &[u8]) -> Vec<u64> {
    let text = String::from_utf8_lossy(text).replace('_', "").to_ascii_lowercase();
    let text = text.trim_end_matches(['u', 'l']);
    let value = match text.strip_prefix("0x") {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16),
        None => text.parse(),
    };
    let Ok(value) = value else { return Vec::new() };
    let bits = 64 - value.leading_zeros();
    let mut steps: Vec<u64> = [0, bits / 4, bits / 2, 3 * bits / 4].map(|b| 1 << b).to_vec();
    let finest = if value <= SMALL { bits } else { 2 };
    steps.extend((1..finest).map(|halvings| value - (value >> halvings)));
    steps.push(value);
    steps.retain(|&step| 0 < step && step <= value);
    steps.sort_unstable();
    steps.dedup();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::Parsed;
    use lopper_languages::python::PYTHON;
    use std::sync::Arc;

    #[test]
    fn a_string_in_a_text_that_does_not_parse_can_be_emptied() {
        let base = Base { files: vec![Arc::new(Parsed::new(&PYTHON, b"x = f' at at at {'\n".to_vec()))] };
        assert!(base.file(0).syntax().errors > 0, "the text must not parse");
        let group = &plan(&base)[0];
        let texts = (0..group.units().len()).filter_map(|unit| group.render(&base, &[unit]).ok());
        let texts: Vec<_> = texts.map(|candidate| candidate.apply(0, &base.file(0).text)).collect();
        assert!(texts.contains(&b"x = f''\n".to_vec()));
        assert!(texts.contains(&b"x = f' at at at '\n".to_vec()));
    }
}
