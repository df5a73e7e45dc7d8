//! Deletes the first or the last tokens of an item, more than a window has: `a[1] b = c;` becomes `c;`.
//!
//! In a language with a grammar, these are operands and statements; in text, an item is what separators, braces or the ends of lines
//! divide, and a part of it begins or ends with whole brackets.

use crate::token_windows::WIDEST;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::text::matching_brackets;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "item-ends",
    summary: "deletes the first or the last tokens of a statement or of an item in a list",
    languages: &["text"],
    grain: Grain::Fine,
    examples: &[
        Example {
            language: "text",
            before: "void f() { int[2] a = g(b); c = new D[3 + 4]; }\n",
            keep: &["void f() {", "g(b);", "c"],
            after: "void f() { g(b); c; }\n",
        },
        Example {
            language: "text",
            before: "x = y(1, 2) + z(3)\nprint x\n",
            keep: &["x = y(1, 2)", "print x"],
            after: "x = y(1, 2)\nprint x\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for file in PASS.files(base) {
        for parts in items(file) {
            let (start, end) = (parts[0].start, parts[parts.len() - 1].end);
            let between = parts.windows(2).map(|pair| pair[0].end);
            first.push(between.clone().rev().filter_map(|at| without(file, start..at)).collect::<Vec<_>>());
            last.push(between.filter_map(|at| without(file, at..end)).collect::<Vec<_>>());
        }
    }
    let group = |mut choices: Vec<Vec<Unit>>| {
        choices.retain(|units| !units.is_empty());
        Group::choices(choices)
    };
    vec![group(first), group(last)]
}

/// A file without some tokens, if they are more than a window has.
fn without(file: File<'_>, tokens: Range<usize>) -> Option<Unit> {
    let range = file.tokens()[tokens.start].range().start..file.tokens()[tokens.end - 1].range().end;
    (tokens.len() > WIDEST).then(|| file.cut(deletion(file.parsed, range)))
}

/// The items, each as its parts: a token, or brackets with what is between them. O(tokens).
fn items(file: File<'_>) -> Vec<Vec<Range<usize>>> {
    let tokens = file.tokens();
    let text = |at: usize| &file.text()[tokens[at].range()];
    let ends_with_line = !(0..tokens.len()).any(|at| text(at) == b";");
    let is_new_line =
        |at: usize| file.text()[tokens[at - 1].range().end..tokens[at].range().start].contains(&b'\n');
    let (partners, _) = matching_brackets(file.text(), tokens);
    let mut done = Vec::new();
    // The items that are open, the innermost last.
    let mut open: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    for (at, partner) in partners.iter().enumerate() {
        let depth = open.len();
        let item = &mut open[depth - 1];
        if depth == 1 && ends_with_line && at > 0 && is_new_line(at) {
            done.push(std::mem::take(item));
        }
        match partner.map(|partner| partner as usize) {
            Some(close) if close > at => {
                item.push(at..close + 1);
                open.push(Vec::new());
            }
            Some(begin) => {
                done.extend(open.pop());
                if text(begin) == b"{" {
                    done.extend(open.last_mut().map(std::mem::take));
                }
            }
            None if matches!(text(at), b";" | b",") => done.push(std::mem::take(item)),
            None => item.push(at..at + 1),
        }
    }
    done.extend(open);
    done.retain(|parts| parts.len() > 1);
    done
}
