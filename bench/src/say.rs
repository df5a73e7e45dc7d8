//! Prints; no other file does.

use lopper::error::UserError;

/// Prints the output of a command. A closed pipe is not an error.
pub(crate) fn answer(text: &str) {
    use std::io::Write;
    // Nothing depends on the line being read.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Prints progress.
#[expect(clippy::print_stderr, reason = "this is where remarks are printed")]
pub(crate) fn remark(text: &str) {
    eprintln!("{text}");
}

/// Prints an error.
#[expect(clippy::print_stderr, reason = "this is where errors are printed")]
pub(crate) fn error(error: &UserError) {
    eprintln!("lopper-bench: error: {error}");
}
