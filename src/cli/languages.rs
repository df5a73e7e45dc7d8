//! `lopper languages`: lists the languages.

use super::Exit;
use crate::error::UserError;
use crate::report;

/// Prints the languages with the endings of their files.
pub(super) fn run() -> Result<Exit, UserError> {
    let line = |language: &&dyn lopper_languages::Language| {
        let endings: Vec<String> = language.extensions().iter().map(|e| format!(".{e}")).collect();
        format!("{:10} {}\n", language.name(), endings.join(" "))
    };
    let lines: String = lopper_languages::all().iter().map(line).collect();
    report::answer(&format!("{lines}Any other file is reduced as text.\n"))?;
    Ok(Exit::Reduced)
}
