//! `--protect`, and the marks `lopper: keep` and `lopper: end`: parts of the file that must stay as they are.

use crate::error::UserError;
use crate::oracle::NamedFile;
use lopper_engine::protected::Protected;
use regex::bytes::{Regex, RegexBuilder};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

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

/// What is protected in files: all that is wanted, and the marked lines. Linear in the files for each of them.
///
/// # Errors
/// If no file has what is wanted, or lines are wanted of more than one file.
pub(super) fn protected(files: &[NamedFile], wanted: &[Protection]) -> Result<Protected, UserError> {
    let mut of_files: Vec<Vec<Range<usize>>> = files.iter().map(|file| marked(file)).collect();
    for protection in wanted {
        if files.len() > 1 && matches!(protection.what, What::Lines(_)) {
            return Err(UserError::usage(format!("--protect {protection} does not say in which file"))
                .fact("there are several files, and each of them has lines with these numbers")
                .help("put comments with `lopper: keep` and `lopper: end` around the lines, or give an expression"));
        }
        let found: Vec<Vec<Range<usize>>> = files.iter().map(|file| protection.parts(file)).collect();
        if found.iter().all(Vec::is_empty) {
            return Err(UserError::usage(format!("--protect '{protection}' protects nothing"))
                .fact("the file has no such line, or no text that the expression matches")
                .help("give a line, such as 7, lines, such as 3-5, or a regular expression"));
        }
        of_files.iter_mut().zip(found).for_each(|(parts, found)| parts.extend(found));
    }
    let texts = files.iter().zip(of_files).map(|(file, mut parts)| {
        parts.sort_unstable_by_key(|part| (part.start, part.end));
        let texts = joined(file, parts).into_iter().map(|part| file[part].to_vec());
        (Arc::clone(&file.path), texts.collect())
    });
    Ok(Protected::new(texts))
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

    fn kept(text: &str, wanted: &[&str], candidate: &str) -> bool {
        let wanted: Vec<Protection> = wanted.iter().map(|text| Protection::read(text).unwrap()).collect();
        let protected = protected(&[NamedFile::new("a", text)], &wanted).unwrap();
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
        assert!(protected(&[NamedFile::new("a", text)], &[Protection::read("9").unwrap()]).is_err());
    }

    #[test]
    fn matches_with_something_else_between_them_need_not_stay_side_by_side() {
        assert!(kept("f(a, b)", &["[ab]"], "a + b"));
        assert!(kept("a;b", &["[ab]"], "ab"));
        assert!(!kept("a\nb", &["[ab]"], "a b"), "a line end between them stays");
    }

    #[test]
    fn of_several_files_each_keeps_its_own_and_lines_need_a_single_file() {
        let files = [NamedFile::new("a", "one x"), NamedFile::new("b", "two x\n# lopper: keep\nz")];
        let read = |text| [Protection::read(text).unwrap()];
        let kept = protected(&files, &read("o.e")).unwrap();
        let with = |a: &str, b: &str| kept.is_kept(&vec![NamedFile::new("a", a), NamedFile::new("b", b)]);
        assert!(with("one", "# lopper: keep\nz") && !with("one", "z") && !with("on", "# lopper: keep\nz"));
        assert!(protected(&files, &read("1")).is_err() && protected(&files, &read("y")).is_err());
    }

    #[test]
    fn marked_lines_must_stay_with_their_marks() {
        let marked = "a\n// lopper: keep\nb\n// lopper: end\nc\n# lopper: keep\nd";
        assert!(kept(marked, &[], "// lopper: keep\nb\n// lopper: end\n# lopper: keep\nd"));
        assert!(!kept(marked, &[], "// lopper: keep\nb\n// lopper: end"));
    }
}
