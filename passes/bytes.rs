//! Deletes windows of bytes, in files without a grammar.

use crate::{Base, Example, File, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "bytes",
    summary: "deletes windows of bytes in files without a grammar",
    languages: &["text"],
    examples: &[
        Example { language: "text", before: "abcdefghij", keep: &["d", "h"], after: "dh" },
        Example { language: "text", before: "zwölf€", keep: &["ö"], after: "ö" },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The widths of the windows, in bytes.
const WIDTHS: [usize; 4] = [64, 16, 4, 1];

fn plan(base: &Base) -> Vec<Group> {
    let group = |width: usize| {
        let units = PASS.files(base).flat_map(|file| windows(file, width));
        Group::deletions(units).beyond_grammar()
    };
    WIDTHS.map(group).into()
}

/// The bytes of a file, cut into windows of this width; each character of valid UTF-8 lies in one of them.
fn windows(file: File<'_>, width: usize) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut start = 0;
    while start < file.text().len() {
        let window = file.parsed.whole_characters(start..(start + width).min(file.text().len()));
        start = window.end;
        units.push(file.cut(window));
    }
    units
}
