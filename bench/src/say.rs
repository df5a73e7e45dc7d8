//! The only part that prints.

use lopper::error::UserError;

/// Prints what a command was asked for. A reader that has gone away is no error.
pub(crate) fn answer(text: &str) {
    use std::io::Write;
    // Nothing depends on this being read.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Prints how it goes.
#[expect(clippy::print_stderr, reason = "this is where remarks are printed")]
pub(crate) fn remark(text: &str) {
    eprintln!("{text}");
}

/// Prints an error.
#[expect(clippy::print_stderr, reason = "this is where errors are printed")]
pub(crate) fn error(error: &UserError) {
    eprintln!("lopper-bench: error: {error}");
}
