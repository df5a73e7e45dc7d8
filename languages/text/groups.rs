//! Lines of text that belong together although none is indented below the other: paragraphs between blank lines, a line
//! with the block that begins on the next one, and what goes on with a word such as `else`.

use super::lines::Lines;
use super::tags::{Sort, Tags};
use crate::lexer::Token;
use std::collections::HashMap;

/// For each token that begins groups: the tokens behind them, the outermost group first.
pub(super) type Groups = HashMap<usize, Vec<usize>>;

/// Words that go on with what stands above them.
const GO_ON: &[&[u8]] = &[
    b"else", b"elif", b"elsif", b"elseif", b"catch", b"except", b"finally", b"rescue", b"ensure", b"then",
    b"where",
];

/// The sections at one column, of which the last is not over yet.
struct Level {
    column: usize,
    /// The first line of the last section.
    first: usize,
    /// Where the group that the last section belongs to begins.
    group: Option<usize>,
    /// Whether the last section begins with a block.
    is_block: bool,
    /// The first line of the paragraph, and its number of sections.
    paragraph: (usize, usize),
    /// Whether a blank line has ended a paragraph.
    is_divided: bool,
}

impl Level {
    /// Ends the group that the last section belongs to.
    fn end_group(&self, at: usize, found: &mut Groups) {
        if let Some(first) = self.group {
            found.entry(first).or_default().push(at);
        }
    }

    fn end_paragraph(&self, at: usize, found: &mut Groups) {
        let (first, sections) = self.paragraph;
        let groups = found.get(&first);
        if sections > 1 && self.is_divided && groups.and_then(|ends| ends.first()) != Some(&at) {
            found.entry(first).or_default().insert(0, at);
        }
    }

    fn end(&self, at: usize, found: &mut Groups) {
        self.end_group(at, found);
        self.end_paragraph(at, found);
    }
}

/// Finds the groups. Linear.
pub(super) fn groups(
    text: &[u8],
    tokens: &[Token],
    partners: &[Option<u32>],
    tags: &Tags,
    comments: &HashMap<usize, usize>,
    lines: Lines,
) -> Groups {
    let mut found = Groups::new();
    // The levels of sections inside each pair of brackets or tags.
    let mut open: Vec<Vec<Level>> = vec![Vec::new()];
    let mut before = 0;
    let mut at = 0;
    while at < tokens.len() {
        let tag = tags.begins.get(&at).copied();
        let partner = partners[at].map(|partner| partner as usize > at).filter(|_| tag.is_none());
        let ends = partner == Some(false) || matches!(tag, Some((_, Sort::Closes | Sort::Divides(_))));
        if ends && open.len() > 1 {
            let levels = open.pop().unwrap_or_default();
            levels.iter().rev().for_each(|level| level.end(at, &mut found));
        }
        let start = tokens[at].start as usize;
        let line_ends = text[before..start].iter().filter(|&&c| c == b'\n').count();
        if !ends
            && (line_ends > 0 || at == 0)
            && let Some(levels) = open.last_mut()
            && let Some(column) = lines.column(text, start)
        {
            let word = &text[tokens[at].range()];
            let begins = Beginning {
                column,
                is_block: word == b"{" && partner.is_some()
                    || tag.is_some() && word.eq_ignore_ascii_case(b"begin"),
                goes_on: GO_ON.iter().any(|known| known.eq_ignore_ascii_case(word)),
                is_behind_blank: line_ends > 1,
            };
            section(levels, at, &begins, &mut found);
        }
        let next = comments.get(&at).copied().or(tag.map(|(end, _)| end)).unwrap_or(at + 1);
        if comments.contains_key(&at) {
            at = next;
            before = tokens[at - 1].end as usize;
            continue;
        }
        if partner == Some(true) || matches!(tag, Some((_, Sort::Opens | Sort::Divides(_)))) {
            open.push(Vec::new());
        }
        at = next;
        before = tokens[at - 1].end as usize;
    }
    for levels in open.iter().rev() {
        levels.iter().rev().for_each(|level| level.end(tokens.len(), &mut found));
    }
    found
}

/// How a section begins.
struct Beginning {
    column: usize,
    is_block: bool,
    goes_on: bool,
    is_behind_blank: bool,
}

/// Begins a section with the token `at`, and ends the groups before it.
fn section(levels: &mut Vec<Level>, at: usize, begins: &Beginning, found: &mut Groups) {
    while let Some(level) = levels.pop_if(|level| level.column > begins.column) {
        level.end(at, found);
    }
    let Some(level) = levels.last_mut().filter(|level| level.column == begins.column) else {
        levels.push(Level {
            column: begins.column,
            first: at,
            group: None,
            is_block: begins.is_block,
            paragraph: (at, 1),
            is_divided: false,
        });
        return;
    };
    if begins.goes_on || begins.is_block && !level.is_block {
        level.group = level.group.or(Some(level.first));
    } else {
        level.end_group(at, found);
        level.group = None;
    }
    if begins.is_behind_blank && level.group.is_none() {
        level.is_divided = true;
        level.end_paragraph(at, found);
        level.paragraph = (at, 0);
    }
    level.paragraph.1 += 1;
    (level.first, level.is_block) = (at, begins.is_block);
}
