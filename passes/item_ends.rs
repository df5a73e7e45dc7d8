//! Deletes the first or the last tokens of an item, more than a window has: `a[1] b = c;` becomes `c;`.
//!
//! In a language with a grammar, these are operands and statements; in text, an item is what separators, braces or the ends of lines
//! divide, and what goes has whole brackets.

use crate::token_windows::WIDEST;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::text::matching_brackets;
use std::collections::BTreeMap;
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

/// Items with more parts are prose rather than code, and have too many beginnings to try.
const MOST_PARTS: usize = 32;

fn plan(base: &Base) -> Vec<Group> {
    // Items of one depth are side by side.
    let mut levels: BTreeMap<usize, [Vec<Vec<Unit>>; 2]> = BTreeMap::new();
    for file in PASS.files(base) {
        for (depth, parts) in items(file) {
            let (start, end) = (parts[0].start, parts[parts.len() - 1].end);
            let between = parts.windows(2).map(|pair| pair[0].end);
            let first = between.clone().rev().filter_map(|at| without(file, start..at)).collect();
            let last = between.filter_map(|at| without(file, at..end)).collect();
            let [firsts, lasts] = levels.entry(depth).or_default();
            firsts.push(first);
            lasts.push(last);
        }
    }
    levels.into_values().flatten().map(Group::choices).collect()
}

/// A file without some tokens, if they are more than a window has.
fn without(file: File<'_>, tokens: Range<usize>) -> Option<Unit> {
    let range = file.tokens()[tokens.start].range().start..file.tokens()[tokens.end - 1].range().end;
    (tokens.len() > WIDEST).then(|| file.cut(deletion(file.parsed, range)))
}

/// The items, each as its depth in brackets and its parts: a token, or brackets with what is between them. O(tokens).
fn items(file: File<'_>) -> Vec<(usize, Vec<Range<usize>>)> {
    let tokens = file.tokens();
    let text = |at: usize| &file.text()[tokens[at].range()];
    let is_new_line =
        |at: usize| file.text()[tokens[at - 1].range().end..tokens[at].range().start].contains(&b'\n');
    let (partners, _) = matching_brackets(file.text(), tokens);
    let mut done = Vec::new();
    // The items that are open, the innermost last.
    let mut open: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    for (at, partner) in partners.iter().enumerate() {
        let depth = open.len() - 1;
        let item = &mut open[depth];
        if at > 0 && is_new_line(at) {
            done.push((depth, std::mem::take(item)));
        }
        match partner.map(|partner| partner as usize) {
            Some(close) if close > at => {
                item.push(at..close + 1);
                open.push(Vec::new());
            }
            Some(begin) => {
                done.extend(open.pop().map(|item| (depth, item)));
                if text(begin) == b"{" {
                    done.extend(open.last_mut().map(|item| (depth - 1, std::mem::take(item))));
                }
            }
            None if matches!(text(at), b";" | b",") => done.push((depth, std::mem::take(item))),
            None => item.push(at..at + 1),
        }
    }
    done.extend(open.into_iter().enumerate());
    done.retain(|(_, parts)| (2..=MOST_PARTS).contains(&parts.len()));
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_in_the_brackets_of_an_item_have_groups_of_their_own() {
        let counts = |text: &str| {
            let base = Base::of_example("text", text);
            plan(&base).iter().map(|group| group.units().len()).collect::<Vec<_>>()
        };
        assert_eq!(counts("a(b c d e f g) h i j k l m;\n"), [6, 3, 1, 1]);
        assert_eq!(counts("a b c d e f;\n"), counts("a b c d e f\ng h\n"), "a line is an item");
        assert_eq!(counts(&"a ".repeat(MOST_PARTS + 1)), [] as [usize; 0], "prose");
    }
}
