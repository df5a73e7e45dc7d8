//! `lopper grammar accepts`: which files satisfy a formula.

use super::question::{Answer, Question, answer};
use crate::cli::Exit;
use crate::cli::given::read;
use crate::error::UserError;
use crate::report;
use lopper_languages::grammar::Parser;
use std::path::PathBuf;

/// Prints the files that are not accepted.
pub(super) fn accepts(
    question: &Question,
    parser: &Parser,
    files: &[PathBuf],
    quiet: bool,
) -> Result<Exit, UserError> {
    let mut exit = Exit::Reduced;
    let mut folding = parser.folding(&question.automaton);
    for path in files {
        if answer(&mut folding, &read(path)?) == Answer::Holds {
            continue;
        }
        exit = Exit::NotFound;
        if !quiet && !report::answer(&format!("{}: not accepted\n", path.display()))? {
            break;
        }
    }
    Ok(exit)
}
