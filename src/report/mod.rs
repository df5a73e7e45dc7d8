//! The only part that prints: progress while a run goes on, errors, and what came of it.

mod progress;
mod summary;

pub use progress::Progress;
pub use summary::{Summary, diff};

use crate::error::UserError;

/// How much is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Errors only.
    Quiet,
    /// Progress and a summary.
    #[default]
    Normal,
    /// Every run of the test.
    Verbose,
}

/// Prints an error.
#[expect(clippy::print_stderr, reason = "this is where errors are printed")]
pub fn error(error: &UserError) {
    eprintln!("lopper: error: {error}");
}

/// Prints a remark that stops nothing.
#[expect(clippy::print_stderr, reason = "this is where remarks are printed")]
pub fn remark(text: &str) {
    eprintln!("lopper: {text}");
}

/// Prints what a command was asked for. A reader that has gone away is no error.
pub fn answer(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
