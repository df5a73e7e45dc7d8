//! `lopper languages`: lists the languages.

use super::Exit;
use crate::error::UserError;
use crate::report;

/// Prints the languages with the endings of their files.
pub(super) fn run() -> Result<Exit, UserError> {
    let line = |name: &str, extensions: &[&str]| {
        let endings: Vec<String> = extensions.iter().map(|e| format!(".{e}")).collect();
        format!("{name:10} {}", endings.join(" "))
    };
    let known = lopper_languages::all().iter().map(|l| line(l.name(), l.extensions()) + "\n");
    let lacks = |name: &str| lopper_languages::named(name).is_none();
    let others = lopper_languages::ON_REQUEST.iter().filter(|(name, ..)| lacks(name));
    let others = others.map(|(name, extensions, feature)| {
        format!("{}: not in this build; cargo install --features {feature}\n", line(name, extensions))
    });
    let lines: String = known.chain(others).collect();
    report::answer(&format!("{lines}Any other file is reduced as text.\n"))?;
    Ok(Exit::Reduced)
}
