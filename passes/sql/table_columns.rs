//! Deletes a column of a table, with its values in the rows that are inserted: `CREATE TABLE a (b INT, c INT); INSERT INTO a VALUES
//! (1, 2);` becomes `CREATE TABLE a (c INT); INSERT INTO a VALUES (2);`.
//!
//! The statements are read by their tokens, since the grammar refuses columns without types.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "table-columns",
    summary: "deletes a column of a table with its values in all rows, or also puts a constant in the place of its uses",
    languages: &["sql"],
    proves: true,
    examples: &[Example {
        language: "sql",
        before: "CREATE TABLE a (b, c INT, d);\nINSERT INTO a VALUES (1, f(2, 3), 4), (5, 6, 7);\nINSERT INTO a (d, c) VALUES (8, 9);\nSELECT d + x.c FROM a x;\n",
        keep: &["a (", "d)", ") VALUES (8", "SELECT d + ", "VALUES (", "4), (", "7);"],
        after: "CREATE TABLE a (d);\nINSERT INTO a VALUES (4), (7);\nINSERT INTO a (d) VALUES (8);\nSELECT d + 0 FROM a x;\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// A column with more uses than this stays where they have to be replaced.
const USES: usize = 64;
/// A column stays that has values in more rows than this.
const ROWS: usize = 512;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let tables = Tables::of(file);
        let columns = tables.created.iter().flat_map(|table| (0..table.items.len()).map(move |i| (table, i)));
        columns.map(|(table, column)| tables.without(file, table, column)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways)]
}

/// A list in brackets, by the numbers of its tokens: the items without the commas between them.
type Items = Vec<Range<usize>>;

/// A table that a statement creates.
struct Table {
    name: Vec<u8>,
    items: Items,
}

/// A statement that inserts rows.
struct Insertion {
    columns: Option<Items>,
    rows: Vec<Items>,
}

struct Tables {
    created: Vec<Table>,
    /// By the names of the tables.
    insertions: BTreeMap<Vec<u8>, Vec<Insertion>>,
    /// The tokens of each word.
    places: BTreeMap<Vec<u8>, Vec<usize>>,
}

impl Tables {
    /// O(n log n) for n tokens.
    fn of(file: File<'_>) -> Self {
        let mut tables = Self { created: Vec::new(), insertions: BTreeMap::new(), places: BTreeMap::new() };
        for at in 0..file.tokens().len() {
            tables.places.entry(word(file, at)).or_default().push(at);
            if is(file, at, b"table") && (1..3).any(|back| at >= back && is(file, at - back, b"create")) {
                let name = if is(file, at + 1, b"if") { at + 4 } else { at + 1 };
                if let Some((items, _)) = list(file, name + 1) {
                    tables.created.push(Table { name: word(file, name), items });
                }
            } else if is(file, at, b"into") {
                let (columns, mut next) = match list(file, at + 2) {
                    Some((items, end)) => (Some(items), end),
                    None => (None, at + 2),
                };
                let mut rows = Vec::new();
                if is(file, next, b"values") {
                    while let Some((row, end)) = list(file, next + 1) {
                        rows.push(row);
                        next = end;
                        if !is(file, end, b",") {
                            break;
                        }
                    }
                }
                let insertions = tables.insertions.entry(word(file, at + 1)).or_default();
                insertions.push(Insertion { columns, rows });
            }
        }
        tables
    }

    /// Deletes a column with its values; the second way also replaces its uses elsewhere.
    fn without(&self, file: File<'_>, table: &Table, column: usize) -> Vec<Unit> {
        let name = word(file, table.items[column].start);
        let mut lists = vec![(&table.items, column)];
        for insertion in self.insertions.get(&table.name).into_iter().flatten() {
            let named = |items: &Items| items.iter().position(|item| word(file, item.start) == name);
            let place = insertion.columns.as_ref().map_or(Some(column), named);
            let Some(place) = place else { continue };
            let rows = insertion.rows.iter().filter(|row| place < row.len());
            lists.extend(insertion.columns.iter().chain(rows).map(|items| (items, place)).take(ROWS + 1));
            if lists.len() > ROWS {
                return Vec::new();
            }
        }
        if lists.iter().any(|(items, _)| items.len() < 2) {
            return Vec::new();
        }
        let cuts: Vec<Range<usize>> = lists.iter().map(|(items, place)| cut(file, items, *place)).collect();
        let is_cut = |at: usize| cuts.iter().any(|cut| cut.contains(&(file.tokens()[at].start as usize)));
        let places = self.places.get(&name).filter(|places| places.len() <= USES + cuts.len());
        let uses: Vec<usize> = places.into_iter().flatten().copied().filter(|&at| !is_cut(at)).collect();
        let deleted = || cuts.iter().map(|cut| file.cut(cut.clone()));
        let mut ways = vec![Unit::together(deleted())];
        if !uses.is_empty() {
            let replaced = uses.iter().map(|&at| {
                let is_qualified = at >= 2 && is(file, at - 1, b".");
                let first = if is_qualified { at - 2 } else { at };
                let range = file.tokens()[first].start as usize..file.tokens()[at].end as usize;
                file.write(range, "0")
            });
            ways.insert(0, Unit::together(deleted().chain(replaced)));
        }
        ways
    }
}

/// Where an item with the comma before or behind it stands in the text.
fn cut(file: File<'_>, items: &Items, at: usize) -> Range<usize> {
    let tokens = file.tokens();
    match items.get(at + 1) {
        Some(next) => tokens[items[at].start].start as usize..tokens[next.start].start as usize,
        None => tokens[items[at - 1].end - 1].end as usize..tokens[items[at].end - 1].end as usize,
    }
}

/// The items of the list in brackets that begins with a token, and the token behind it.
fn list(file: File<'_>, open: usize) -> Option<(Items, usize)> {
    if !is(file, open, b"(") {
        return None;
    }
    let (mut depth, mut start, mut items) = (0usize, open + 1, Vec::new());
    for at in open..file.tokens().len() {
        let text = word(file, at);
        depth += usize::from(text == b"(");
        if depth == 1 && (text == b"," || text == b")") {
            if start == at {
                return None;
            }
            items.push(start..at);
            start = at + 1;
        }
        depth -= usize::from(text == b")");
        if depth == 0 {
            return Some((items, at + 1));
        }
    }
    None
}

/// The text of a token, in small letters and without quotes around a name; empty behind the end.
fn word(file: File<'_>, at: usize) -> Vec<u8> {
    let Some(token) = file.tokens().get(at) else { return Vec::new() };
    let text = &file.text()[token.range()];
    match token.kind {
        TokenKind::String => {
            text.strip_prefix(b"\"").and_then(|t| t.strip_suffix(b"\"")).unwrap_or(text).to_vec()
        }
        _ => text.to_ascii_lowercase(),
    }
}

fn is(file: File<'_>, at: usize, text: &[u8]) -> bool {
    file.tokens().get(at).is_some_and(|token| file.text()[token.range()].eq_ignore_ascii_case(text))
}
