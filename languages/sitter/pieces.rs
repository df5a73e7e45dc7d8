//! Long texts are parsed in pieces: the parser's own tree takes some thirty bytes for each byte of text, so
//! only the tree of one piece is kept at a time.

use super::filled::Filled;
use super::{Grammar, bounded};
use crate::lexer;
use crate::lexis::Lexis;
use std::iter::Peekable;
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// A text of up to this many bytes is one piece.
pub(super) const WHOLE: usize = 1 << 18;
/// About how many bytes of a longer text are parsed at once, unless an item is longer; at most [`WHOLE`] of them at first, and
/// twice as many as long as they contain no whole item.
const PIECE: usize = 1 << 16;

/// Some items of a text: children of the root of its tree.
pub(super) struct Piece<'a> {
    /// The parser's tree; it may have further children, which belong to the next piece.
    pub tree: &'a Tree,
    /// The text that the parser read.
    pub text: &'a [u8],
    /// The start of that text in the whole text.
    pub start: usize,
    /// How many children of the tree's root are items of this piece.
    pub items: u32,
    /// The length of the items in bytes, including the text before and between them that belongs to no item.
    pub length: usize,
    /// The places of filled-in words, in the whole text.
    pub filled: &'a Filled,
}

impl<'a> Piece<'a> {
    /// A piece that is the whole text.
    pub(super) fn whole(tree: &'a Tree, text: &'a [u8], filled: &'a Filled) -> Self {
        Self { tree, text, start: 0, items: tree.root_node().child_count(), length: text.len(), filled }
    }

    /// The byte range of a node in the original text, without filled-in words.
    pub(super) fn range(&self, node: &Node<'_>) -> Range<usize> {
        let range = node.byte_range();
        self.filled.range(self.start + range.start..self.start + range.end)
    }

    /// Bytes inside errors plus missing nodes. Visits only subtrees with errors.
    pub(super) fn errors(&self) -> usize {
        let mut sum = 0;
        let mut cursor = self.tree.walk();
        loop {
            let node = cursor.node();
            if node.start_byte() >= self.length && node.end_byte() > self.length {
                return sum;
            }
            if node.is_error() {
                sum += node.byte_range().len().max(1);
            } else if node.is_missing() {
                sum += 1;
            } else if node.has_error() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return sum;
                }
            }
        }
    }
}

impl Grammar {
    /// Whether a text is parsed in one piece.
    pub(super) fn is_one_piece(&self, text: &[u8]) -> bool {
        self.indivisible || text.len() <= WHOLE
    }

    /// Parses a text and passes its pieces to `tell`, in order. `false` if the parser gives no tree.
    pub(super) fn read(&self, text: &[u8], filled: &Filled, mut tell: impl FnMut(&Piece<'_>)) -> bool {
        let mut parser = self.parser();
        let mut start = 0_usize;
        let mut size = if self.is_one_piece(text) { text.len() } else { self.size(text) };
        loop {
            let end = start.saturating_add(size).min(text.len());
            let Some(tree) = bounded::parse(&mut parser, &text[start..end], None) else { return false };
            let all = Piece { start, ..Piece::whole(&tree, &text[start..end], filled) };
            if end == text.len() {
                tell(&all);
                return true;
            }
            let Some((items, length)) = self.sure_items(&all) else {
                size *= 2;
                continue;
            };
            tell(&Piece { items, length, ..all });
            start += length;
            size = self.size(&text[start..]);
        }
    }

    /// How many bytes of a text to parse at once. They end between two items, since a parser that stops inside an item may take
    /// all before it for an error; and few of them are parsed again: two items behind the ones that are sure.
    fn size(&self, text: &[u8]) -> usize {
        let text = &text[..text.len().min(WHOLE)];
        let is_behind_item = |at: &usize| matches!(text[..*at].trim_ascii_end().last(), Some(b';' | b'}'));
        let mut ends = Outermost::new(text, self.lexis).filter(is_behind_item).peekable();
        let mut last = [0; 3];
        while let Some(end) = ends.next_if(|end| *end < PIECE) {
            last = [last[1], last[2], end];
        }
        // If an item begins in the first half and goes on behind `PIECE`, it is read whole.
        if last[0] >= PIECE / 2 { last[2] } else { ends.nth(2).unwrap_or(WHOLE) }
    }

    /// The number of items that are the same in the whole text, and the start of the next item; `None` if
    /// there are none.
    fn sure_items(&self, piece: &Piece<'_>) -> Option<(u32, usize)> {
        let root = piece.tree.root_node();
        let mut cursor = root.walk();
        let items: Vec<Node<'_>> = root.children(&mut cursor).collect();
        // The last item may continue in the text that was not read, which may also have caused the errors.
        let (_, but_last) = items.split_last().filter(|_| !root.is_error())?;
        let next = if but_last.iter().any(Node::has_error) || items.last().is_some_and(Node::has_error) {
            self.last_outermost(piece.text, &items)?
        } else {
            but_last.len()
        };
        (next > 0).then(|| (next as u32, items[next].start_byte()))
    }

    /// The index of the last item but the final one that begins a line outside all brackets and preprocessor
    /// conditions: the text before it does not depend on the text behind it, whatever its errors are.
    fn last_outermost(&self, text: &[u8], items: &[Node<'_>]) -> Option<usize> {
        let mut outermost = Outermost::new(text, self.lexis).peekable();
        let mut is_outermost = |item: &Node<'_>| {
            while outermost.next_if(|start| *start < item.start_byte()).is_some() {}
            outermost.peek() == Some(&item.start_byte())
        };
        (0..items.len() - 1).filter(|&index| is_outermost(&items[index])).last()
    }
}

/// The starts of the lines outside all brackets and preprocessor conditions that begin with a token.
struct Outermost<'a> {
    text: &'a [u8],
    lexis: &'static Lexis,
    tokens: Peekable<lexer::Tokens<'a>>,
    depth: isize,
}

impl<'a> Outermost<'a> {
    fn new(text: &'a [u8], lexis: &'static Lexis) -> Self {
        Self { text, lexis, tokens: lexer::tokens(text, lexis).peekable(), depth: 0 }
    }
}

impl Iterator for Outermost<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let text = self.text;
        loop {
            let token = self.tokens.next()?;
            let (word, start, depth) = (&text[token.range()], token.start as usize, self.depth);
            self.depth += match self.lexis.directives.filter(|d| d.mark.as_bytes() == word) {
                Some(directives) => self.tokens.peek().map_or(0, |next| directives.step(&text[next.range()])),
                None => lexer::bracket(word).map_or(0, |(_, step)| step),
            };
            if depth == 0 && (start == 0 || text[start - 1] == b'\n') {
                return Some(start);
            }
        }
    }
}
