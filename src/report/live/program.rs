//! The program in the live view: what the last commits have deleted is marked, and the pane follows it.

use super::screen::{Line, Style};
use super::state::State;
use crate::report::edits::{Edit, edits};
use crate::report::{diff, visible};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The share of the time that may be used to compare programs: one in this number.
const SHARE: u32 = 100;
/// The shortest time for which a change is shown.
const LOOK: Duration = Duration::from_millis(500);
/// The number of lines of a deleted part that are shown.
const DELETED: usize = 4;

/// The pane; see the module.
#[derive(Default)]
pub(super) struct Pane {
    /// The program that is shown.
    shown: Option<Arc<Vec<u8>>>,
    lines: Vec<Line>,
    /// The line of the first change.
    changed: usize,
    /// The lines of the diff, if it is shown.
    diff: Option<Vec<Line>>,
    /// The first line that is visible, if the user has scrolled.
    top: Option<usize>,
    /// The first line that was visible last, and the number of lines that may be.
    seen: (usize, usize),
    /// When the next program may be shown.
    next: Option<Instant>,
}

impl Pane {
    /// Takes the present program, unless the last one was shown just now.
    pub(super) fn update(&mut self, state: &State) {
        let begin = Instant::now();
        let is_same = self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &state.program));
        if is_same || self.next.is_some_and(|next| begin < next) {
            return;
        }
        let new = String::from_utf8_lossy(&state.program);
        let old = self.shown.as_ref().map_or_else(|| new.clone(), |old| String::from_utf8_lossy(old));
        (self.lines, self.changed) = marked(&old, &new);
        self.shown = Some(Arc::clone(&state.program));
        self.next = Some(begin + LOOK.max(begin.elapsed() * SHARE));
    }

    /// Shows the changes to the original, or the program again.
    pub(super) fn toggle_diff(&mut self, state: &State) {
        (self.top, self.seen.0) = (None, 0);
        self.diff = match self.diff {
            Some(_) => None,
            None => {
                let text = diff(&state.original_text, &state.program, ("the original", "now"));
                let line = |line: &str| {
                    let style = match line.as_bytes().first() {
                        Some(b'-') => Style::Deleted,
                        Some(b'+') => Style::Inserted,
                        _ => Style::Plain,
                    };
                    vec![(style, shown(line))]
                };
                let lines: Vec<Line> = text.lines().map(line).collect();
                let nothing = || vec![vec![(Style::Dim, "nothing has changed so far".to_owned())]];
                Some(if lines.is_empty() { nothing() } else { lines })
            }
        };
    }

    /// The name of what is shown.
    pub(super) fn name(&self) -> &'static str {
        if self.diff.is_some() { "changes to the original" } else { "program" }
    }

    pub(super) fn scroll(&mut self, lines: isize) {
        let top = self.top.unwrap_or(self.seen.0);
        self.top = Some(top.saturating_add_signed(lines));
    }

    /// Scrolls by pages, each of which has a line in common with the next.
    pub(super) fn turn(&mut self, pages: isize) {
        let page = isize::try_from(self.seen.1.saturating_sub(1).max(1)).unwrap_or(isize::MAX);
        self.scroll(page.saturating_mul(pages));
    }

    pub(super) fn follow(&mut self) {
        (self.top, self.diff) = (None, None);
    }

    /// The first visible line, if so many are.
    fn start(&self, rows: usize) -> usize {
        if self.diff.is_some() { 0 } else { self.changed.saturating_sub(rows / 3) }
    }

    /// The visible lines, and the number of those above and below.
    pub(super) fn visible(&mut self, rows: usize) -> (&[Line], usize, usize) {
        let start = self.start(rows);
        let lines = self.diff.as_ref().unwrap_or(&self.lines);
        let last = lines.len().saturating_sub(rows);
        if let Some(top) = &mut self.top {
            *top = (*top).min(last);
        }
        let top = self.top.unwrap_or(start).min(last);
        self.seen = (top, rows);
        let end = lines.len().min(top + rows);
        (&lines[top..end], top, lines.len() - end)
    }
}

/// The lines of a program, with marks at what has changed, and the line of the first change.
fn marked(old: &str, new: &str) -> (Vec<Line>, usize) {
    let mut lines = vec![Line::new()];
    let mut first = None;
    let mut at = 0;
    for Edit { range, inserted } in edits(old, new) {
        push(&mut lines, Style::Plain, &old[at..range.start]);
        first.get_or_insert(lines.len() - 1);
        push(&mut lines, Style::Deleted, &shortened(&old[range.clone()]));
        push(&mut lines, Style::Inserted, &inserted);
        at = range.end;
    }
    push(&mut lines, Style::Plain, &old[at..]);
    lines.pop_if(|last| last.is_empty());
    (lines, first.unwrap_or(0))
}

/// A deleted text, of which only the first lines are shown.
fn shortened(text: &str) -> String {
    let count = text.lines().count();
    if count <= DELETED {
        return text.to_owned();
    }
    let begin: String = text.split_inclusive('\n').take(DELETED - 1).collect();
    format!("{begin}... {} more lines\n", count + 1 - DELETED)
}

fn push(lines: &mut Vec<Line>, style: Style, text: &str) {
    for (number, part) in text.split('\n').enumerate() {
        if number > 0 {
            lines.push(Line::new());
        }
        if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
            line.push((style, shown(part)));
        }
    }
}

/// A part of a line as the terminal may show it.
fn shown(text: &str) -> String {
    visible(text).replace('\t', "    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_deleted_stays_visible_and_is_marked() {
        let (lines, first) = marked("a\nb c\nd\n", "a\nc\nd\n");
        let plain = |text: &str| (Style::Plain, text.to_owned());
        assert_eq!(lines[0], [plain("a")]);
        assert_eq!(lines[1], [(Style::Deleted, "b ".to_owned()), plain("c")]);
        assert_eq!((lines.len(), first), (3, 1));
    }

    #[test]
    fn scrolling_begins_at_what_is_visible_and_a_page_is_what_the_window_holds() {
        let text: String = (0..100).map(|line| format!("{line}\n")).collect();
        let (lines, changed) = marked(&text, &text.replace("50\n", "50 changed\n"));
        let mut pane = Pane { lines, changed, ..Pane::default() };
        let mut first_after = |press: &dyn Fn(&mut Pane)| {
            press(&mut pane);
            pane.visible(12).1
        };
        assert_eq!(first_after(&|_| ()), 46);
        assert_eq!(first_after(&|pane| pane.scroll(-1)), 45);
        assert_eq!(first_after(&|pane| pane.turn(1)), 56);
        assert_eq!(first_after(&|pane| pane.turn(-1)), 45);
        assert_eq!(first_after(&Pane::follow), 46);
        assert_eq!(first_after(&|pane| pane.scroll(isize::MAX / 2)), 88);
        assert_eq!(first_after(&|pane| pane.turn(-1)), 77);
    }

    #[test]
    fn a_long_deletion_is_shortened_and_escapes_are_visible() {
        let (lines, _) = marked("1\n2\n3\n4\n5\n6\n", "6\n");
        assert_eq!(lines[3], [(Style::Deleted, "... 2 more lines".to_owned())]);
        assert_eq!(marked("", "\u{1b}[2J\t|").0[0], [(Style::Inserted, "\\u{1b}[2J    |".to_owned())]);
    }
}
