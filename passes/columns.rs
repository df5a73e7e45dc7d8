//! Deletes a column of characters from all lines of a table: a cell that loses a character alone breaks the table.

use crate::{Base, Example, File, Group, Pass, Unit};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "columns",
    summary: "deletes columns of characters from all lines of a table that is drawn with `|` or `+`",
    languages: &["text"],
    examples: &[Example {
        language: "text",
        before: "a | b\n\n+-----+----+\n| one | 12 |\n+-----+----+\n\nb\n",
        keep: &["a | b", "+-", "+\n| o", " 1", "|\n+-"],
        after: "a | b\n\n+----+\n| o 1|\n+----+\n\nb\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// All lines of a table have borders in at least this many columns: the first one and the last one.
const BORDERS: usize = 2;

/// Tables with more characters wait until other passes have deleted lines, since a unit has a part for each line.
const MOST: usize = 1 << 16;

fn plan(base: &Base) -> Vec<Group> {
    let columns =
        PASS.files(base).flat_map(|file| tables(file).into_iter().flat_map(move |t| columns(file, &t)));
    vec![Group::deletions(columns).exact()]
}

/// The places of the characters in a line, and that behind the last one.
type Line = Vec<usize>;

/// The tables of a file: two lines or more with borders in the same columns. O(bytes).
fn tables(file: File<'_>) -> Vec<Vec<Line>> {
    let mut tables = Vec::new();
    let mut table: Vec<Line> = Vec::new();
    let mut borders = Vec::new();
    for range in file.lines() {
        let line = characters(file, range);
        let byte = |column: usize| line.get(column).and_then(|&at| file.text().get(at));
        let own = |&column: &usize| matches!(byte(column), Some(b'|' | b'+'));
        let common: Vec<usize> = borders.iter().copied().filter(own).collect();
        if common.len() >= BORDERS {
            borders = common;
        } else {
            tables.push(std::mem::take(&mut table));
            borders = (0..line.len().saturating_sub(1)).filter(own).collect();
        }
        if borders.len() >= BORDERS {
            table.push(line);
        }
    }
    tables.push(table);
    let size = |table: &[Line]| table.iter().map(Vec::len).sum::<usize>();
    tables.retain(|table| table.len() > 1 && size(table) <= MOST);
    tables
}

/// The characters of a line without its end; none if it is not valid UTF-8.
fn characters(file: File<'_>, range: Range<usize>) -> Line {
    let text = std::str::from_utf8(&file.text()[range.clone()]).unwrap_or_default();
    let text = text.trim_end_matches(['\n', '\r']);
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    starts.map(|at| range.start + at).collect()
}

/// A unit for each column, which deletes its character in each line that is long enough.
fn columns(file: File<'_>, table: &[Line]) -> Vec<Unit> {
    let widest = table.iter().map(|line| line.len() - 1).max().unwrap_or(0);
    let column = |at: usize| {
        let lines = table.iter().filter_map(|line| Some(*line.get(at)?..*line.get(at + 1)?));
        Unit::together(lines.map(|range| file.cut(range)))
    };
    (0..widest).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_two_borders_in_all_lines_and_is_not_too_large() {
        let columns = |text: &str| {
            let base = Base::of_example("text", text);
            plan(&base).iter().map(|group| group.units().len()).sum::<usize>()
        };
        assert_eq!(columns("|a |b|\n|cd|e|\nf | |\n"), 6);
        assert_eq!(columns("|a\n|b\n"), 0, "one border");
        assert_eq!(
            columns("|a |\n|b |\n|ab"),
            4,
            "the last line ends with the file, at a border of those before"
        );
        assert_eq!(columns("|ä|\n|b|\n"), 3, "a character is a column");
        assert_eq!(columns("| |\n\n|  |\n|  |\n"), 4, "one line is no table");
        let line = format!("|{}|\n", " ".repeat(98));
        assert_eq!(columns(&line.repeat(600)), 100);
        assert_eq!(columns(&line.repeat(700)), 0, "too large");
    }
}
