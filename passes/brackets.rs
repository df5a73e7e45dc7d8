//! Balanced brackets: they go with what is inside, or it goes, or they go alone.

use crate::{Base, Example, Grain, Group, Pass, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::layout::deletion;
use lopper_languages::text::matching_brackets;

pub(crate) const PASS: Pass = Pass {
    name: "brackets",
    summary: "deletes balanced brackets, what is inside them, or the brackets alone",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "text",
        before: "a(b[c]) {d {e} f} g((h))\n",
        keep: &["a(", "d", "f", "h"],
        after: "a() d f g h\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut levels: Vec<Vec<Vec<Unit>>> = Vec::new();
    for (id, file) in base.files() {
        let (partners, _) = matching_brackets(&file.text, &file.tokens);
        let mut depth = 0;
        for (i, partner) in partners.iter().enumerate() {
            let Some(partner) = partner.map(|p| p as usize) else { continue };
            if partner < i {
                depth -= 1;
                continue;
            }
            if levels.len() == depth {
                levels.push(Vec::new());
            }
            levels[depth].push(alternatives(file, id, i, partner));
            depth += 1;
        }
    }
    levels.into_iter().map(|choices| Group::choices(choices).doubtful().beyond_grammar()).collect()
}

fn alternatives(file: &Parsed, id: FileId, open: usize, close: usize) -> Vec<Unit> {
    let (open, close) = (file.tokens[open].range(), file.tokens[close].range());
    let cut =
        |range: std::ops::Range<usize>| Unit::Cut { file: id, range: range.start as u32..range.end as u32 };
    let mut units = vec![cut(deletion(file, open.start..close.end))];
    if open.end < close.start {
        units.push(cut(open.end..close.start));
    }
    units.push(Unit::Unwrap { file: id, open: open.start as u32, close: close.start as u32 });
    units
}
