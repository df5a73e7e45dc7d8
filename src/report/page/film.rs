//! The film of a run, as data for the script of the page: a program, and the edits of each commit.

use super::recorder::{Recorder, Step};
use super::{counted, said_by};
use crate::report::edits::{Edit, edited};
use serde_json::{Value, json};

/// The length of the first program of a film, in bytes, at most, and the length of all texts that commits insert: a page
/// must stay below 5 MB.
const FIRST: usize = 2_000_000;
const INSERTED: usize = 1_000_000;

/// A film, from the original, or from the first program with which it is short enough. `None` if there is no such
/// program or nothing changes.
pub(super) fn film(recorder: &Recorder) -> Option<Value> {
    let mut text = recorder.original.to_string();
    let mut inserted: usize = recorder.steps.iter().map(inserts).sum();
    let mut first = 0;
    while text.len() > FIRST || inserted > INSERTED {
        let step = recorder.steps.get(first)?;
        inserted -= inserts(step);
        text = edited(&text, &step.edits);
        first += 1;
    }
    let begin = match first {
        0 => "The original".to_owned(),
        _ => format!("After commit {first}; the programs before it are too large for this page"),
    };
    let (start, mut steps) = (text.clone(), Vec::new());
    for (number, step) in recorder.steps.iter().enumerate().skip(first) {
        let before = number.checked_sub(1).map(|before| recorder.steps[before].tokens);
        steps.push(
            json!({ "caption": caption(number + 1, before, step), "edits": in_script(&text, &step.edits) }),
        );
        text = edited(&text, &step.edits);
    }
    (!steps.is_empty()).then(|| json!({ "begin": begin, "text": start, "steps": steps }))
}

fn inserts(step: &Step) -> usize {
    step.edits.iter().map(|edit| edit.inserted.len()).sum()
}

fn caption(number: usize, before: Option<usize>, step: &Step) -> String {
    let from = before.map_or_else(String::new, |tokens| format!("{tokens} → "));
    format!("Commit {number}, run {}, {}: {from}{}", step.runs, said_by(step.pass), counted(step.tokens))
}

/// Edits as the script counts: in units of UTF-16.
fn in_script(text: &str, edits: &[Edit]) -> Vec<Value> {
    let is_ascii = text.is_ascii();
    let length = |part: &str| if is_ascii { part.len() } else { part.encode_utf16().count() };
    let (mut at, mut end) = (0, 0);
    let mut units = Vec::new();
    for edit in edits {
        at += length(&text[end..edit.range.start]);
        let removed = length(&text[edit.range.clone()]);
        units.push(json!([at, removed, edit.inserted]));
        (at, end) = (at + removed, edit.range.end);
    }
    units
}
