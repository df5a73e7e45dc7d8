//! What is said of a pattern: its text, a summary, and the files that the user wants.

use super::arguments::{Arguments, Outputs};
use crate::cli::given::read;
use crate::error::UserError;
use crate::output::write;
use crate::report::{self, page};
use lopper_languages::grammar::Parser;
use lopper_patterns::{Names, Pattern};
use std::path::Path;

/// Prints a pattern before its files are written, so that it is not lost if one cannot be written.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn tell(
    arguments: &Arguments,
    outputs: &Outputs,
    parser: Option<&Parser>,
    name: &Path,
    pattern: &Pattern,
    effort: &str,
) -> Result<(), UserError> {
    let names = parser.map_or_else(Names::of_roles, |p| Names::of_grammar(p.grammar()));
    let text = String::from_utf8_lossy(&pattern.to_text(&names)).into_owned();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    report::answer(&format!("{text}{end}"))?;
    if !arguments.limits.quiet {
        let circumstances = report::circumstances(pattern, arguments.instances);
        report::remark(&format!("{circumstances}\n{effort}"));
    }
    if let Some(path) = &outputs.json {
        let json = pattern.to_json(&names).map_err(|error| UserError::usage(error.to_string()))?;
        write(path, json.as_bytes())?;
    }
    if let Some(path) = &outputs.html {
        let title = format!("When {} fails", name.display());
        write(path, pattern.to_html(&title, &names).as_bytes())?;
    }
    if let Some(path) = &outputs.page {
        let page = String::from_utf8_lossy(&read(path)?).into_owned();
        write(path, page::with_pattern(&page, pattern, &names).as_bytes())?;
    }
    Ok(())
}
