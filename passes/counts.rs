//! Deletes rows together with their number, which stands in a header: `p cnf 3 2` and two rows become `p cnf 3 1` and one;
//! and lines of a diff together with the numbers in the header of their hunk.

use crate::hunks::{hunks, sides};
use crate::{Base, Example, File, Grain, Group, Pass};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "counts",
    summary: "deletes rows, and keeps the number of rows in a header true",
    languages: &["text"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "text",
            before: "c about\np cnf 3 4\n1 -2 0\n2 3 0\n-1 0\n3 0\n",
            keep: &["p cnf 3 ", "2 3 0", "-1 0"],
            after: "c about\np cnf 3 2\n2 3 0\n-1 0\n",
        },
        Example {
            language: "text",
            before: "OFF\n3 2 0\n0 0 1\n0 1 0\n1 0 0\n3 0 1 2\n3 2 1 0\n",
            keep: &["OFF", " 1 0\n", "0 0 1", "0 1 0", "1 0 0", "3 2 1 0"],
            after: "OFF\n3 1 0\n0 0 1\n0 1 0\n1 0 0\n3 2 1 0\n",
        },
        Example {
            language: "text",
            before: "--- a\n+++ b\n@@ -3,4 +3,3 @@ f\n one\n-two\n-three\n+four\n five\n@@ -9,1 +8,2 @@\n six\n+seven\n",
            keep: &["--- a\n+++ b\n", "-three\n", " five\n", "+seven\n"],
            after: "--- a\n+++ b\n@@ -3,2 +3,1 @@ f\n-three\n five\n@@ -9,0 +8,1 @@\n+seven\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// Headers are looked for among the first lines with numbers, in their first numbers.
const LINES: usize = 4;
const NUMBERS: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    // Other numbers of a diff count nothing.
    PASS.files(base)
        .flat_map(|file| in_hunks(file).map_or_else(|| groups(file), |group| vec![group]))
        .collect()
}

/// A group for the lines of all hunks of a diff. O(lines).
fn in_hunks(file: File<'_>) -> Option<Group> {
    let hunks = hunks(file);
    let lines: Vec<Range<usize>> = hunks.iter().flat_map(|hunk| hunk.lines.clone()).collect();
    let mut group = Group::deletions(lines.iter().map(|line| file.cut(line.clone())));
    let mut first = 0;
    for hunk in &hunks {
        let lines = first..first + hunk.lines.len();
        for (side, (place, number)) in hunk.counts.iter().enumerate() {
            let counts = |&at: &usize| sides(&file.text()[hunk.lines[at - lines.start].clone()])[side];
            group = group.counting(file.id, place.clone(), *number, lines.clone().filter(counts).collect());
        }
        first = lines.end;
    }
    (!hunks.is_empty()).then_some(group)
}

/// A group for each number in a header that counts rows: all rows behind the header or, together with its neighbours,
/// a part of them, as in the header `3 2 0` of three points and two faces. O(lines).
fn groups(file: File<'_>) -> Vec<Group> {
    let is_row = |line: &Range<usize>| file.text()[line.clone()].iter().any(u8::is_ascii_digit);
    let lines: Vec<Range<usize>> = file.lines().filter(is_row).collect();
    let mut groups = Vec::new();
    for (at, header) in lines.iter().enumerate().take(LINES) {
        let rows = &lines[at + 1..];
        let numbers: Vec<(Range<usize>, usize)> = numbers(file, header).take(NUMBERS).collect();
        for first in 0..numbers.len() {
            let sums = numbers[first..].iter().scan(0_usize, |sum, (_, number)| {
                *sum = sum.saturating_add(*number);
                Some(*sum)
            });
            let Some(last) = sums.take_while(|&sum| sum <= rows.len()).position(|sum| sum == rows.len())
            else {
                continue;
            };
            let mut rows = rows.iter();
            for (place, number) in numbers[first..=first + last].iter().filter(|(_, number)| *number > 0) {
                let units = rows.by_ref().take(*number).map(|row| file.cut(row.clone()));
                groups.push(Group::deletions(units).counted(file.id, place.clone(), *number));
            }
        }
    }
    groups
}

/// The numbers of a line, with their places.
fn numbers(file: File<'_>, line: &Range<usize>) -> impl Iterator<Item = (Range<usize>, usize)> {
    let tokens = file.tokens_in(line.clone()).iter();
    tokens.filter_map(move |token| {
        let text = std::str::from_utf8(&file.text()[token.range()]).ok()?;
        let is_number = text.bytes().all(|c| c.is_ascii_digit());
        Some((token.range(), text.parse().ok().filter(|_| is_number)?))
    })
}
