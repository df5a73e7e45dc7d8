//! Lines and indentation: what deleting, moving and re-indenting text must respect.

use crate::Parsed;
use crate::role::Role;
use std::ops::Range;

/// Whether line ends and indentation are significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Neither is: only brackets and separators structure the text.
    Free,
    /// Line ends are significant, indentation is not.
    Lines,
    /// Both are: indentation marks the blocks.
    Indented,
    /// Every blank is significant, like any other character: no blank is inserted, and a blank is deleted
    /// only together with the text around it.
    Exact,
}

fn is_blank(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\r' | 0x0c)
}

/// The start of the line that contains `at`.
pub fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|&c| c == b'\n').map_or(0, |i| i + 1)
}

/// The blanks between the start of the line and `at`; `None` if the line has other characters before `at`.
pub fn indentation(text: &[u8], at: usize) -> Option<&[u8]> {
    let blanks = &text[line_start(text, at)..at];
    blanks.iter().all(|&c| is_blank(c)).then_some(blanks)
}

/// The range that a deletion of `range` should cover: whole lines with their line ends if they contain
/// nothing else, otherwise also the blanks that would be left over. Linear in the blanks beside the range.
pub fn with_blanks(text: &[u8], range: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = range;
    let before = start - text[..start].iter().rev().take_while(|&&c| is_blank(c)).count();
    let after = end + text[end..].iter().take_while(|&&c| is_blank(c)).count();
    let starts_line = before == 0 || text[before - 1] == b'\n';
    let ends_line = after == text.len() || text[after] == b'\n';
    if starts_line && ends_line {
        start = before;
        end = (after + 1).min(text.len());
        if end == text.len() && text.last() != Some(&b'\n') && start > 0 {
            // The last line has no line end of its own, so the one before it is deleted.
            start -= 1;
        }
    } else if starts_line {
        end = after;
    } else if ends_line || matches!(text[after], b')' | b']' | b'}' | b',' | b';' | b':') {
        start = before;
    } else if before < start || is_glued(text[start - 1], text[after]) {
        end = after;
    }
    start..end
}

/// Whether a byte that stands directly before a part is usually written directly before what follows that part, too: an
/// opening bracket, or a prefix such as the one of a reference before a word.
fn is_glued(before: u8, behind: u8) -> bool {
    let begins_word = behind.is_ascii_alphabetic() || matches!(behind, b'_' | b'\'');
    matches!(before, b'(' | b'[') || begins_word && matches!(before, b'<' | b'&' | b'*')
}

/// Where the deletion of whole lines, from `start` to `end`, should end: of the blank lines on both sides, it leaves the fewer over,
/// and those behind it if nothing else is before it. Linear in the blanks beside the range.
pub fn behind_spare_lines(text: &[u8], start: usize, end: usize) -> usize {
    let blanks = text[..start].iter().rev().take_while(|&&c| is_blank(c) || c == b'\n');
    let blanks = start - blanks.count()..start;
    let ends = text[blanks.clone()].iter().filter(|&&c| c == b'\n').count();
    let spare = if blanks.start == 0 { usize::MAX } else { ends.saturating_sub(1) };
    let behind = text[end..].iter().enumerate().take_while(|&(_, &c)| is_blank(c) || c == b'\n');
    let ends = behind.filter(|&(_, &c)| c == b'\n').take(spare);
    ends.last().map_or(end, |(i, _)| end + i + 1)
}

/// The range that a deletion of `range` from `file` should cover: as [`with_blanks`], but only `range` itself
/// in a layout where every blank is significant.
pub fn deletion(file: &Parsed, range: Range<usize>) -> Range<usize> {
    if file.language.layout() == Layout::Exact { range } else { with_blanks(&file.text, range) }
}

/// The text of `range`, moved to a place whose line is indented by `to`: in each further line, `to` replaces
/// the indentation of the first line. Lines inside verbatim nodes (strings), and lines that are indented
/// less, keep theirs.
pub fn moved(file: &Parsed, range: Range<usize>, to: &[u8]) -> Vec<u8> {
    let text = &file.text;
    let from = indentation(text, range.start).unwrap_or(b"");
    if file.language.layout() == Layout::Exact || from == to {
        return text[range].to_vec();
    }
    let tree = file.tree();
    let strings = tree.starting_in(range.clone()).filter(|&n| tree.has(n, Role::Verbatim));
    let verbatim: Vec<Range<usize>> = strings.map(|n| tree.range(n)).collect();
    let mut out = Vec::with_capacity(range.len());
    for (i, line) in text[range.clone()].split_inclusive(|&c| c == b'\n').enumerate() {
        let at = range.start + (line.as_ptr() as usize - text[range.clone()].as_ptr() as usize);
        let inside = verbatim.iter().any(|r| r.start < at && at < r.end);
        match line.strip_prefix(from) {
            Some(rest) if i > 0 && !inside => {
                out.extend_from_slice(to);
                out.extend_from_slice(rest);
            }
            _ => out.extend_from_slice(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_deletion(text: &str, what: &str) -> String {
        let start = text.find(what).unwrap_or_default();
        let range = with_blanks(text.as_bytes(), start..start + what.len());
        format!("{}{}", &text[..range.start], &text[range.end..])
    }

    #[test]
    fn a_deletion_takes_its_line_or_the_blanks_beside_it() {
        assert_eq!(after_deletion("a\n  bc \nd\n", "bc"), "a\nd\n");
        assert_eq!(after_deletion("a\n  bc", "bc"), "a");
        assert_eq!(after_deletion("a bc d", "bc"), "a d");
        assert_eq!(after_deletion("  bc d", "bc"), "  d");
        assert_eq!(after_deletion("a  bc\n", "bc"), "a\n");
        assert_eq!(after_deletion("(bc d)", "bc"), "(d)");
        assert_eq!(after_deletion("(a bc)", "bc"), "(a)");
        assert_eq!(after_deletion("a,bc d", "bc"), "a, d");
        assert_eq!(after_deletion("bc", "bc"), "");
        assert_eq!(after_deletion("a<'b, c>", "'b,"), "a<c>");
        assert_eq!(after_deletion("&'a mut b", "'a"), "&mut b");
        assert_eq!(after_deletion("a <b = c", "b"), "a < = c");
    }

    #[test]
    fn moved_lines_change_their_indentation_although_only_brackets_structure_the_text() {
        let text = "struct {\n    int a;\n} b;\n";
        let file = Parsed::new(&crate::c::C, text.into());
        let moved = moved(&file, 0..text.len() - 1, b"  ");
        assert_eq!(String::from_utf8_lossy(&moved), "struct {\n      int a;\n  } b;");
    }

    #[test]
    fn moved_lines_change_their_indentation_but_not_inside_strings() {
        let text = "if a:\n    x = '''\n    in\n'''\n    if b:\n        c\n";
        let file = Parsed::new(&crate::python::PYTHON, text.into());
        let start = text.find("x =").unwrap_or_default();
        let moved = moved(&file, start..text.len() - 1, b"");
        assert_eq!(String::from_utf8_lossy(&moved), "x = '''\n    in\n'''\nif b:\n    c");
    }
}
