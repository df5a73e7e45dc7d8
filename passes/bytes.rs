//! Windows of bytes go, where no grammar says what the bytes mean.

use crate::{Base, Example, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "bytes",
    summary: "deletes windows of bytes in files without a grammar",
    languages: &["text"],
    examples: &[Example { language: "text", before: "abcdefghij", keep: &["d", "h"], after: "dh" }],
    plan,
    ..Pass::DEFAULT
};

/// The widths of the windows, in bytes.
const WIDTHS: [usize; 4] = [64, 16, 4, 1];

fn plan(base: &Base) -> Vec<Group> {
    let group = |width: usize| {
        let windows = PASS.files(base).flat_map(|file| {
            let length = file.text().len();
            (0..length).step_by(width).map(move |start| file.cut(start..(start + width).min(length)))
        });
        Group::deletions(windows).beyond_grammar()
    };
    WIDTHS.map(group).into()
}
