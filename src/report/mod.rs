//! The only module that prints: progress during a run, errors and results.

mod audience;
mod circumstances;
mod edits;
pub(crate) mod events;
mod flicker;
mod isolation;
mod joined;
mod live;
mod messages;
pub(crate) mod page;
mod progress;
mod summary;
pub(crate) mod terminal;
mod tree;
mod ui;

pub(crate) use audience::Audience;
pub(crate) use circumstances::{circumstances, rate};
pub(crate) use flicker::found as flickers;
pub(crate) use isolation::{Finding, Side, effort, runs, said};
pub(crate) use joined::as_one;
pub(crate) use live::{Controls, Live, restore as restore_terminal};
pub(crate) use summary::{Summary, diff};
pub(crate) use tree::{json_string, tree, tree_as_json};
pub(crate) use ui::Ui;

use crate::error::UserError;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

/// The amount of output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Progress and a summary.
    #[default]
    Normal,
    /// Every run of the test.
    Verbose,
}

/// Prints an error.
pub(crate) fn error(error: &UserError) {
    let parts = [("\n  ", &error.facts), ("\n  help: ", &error.help)];
    let parts = parts.into_iter().flat_map(|(before, parts)| parts.iter().map(move |part| (before, part)));
    let text =
        parts.fold(visible_line(&error.title), |text, (before, part)| text + before + &visible_line(part));
    remark(&format!("error: {text}"));
}

/// Prints an error in the command line, or the help or version that it asks for; returns whether help or
/// version was asked for and could be written.
pub(crate) fn command_line(error: &clap::Error) -> bool {
    let plain = error.render().to_string();
    if error.use_stderr() {
        // The words of the user may contain control characters; clap's own are colours.
        match plain.contains(is_hidden) {
            true => line(plain.trim_end()),
            false => drop(error.print()),
        }
        return false;
    }
    match error.print().and_then(|()| std::io::stdout().flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            self::error(&unwritable(&e));
            false
        }
        _ => true,
    }
}

/// Whether a terminal would obey the character instead of showing it, or show the text in another order.
fn is_hidden(c: char) -> bool {
    let changes_order = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c != '\n' && c != '\t' && (c.is_control() || changes_order)
}

/// A text of several lines with hidden characters made visible: names, files and tests may contain any.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let shown = |c: char| if is_hidden(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect::<String>().into()
}

/// As [`visible`], for a single line.
pub(crate) fn visible_line(text: &str) -> String {
    visible(&text.replace('\n', "\\n")).into_owned()
}

/// A part of a whole in per cent: with one decimal place, or with as many as its first digit needs.
pub(crate) fn share(part: usize, whole: usize) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    let places = if share > 0.0 && share < 0.1 { (-share.log10()).ceil() as usize } else { 1 };
    format!("{share:.places$} %")
}

/// Prints a remark; the command continues.
pub(crate) fn remark(text: &str) {
    line(&format!("lopper: {text}"));
}

/// Asks the user at a terminal.
pub(crate) fn prompt(question: &str) {
    let _ = std::io::stderr().write_all(format!("{}: ", visible(question)).as_bytes());
}

/// Writes a line to standard error.
fn line(text: &str) {
    messages::line(&visible(text));
}

/// Prints the answer of a command: byte for byte, or with hidden characters made visible if it goes to a
/// terminal. Returns `false` if the reader has gone away, which is not an error.
///
/// # Errors
/// If it cannot be written for another reason, such as a full disk.
pub(crate) fn answer(text: &str) -> Result<bool, UserError> {
    let shown = if std::io::stdout().is_terminal() { visible(text) } else { text.into() };
    match result(shown.as_bytes()) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(e) => Err(unwritable(&e)),
    }
}

fn unwritable(error: &io::Error) -> UserError {
    UserError::usage("standard output cannot be written to").fact(error.to_string())
}

/// Writes a program to standard output, byte for byte.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn result(content: &[u8]) -> io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(content)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_visible() {
        assert_eq!(visible("a\tb\nä ⏎"), "a\tb\nä ⏎");
        assert_eq!(visible("\u{1b}[2Jx\r\u{7}\u{9b}\u{202e}"), "\\u{1b}[2Jx\\r\\u{7}\\u{9b}\\u{202e}");
        assert_eq!(visible_line("one\ntwo"), "one\\ntwo");
    }

    #[test]
    fn a_share_that_is_not_nothing_does_not_look_like_nothing() {
        let shares =
            [(0, 9), (6, 28796), (1, 2083), (16, 741), (7, 7)].map(|(part, whole)| share(part, whole));
        assert_eq!(shares, ["0.0 %", "0.02 %", "0.05 %", "2.2 %", "100.0 %"]);
    }
}
