//! The text form of patterns: the example, with the names of holes in their places: `((<expr>))`.
//!
//! A `<` that would start a name of a hole and is a character of the pattern itself is written `\<`; backslashes
//! right before a `<` are doubled. All other characters stand for themselves.

use crate::pattern::{Pattern, role_named};
use lopper_languages::grammar::Grammar;
use std::collections::BTreeSet;

/// Which names holes may have: all others between angle brackets are plain text.
#[derive(Clone, Debug)]
pub struct Names(Option<BTreeSet<String>>);

impl Names {
    /// The names of holes in patterns of a language with roles.
    pub fn of_roles() -> Self {
        Self(None)
    }

    /// The names of holes in patterns of a user's grammar.
    pub fn of_grammar(grammar: &Grammar) -> Self {
        Self(Some(grammar.names().iter().map(|name| name.trim_matches(['<', '>']).to_owned()).collect()))
    }

    /// Whether a hole may have this name, which is without its angle brackets.
    fn has(&self, name: &str) -> bool {
        let is_sort = |name: &str| match &self.0 {
            Some(names) => names.contains(name),
            None => {
                let values = name.starts_with("kind:") || name.starts_with("number:");
                let others = ["operator", "statements", "items"].contains(&name);
                values || others || name.starts_with("string:") || role_named(name).is_some()
            }
        };
        is_sort(name) || self.coupled(name).is_some_and(|(name, _)| is_sort(name))
    }

    /// What the name of a coupled hole says: its sort and its number.
    fn coupled<'a>(&self, name: &'a str) -> Option<(&'a str, u32)> {
        let (sort, number) = name.strip_prefix('$')?.rsplit_once('_')?;
        Some((sort, number.parse().ok()?))
    }
}

/// A piece of a pattern's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Bytes that stand for themselves.
    Text(Vec<u8>),
    /// A hole: the name of its sort, and its number if it is coupled.
    Hole(String, Option<u32>),
}

/// The pieces of a text form, neighbours of the same sort joined. Linear.
pub(crate) fn pieces(text: &[u8], names: &Names) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let slashes = text[at..].iter().take_while(|&&c| c == b'\\').count();
        let open = at + slashes;
        if text.get(open) != Some(&b'<') {
            let end = (open + 1).min(text.len());
            plain.extend_from_slice(&text[at..end]);
            at = end;
            continue;
        }
        plain.resize(plain.len() + slashes / 2, b'\\');
        at = open + 1;
        match name_at(text, open, names).filter(|_| slashes % 2 == 0) {
            Some(name) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                at += name.len() + 1;
                pieces.push(match names.coupled(name) {
                    Some((sort, number)) => Piece::Hole(sort.to_owned(), Some(number)),
                    None => Piece::Hole(name.to_owned(), None),
                });
            }
            None => plain.push(b'<'),
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

/// The name of a hole that starts with the `<` at `open`.
fn name_at<'a>(text: &'a [u8], open: usize, names: &Names) -> Option<&'a str> {
    // No name is longer: a text of a million `<` costs no more than one with few.
    const LONGEST: usize = 200;
    let rest = &text[open + 1..text.len().min(open + LONGEST)];
    let end = rest.iter().position(|c| matches!(c, b'<' | b'>' | b' ' | b'\n'))?;
    let name = std::str::from_utf8(&rest[..end]).ok()?;
    (rest[end] == b'>' && names.has(name)).then_some(name)
}

/// Appends plain bytes to a text form, so that `pieces` gives them back.
fn push_plain(out: &mut Vec<u8>, text: &[u8], names: &Names) {
    let mut at = 0;
    while at < text.len() {
        let slashes = text[at..].iter().take_while(|&&c| c == b'\\').count();
        let open = at + slashes;
        if text.get(open) == Some(&b'<') {
            out.extend(std::iter::repeat_n(b'\\', 2 * slashes));
            if name_at(text, open, names).is_some() {
                out.push(b'\\');
            }
            out.push(b'<');
            at = open + 1;
        } else {
            let end = (open + 1).min(text.len());
            out.extend_from_slice(&text[at..end]);
            at = end;
        }
    }
}

impl Pattern {
    /// The text form: the example with the names of the holes. What is inserted between statements stands on a
    /// line of its own where statements do.
    pub fn to_text(&self, names: &Names) -> Vec<u8> {
        self.shown_pieces(names).into_iter().flat_map(|(text, _)| text).collect()
    }

    /// The text form in pieces: plain text, and the names of holes with the holes.
    pub(crate) fn shown_pieces(&self, names: &Names) -> Vec<(Vec<u8>, Option<usize>)> {
        let (shown, mut pieces, mut plain, mut at) = (self.names(), Vec::new(), Vec::new(), 0);
        for (node, hole) in self.places() {
            push_plain(&mut plain, &self.example[at..node.range.start], names);
            at = node.range.end;
            let (before, after) = self.around(node.range.start, hole);
            plain.extend_from_slice(&before);
            // What precedes the `<` of the hole's own name.
            let slashes = plain.iter().rev().take_while(|&&c| c == b'\\').count();
            plain.extend(std::iter::repeat_n(b'\\', slashes));
            pieces.push((std::mem::replace(&mut plain, after), None));
            pieces.push((shown[hole].clone().into_bytes(), Some(hole)));
        }
        push_plain(&mut plain, &self.example[at..], names);
        pieces.push((plain, None));
        pieces
    }

    /// What separates an insertion from what stands before it and behind it.
    fn around(&self, at: usize, hole: usize) -> (Vec<u8>, Vec<u8>) {
        let text = &self.example;
        let place = Insertion::at(text, at);
        match &self.holes[hole].sort {
            crate::Sort::Statements(_) => place.statement_separators(text),
            crate::Sort::Items(_) => place.item_separators(),
            _ => Default::default(),
        }
    }
}

/// What stands beside a place where something is inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Insertion {
    /// Where the place is.
    at: usize,
    /// The blanks at the start of its line, if nothing else is before it there.
    starts_line: bool,
    /// The blanks at the start of its line.
    indentation: Vec<u8>,
    /// Nothing of the same list or block stands behind it.
    is_last: bool,
    /// Nothing of the same list or block stands before it.
    is_first: bool,
}

impl Insertion {
    /// The place at a byte.
    pub(crate) fn at(text: &[u8], at: usize) -> Self {
        let start = text[..at].iter().rposition(|&c| c == b'\n').map_or(0, |i| i + 1);
        let blanks = text[start..at].iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
        let next = text[at..].iter().find(|c| !c.is_ascii_whitespace());
        let before = text[..at].iter().rfind(|c| !c.is_ascii_whitespace());
        let ends_line = text.get(at).is_none_or(|&c| c == b'\n');
        Self {
            at,
            starts_line: start + blanks == at && !(ends_line && at > 0 && text[at - 1] != b'\n'),
            indentation: text[start..start + blanks].to_vec(),
            is_last: next.is_none_or(|c| matches!(c, b')' | b']' | b'}')) || ends_line,
            is_first: before.is_none_or(|c| matches!(c, b'(' | b'[' | b'{')),
        }
    }

    /// The blanks at the start of the place's line.
    pub(crate) fn indentation(&self) -> &[u8] {
        &self.indentation
    }

    /// What goes before and behind statements that are inserted.
    pub(crate) fn statement_separators(&self, text: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let line = || [&b"\n"[..], &self.indentation].concat();
        let ends_line = text.get(self.at).is_none_or(|&c| c == b'\n');
        match (self.starts_line, ends_line) {
            (true, false) => (Vec::new(), line()),
            (true, true) => (Vec::new(), if self.at == text.len() { b"\n".to_vec() } else { Vec::new() }),
            (false, true) => (line(), Vec::new()),
            (false, false) => (b" ".to_vec(), b" ".to_vec()),
        }
    }

    /// What goes before and behind items that are inserted.
    pub(crate) fn item_separators(&self) -> (Vec<u8>, Vec<u8>) {
        match (self.is_first, self.is_last) {
            (true, true) => (Vec::new(), Vec::new()),
            (true, false) => (Vec::new(), b", ".to_vec()),
            (false, _) => (b", ".to_vec(), Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> Names {
        Names(Some(["expr", "ID"].map(str::to_owned).into()))
    }

    #[test]
    fn names_of_holes_are_told_from_plain_text() {
        let text = |text: &str| Piece::Text(text.into());
        let hole = |name: &str, number| Piece::Hole(name.to_owned(), number);
        let read = |text: &str| pieces(text.as_bytes(), &names());
        assert_eq!(read("((<expr>))"), [text("(("), hole("expr", None), text("))")]);
        assert_eq!(read("a<b>c<$ID_2><$b_1>"), [text("a<b>c"), hole("ID", Some(2)), text("<$b_1>")]);
        assert_eq!(read("\\<expr>\\\\<expr>\\a"), [text("<expr>\\"), hole("expr", None), text("\\a")]);
        assert_eq!(read(""), []);
    }

    proptest! {
        #[test]
        fn plain_text_is_read_back_as_it_was(text in "[<>\\\\a ]{0,6}(<expr>)?[\\\\<]{0,3}(<expr>|ID>)?") {
            let mut out = Vec::new();
            push_plain(&mut out, text.as_bytes(), &names());
            let expected = if text.is_empty() { vec![] } else { vec![Piece::Text(text.clone().into())] };
            prop_assert_eq!(pieces(&out, &names()), expected);
        }
    }
}
