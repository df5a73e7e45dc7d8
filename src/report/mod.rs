//! The only part that prints: progress while a run goes on, errors, and what came of it.

mod isolation;
mod progress;
mod summary;
mod tree;

pub use isolation::{Isolation, Side, effort, runs};
pub use progress::Progress;
pub use summary::{Summary, diff};
pub use tree::{json_string, tree, tree_as_json};

use crate::error::UserError;
use std::io::{self, Write};

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
pub fn error(error: &UserError) {
    remark(&format!("error: {error}"));
}

/// Prints a remark that stops nothing.
pub fn remark(text: &str) {
    line(&format!("lopper: {text}"));
}

/// Writes a line to standard error. That nobody reads it is no error: the result is what counts.
fn line(text: &str) {
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Prints what a command was asked for. A reader that has gone away is no error; `false` says so.
///
/// # Errors
/// If it cannot be written for another reason, such as a full disk.
pub fn answer(text: &str) -> Result<bool, UserError> {
    match result(text.as_bytes()) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(e) => Err(UserError::usage("standard output cannot be written to").fact(e.to_string())),
    }
}

/// Writes a program to standard output, byte for byte.
///
/// # Errors
/// If that cannot be written to.
pub fn result(content: &[u8]) -> io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(content)?;
    out.flush()
}
