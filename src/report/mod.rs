//! The only part that prints: progress while a run goes on, errors, and what came of it.

mod circumstances;
mod isolation;
mod progress;
mod summary;
mod tree;

pub(crate) use circumstances::circumstances;
pub(crate) use isolation::{Finding, Side, effort, runs, said};
pub(crate) use progress::Progress;
pub(crate) use summary::{Summary, diff};
pub(crate) use tree::{json_string, tree, tree_as_json};

use crate::error::UserError;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

/// How much is said.
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

/// Prints what is wrong with the command line, or the help or version that it asks for; gives
/// whether it was asked for and could be written.
pub(crate) fn command_line(error: &clap::Error) -> bool {
    let plain = error.render().to_string();
    if error.use_stderr() {
        // What it names may have control characters in it; clap's own are colours.
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

/// What a terminal would obey instead of showing it, or what would change the order of what it shows.
fn is_hidden(c: char) -> bool {
    let changes_order = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c != '\n' && c != '\t' && (c.is_control() || changes_order)
}

/// A text of several lines with all characters to be seen: names, files and tests may have any in them.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let shown = |c: char| if is_hidden(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect::<String>().into()
}

/// The same for what is to be one line.
pub(crate) fn visible_line(text: &str) -> String {
    visible(&text.replace('\n', "\\n")).into_owned()
}

/// Prints a remark that stops nothing.
pub(crate) fn remark(text: &str) {
    line(&format!("lopper: {text}"));
}

/// Writes a line to standard error. That nobody reads it is no error: the result is what counts.
fn line(text: &str) {
    let _ = std::io::stderr().write_all(format!("{}\n", visible(text)).as_bytes());
}

/// Prints what a command was asked for: exactly, or to be seen on a terminal. A reader that has gone away is
/// no error; `false` says so.
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
/// If that cannot be written to.
pub(crate) fn result(content: &[u8]) -> io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(content)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(visible("a\tb\nä ⏎"), "a\tb\nä ⏎");
        assert_eq!(visible("\u{1b}[2Jx\r\u{7}\u{9b}\u{202e}"), "\\u{1b}[2Jx\\r\\u{7}\\u{9b}\\u{202e}");
        assert_eq!(visible_line("one\ntwo"), "one\\ntwo");
    }
}
