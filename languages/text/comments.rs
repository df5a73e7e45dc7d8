//! Comments in text, by the marks that most languages use.
//!
//! A mark may mean something else, so the words in a comment are tokens like all others, and passes may delete them singly.

use super::lines::Lines;
use super::tags::Tags;
use crate::lexer::Token;
use std::collections::HashMap;

/// The marks around comments.
const BLOCKS: &[(&[u8], &[u8])] = &[(b"/*", b"*/"), (b"(*", b"*)"), (b"{-", b"-}")];

/// The marks of comments that may follow something else on their line, at whose end they end.
const BEHIND: &[&[u8]] = &[b"//", b"-- "];

/// The marks of comments that take a whole line; a blank or the same mark comes next.
const LINES: &[u8] = b"#;%!";

/// The comments that cross neither brackets nor tags: for each first token the one behind the last. Linear, except that
/// an unclosed mark costs a search up to the end of the text, once for each form.
pub(super) fn comments(
    text: &[u8],
    tokens: &[Token],
    partners: &[Option<u32>],
    tags: &Tags,
    lines: Lines,
) -> HashMap<usize, usize> {
    let mut found = HashMap::new();
    let mut unclosed = [false; BLOCKS.len()];
    // The end of the last would-be comment that crosses brackets or tags: none is looked for within it.
    let mut vain = 0;
    let mut before = 0;
    let mut at = 0;
    while at < tokens.len() {
        let start = tokens[at].start as usize;
        let gap = &text[before..start];
        let is_first = before == 0 || gap.contains(&b'\n');
        let rest = &text[start..];
        let length = if start < vain {
            None
        } else {
            let whole_line = || lines.is_comment(text, start).then(|| line_length(rest));
            let line = || line(is_first, !gap.is_empty(), rest);
            block(rest, &mut unclosed).or_else(whole_line).or_else(line)
        };
        let end =
            length.map(|length| at + tokens[at..].partition_point(|t| (t.start as usize) < start + length));
        let is_whole = |end: &usize| {
            let inside = at as u32..*end as u32;
            let is_inside = |i: usize| partners[i].is_none_or(|partner| inside.contains(&partner));
            (at..*end).all(|i| is_inside(i) && !tags.begins.contains_key(&i))
        };
        vain = vain.max(start + length.unwrap_or_default());
        let next = end.filter(is_whole).inspect(|&end| {
            found.insert(at, end);
        });
        at = next.unwrap_or(at + 1);
        before = tokens[at - 1].end as usize;
    }
    found
}

/// The length of a comment between two marks that begins a text.
fn block(text: &[u8], unclosed: &mut [bool; BLOCKS.len()]) -> Option<usize> {
    let form = BLOCKS.iter().position(|(open, _)| text.starts_with(open))?;
    let (open, close) = BLOCKS[form];
    // `(*)` is no comment.
    if unclosed[form] || text[1..].starts_with(close) {
        return None;
    }
    let inside = text[open.len()..].windows(close.len()).position(|bytes| bytes == close);
    unclosed[form] = inside.is_none();
    inside.map(|length| open.len() + length + close.len())
}

/// The length of a comment that begins a text and ends with its line. The text may be the first thing on that line, or
/// follow a blank.
fn line(is_first: bool, is_behind: bool, text: &[u8]) -> Option<usize> {
    let (&mark, rest) = text.split_first()?;
    let follows = rest.first().is_none_or(|&c| c == mark || c.is_ascii_whitespace());
    let is_comment = (is_first || is_behind) && BEHIND.iter().any(|mark| text.starts_with(mark))
        || is_first && LINES.contains(&mark) && follows;
    is_comment.then(|| line_length(text))
}

fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&c| c == b'\n').unwrap_or(text.len())
}
