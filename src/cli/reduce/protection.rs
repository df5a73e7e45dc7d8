//! `--protect`, and the marks `lopper: keep` and `lopper: end`: parts of the file that must stay as they are.

use crate::error::UserError;
use lopper_engine::protected::Protected;
use regex::bytes::{Regex, RegexBuilder};
use std::fmt;
use std::ops::Range;

/// What a user wants to protect.
#[derive(Clone, Debug)]
pub(super) struct Protection {
    /// The text on the command line.
    shown: String,
    what: What,
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

#[derive(Clone, Debug)]
enum What {
    /// These lines, counted from 1.
    Lines(Range<usize>),
    /// All that this expression matches; `^` and `$` are the ends of lines.
    Matches(Regex),
}

/// The marks between which lines stay, with the lines that hold them.
const KEEP: &str = "lopper: keep";
const END: &str = "lopper: end";

impl Protection {
    /// Reads `7`, `3-5`, or a regular expression.
    ///
    /// # Errors
    /// If the expression is invalid.
    pub(super) fn read(text: &str) -> Result<Self, regex::Error> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let what = match (first.parse::<usize>(), last.parse::<usize>()) {
            (Ok(first), Ok(last)) => What::Lines(first..last.saturating_add(1)),
            _ => What::Matches(RegexBuilder::new(text).multi_line(true).build()?),
        };
        Ok(Self { shown: text.to_owned(), what })
    }

    /// The parts of the text that are protected.
    fn parts(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = match &self.what {
            What::Lines(wanted) => {
                let lines = (1..).zip(lines(text)).filter(|(number, _)| wanted.contains(number));
                lines.map(|(_, line)| line).collect()
            }
            What::Matches(expression) => expression.find_iter(text).map(|found| found.range()).collect(),
        };
        parts.retain(|part| !part.is_empty());
        parts
    }
}

/// What is protected in a text: all that is wanted, and the marked lines. Linear in the text for each of them.
///
/// # Errors
/// If the text has nothing of what is wanted.
pub(super) fn protected(text: &[u8], wanted: &[Protection]) -> Result<Protected, UserError> {
    let mut parts = marked(text);
    for protection in wanted {
        let found = protection.parts(text);
        if found.is_empty() {
            return Err(UserError::usage(format!("--protect '{protection}' protects nothing"))
                .fact("the file has no such line, or no text that the expression matches")
                .help("give a line, such as 7, lines, such as 3-5, or a regular expression"));
        }
        parts.extend(found);
    }
    parts.sort_unstable_by_key(|part| (part.start, part.end));
    Ok(Protected::new(joined(text, parts).into_iter().map(|part| text[part].to_vec()).collect()))
}

/// The lines of a text, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    text.split_inclusive(|&c| c == b'\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some(start..start + line.strip_suffix(b"\n").unwrap_or(line).len())
    })
}

/// Parts that overlap, or that only a line end separates, as one.
fn joined(text: &[u8], parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for part in parts {
        let touches = |end: usize| part.start <= end || text[end..part.start] == *b"\n";
        match joined.last_mut().filter(|last| touches(last.end)) {
            Some(last) => last.end = last.end.max(part.end),
            None => joined.push(part),
        }
    }
    joined
}

/// The parts between marks, with the marks' lines; up to the end of the text if the second mark is missing.
fn marked(text: &[u8]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for line in lines(text) {
        let shown = String::from_utf8_lossy(&text[line.clone()]);
        if is_open {
            is_open = !shown.contains(END);
            if let Some(part) = parts.last_mut() {
                part.end = line.end;
            }
        } else if shown.contains(KEEP) {
            is_open = true;
            parts.push(line);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_engine::NamedFile;

    fn kept(text: &str, wanted: &[&str], candidate: &str) -> bool {
        let wanted: Vec<Protection> = wanted.iter().map(|text| Protection::read(text).unwrap()).collect();
        let protected = protected(text.as_bytes(), &wanted).unwrap();
        protected.is_kept(&vec![NamedFile::new("a", candidate)])
    }

    #[test]
    fn lines_and_matches_must_stay_in_their_order() {
        let text = "one\ntwo\nthree\nfour";
        assert!(kept(text, &["2-3"], "two\nthree"));
        assert!(!kept(text, &["2-3"], "two three"));
        assert!(kept(text, &["4", "^o.e$"], "one four"));
        assert!(!kept(text, &["4", "^o.e$"], "four one"));
        assert!(kept(text, &[], ""));
        assert!(protected(text.as_bytes(), &[Protection::read("9").unwrap()]).is_err());
    }

    #[test]
    fn matches_with_something_else_between_them_need_not_stay_side_by_side() {
        assert!(kept("f(a, b)", &["[ab]"], "a + b"));
        assert!(kept("a;b", &["[ab]"], "ab"));
        assert!(!kept("a\nb", &["[ab]"], "a b"), "a line end between them stays");
    }

    #[test]
    fn marked_lines_must_stay_with_their_marks() {
        let marked = "a\n// lopper: keep\nb\n// lopper: end\nc\n# lopper: keep\nd";
        assert!(kept(marked, &[], "// lopper: keep\nb\n// lopper: end\n# lopper: keep\nd"));
        assert!(!kept(marked, &[], "// lopper: keep\nb\n// lopper: end"));
    }
}
