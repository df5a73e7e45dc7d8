//! The short form of a page, for a bug report.

use super::{Account, counted, facts};
use crate::report::visible;
use lopper_patterns::{Names, Pattern};
use std::fmt::Write;

/// The run in Markdown: the result, how to repeat it, and what was found besides.
pub(crate) fn markdown(account: &Account) -> String {
    let Account { start, ending, result, language, .. } = account;
    let mut out = format!(
        "**{}**: reduced from {} to {} ({} to {} bytes). {}\n\n{}\n",
        inline(&start.run.name),
        start.tokens,
        counted(ending.tokens),
        start.bytes,
        ending.bytes,
        inline(&facts::end(ending)),
        block(language.name(), result),
    );
    for (name, value) in facts::list(account) {
        // The folder and the path of the result mean nothing to others.
        if !matches!(name, "folder" | "result") {
            let _ = writeln!(out, "- {name}: {}", code(&value));
        }
    }
    for finding in facts::findings(account) {
        let _ = writeln!(out, "- {}", inline(&finding));
    }
    out
}

/// A pattern in Markdown, as an addition to the short form.
pub(crate) fn pattern_in_markdown(pattern: &Pattern, names: &Names) -> String {
    format!("\nIt fails with any text in the place of each hole:\n\n{}", block("", &pattern.to_text(names)))
}

/// A program as a block of code.
fn block(language: &str, program: &[u8]) -> String {
    let text = String::from_utf8_lossy(program);
    let text = visible(&text);
    // A fence must be longer than any row of backticks inside it.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}

/// A text in a line, in which nothing is read as Markdown.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '\n' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// A text as code in a line.
fn code(text: &str) -> String {
    let text = visible(text).replace('\n', " ");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}
