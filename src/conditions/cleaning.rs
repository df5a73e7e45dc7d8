//! Cleans a line of output of all that changes from run to run and from candidate to candidate: addresses,
//! process ids, line numbers, paths, temporary names.

use crate::oracle::Contents;
use regex::{Captures, Regex};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The longest text that is kept, in characters.
const LONGEST: usize = 300;

/// The changing parts of a line. The alternatives are tried in this order, so a place in a source of the tool is
/// not taken for a number.
const PARTS: &str = concat!(
    r"(?P<temporary>/(?:tmp|var/tmp|dev/shm)/[^\s:'`)]*)",
    r"|(?P<folder>/(?:[\w.+@-]+/)+)",
    r"|(?P<place>[\w./$+-]+\.[A-Za-z]\w{0,4}:\d+(?::\d+)?)",
    r"|(?P<address>\b0x[0-9a-fA-F]+)",
    r"|(?P<process>==\d+==)",
    r"|(?P<list>\{[^{}]*\}?|\[[^\[\]]*\])",
    // Some tools print their own ids in base 16 without a prefix.
    r"|(?P<id>\([0-9a-f]*\d[0-9a-f]*\))",
    r"|(?P<number>\b\d\w*(?:\.\d\w*)*(?:[+-]\d+)?\b)",
    r"|(?P<space>\s+)",
);

/// What stands in a cleaned line for a changing part. A place stays as it is.
const PUT: &[(&str, &str)] = &[
    ("temporary", "TEMPORARY"),
    ("folder", ".../"),
    ("address", "ADDRESS"),
    ("process", ""),
    ("list", "{...}"),
    ("id", "(N)"),
    ("number", "N"),
    ("space", " "),
];

/// Text in quotes of any kind.
const IN_QUOTES: &str = "'([^'\n]*)'|`([^`'\n]*)[`']|\"([^\"\n]*)\"|‘([^’\n]*)’";

static CHANGING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PARTS).ok());

static CHANGING_OUTSIDE_QUOTES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("{IN_QUOTES}|{PARTS}")).ok());

static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(IN_QUOTES).ok());

/// A cleaned line. With `keeps_quotes`, text in quotes stays as it is; otherwise such text is left out if it stands
/// in the candidate, and cleaned if not.
pub(super) fn cleaned(line: &str, candidate: &Contents, keeps_quotes: bool) -> String {
    let mut line: String = line.chars().take(LONGEST * 4).collect();
    if let Some(named) = named(candidate) {
        line = named.replace_all(&line, "FILE").into_owned();
    }
    if let Some(quoted) = QUOTED.as_ref().filter(|_| !keeps_quotes) {
        let is_known =
            |text: &str| !text.is_empty() && candidate.iter().any(|file| holds(file, text.as_bytes()));
        let replaced = quoted.replace_all(&line, |found: &Captures| {
            let text = found.iter().skip(1).flatten().next().map_or("", |group| group.as_str());
            if is_known(text) { "'...'".to_owned() } else { found[0].to_owned() }
        });
        line = replaced.into_owned();
    }
    let parts = if keeps_quotes { &CHANGING_OUTSIDE_QUOTES } else { &CHANGING };
    if let Some(parts) = &**parts {
        let put = |found: &Captures| {
            let known = PUT.iter().find(|(part, _)| found.name(part).is_some());
            known.map_or_else(|| found[0].to_owned(), |(_, put)| (*put).to_owned())
        };
        line = parts.replace_all(&line, put).into_owned();
    }
    line.trim().chars().take(LONGEST).collect()
}

/// Finds the names of a candidate's files, with the path before and the place behind them. The names are the same for
/// all candidates of a run, so the last expression is kept.
fn named(candidate: &Contents) -> Option<Regex> {
    static LAST: Mutex<Option<(Vec<String>, Regex)>> = Mutex::new(None);
    let names: Vec<&str> = candidate.iter().filter_map(|file| file.path.file_name()?.to_str()).collect();
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, expression)) = &*last
        && *known == names
    {
        return Some(expression.clone());
    }
    let alternatives: Vec<String> = names.iter().map(|name| regex::escape(name)).collect();
    let text = format!(r#"(?:[^\s:'"`(]*/|\b)(?:{})\b(?::\d+)*"#, alternatives.join("|"));
    let expression = Regex::new(&text).ok().filter(|_| !names.is_empty())?;
    *last = Some((names.into_iter().map(str::to_owned).collect(), expression.clone()));
    Some(expression)
}

/// What stands in a cleaned line for a changing part.
const PLACEHOLDERS: &str = r"\bTEMPORARY\b|\bFILE\b|\bADDRESS\b|\bN\b|\.\.\./|\{\.\.\.\}|'\.\.\.'";

/// An extended regular expression that finds a cleaned line in an output, whatever stands for its changing parts.
pub(super) fn loosened(cleaned: &str) -> String {
    static CHANGED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PLACEHOLDERS).ok());
    let Some(changed) = &*CHANGED else { return escaped(cleaned) };
    let loose = changed.split(cleaned).map(escaped).collect::<Vec<_>>().join(".*");
    loose.trim_start_matches(".*").trim_end_matches(".*").trim().to_owned()
}

/// A text as an extended regular expression.
pub(super) fn escaped(text: &str) -> String {
    let escape = |c: char| if "\\.^$*+?()[]{}|".contains(c) { format!("\\{c}") } else { c.to_string() };
    text.chars().map(escape).collect()
}

fn holds(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
