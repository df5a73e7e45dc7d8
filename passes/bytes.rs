//! Windows of bytes go, where no grammar says what the bytes mean.

use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::Language;
use lopper_languages::text::TEXT;

pub(crate) const PASS: Pass = Pass {
    name: "bytes",
    summary: "deletes windows of bytes in files without a grammar",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example { language: "text", before: "abcdefghij", keep: &["d", "h"], after: "dh" }],
    plan,
};

/// The widths of the windows, in bytes.
const WIDTHS: [usize; 4] = [64, 16, 4, 1];

fn plan(base: &Base) -> Vec<Group> {
    let group = |width: usize| {
        let mut units = Vec::new();
        for (id, file) in base.files().filter(|(_, file)| file.language.name() == TEXT.name()) {
            let starts = (0..file.text.len()).step_by(width);
            let window = |start: usize| start as u32..(start + width).min(file.text.len()) as u32;
            units.extend(starts.map(|start| Unit::Cut { file: id, range: window(start) }));
        }
        Group::deletions(units).beyond_grammar()
    };
    WIDTHS.map(group).into()
}
