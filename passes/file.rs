//! A file as passes see it: its tree, text and names, and constructors of units.

use crate::{Blank, Source, Unit};
use lopper_languages::bindings::{Bindings, Definition, Place};
use lopper_languages::edit::FileId;
use lopper_languages::lexer::Token;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use lopper_languages::{Language, Parsed};
use std::ops::{Deref, Range};

/// A definition: its file and its index there. Of one that is joined with those of other files, that of its first part.
pub(crate) type Key = (FileId, usize);

/// A file of a base. It has all methods of its tree.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The file's id in the base.
    pub id: FileId,
    /// The text, tokens and tree.
    pub parsed: &'a Parsed,
}

impl Deref for File<'_> {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        self.parsed.tree()
    }
}

impl<'a> File<'a> {
    /// The tree, with the lifetime of the base.
    pub fn tree(self) -> &'a Tree {
        self.parsed.tree()
    }

    /// The language.
    pub fn language(self) -> &'static dyn Language {
        self.parsed.language
    }

    /// The bytes.
    pub fn text(self) -> &'a [u8] {
        &self.parsed.text
    }

    /// The text of a node.
    pub fn node_text(self, node: NodeId) -> &'a [u8] {
        self.parsed.node_text(node)
    }

    /// The tokens.
    pub fn tokens(self) -> &'a [Token] {
        self.parsed.tokens()
    }

    /// The tokens that lie wholly in a byte range. O(log tokens).
    pub fn tokens_in(self, range: Range<usize>) -> &'a [Token] {
        self.parsed.tokens_in(range)
    }

    /// The lines, each with its end.
    pub fn lines(self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        self.text().split_inclusive(|&c| c == b'\n').scan(0, |end, line| {
            let start = *end;
            *end += line.len();
            Some(start..*end)
        })
    }

    /// A byte range, cut into windows of this width; each character of valid UTF-8 lies in one of them.
    pub(crate) fn windows(
        self,
        range: Range<usize>,
        width: usize,
    ) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let mut start = range.start;
        std::iter::from_fn(move || {
            let window = self.parsed.whole_characters(start..(start + width).min(range.end));
            start = window.end;
            (!window.is_empty()).then_some(window)
        })
    }

    /// The definitions and uses of names.
    pub fn bindings(self) -> &'a Bindings {
        self.parsed.bindings(self.id)
    }

    /// All definitions, in the order of the text.
    pub fn definitions(self) -> impl Iterator<Item = &'a Definition> {
        self.bindings().definitions().iter()
    }

    /// The definition that a name belongs to. O(log names).
    pub fn definition(self, name: NodeId) -> Option<&'a Definition> {
        self.bindings().of(name).map(|index| &self.bindings().definitions()[index])
    }

    /// The places of a definition that are in this file.
    pub fn places(self, definition: &Definition) -> impl Iterator<Item = Place> {
        definition.places.iter().copied().filter(move |place| place.file == self.id)
    }

    /// The uses of a definition that are in this file.
    pub fn uses(self, definition: &Definition) -> impl Iterator<Item = NodeId> {
        definition.uses.iter().filter(move |used| used.file == self.id).map(|used| used.name)
    }

    /// The nodes that have a role, in the order of the text. O(nodes).
    pub fn with(self, role: Role) -> impl Iterator<Item = NodeId> + use<'a> {
        let tree = self.tree();
        tree.nodes().filter(move |&node| tree.has(node, role))
    }

    /// A unit that deletes a node, with its separator or its line.
    pub fn drop(self, node: NodeId) -> Unit {
        Unit::Drop { file: self.id, node }
    }

    /// A unit that replaces a node by a text or by another node.
    pub fn replace(self, node: NodeId, by: impl Into<Source>) -> Unit {
        Unit::Replace { file: self.id, node, by: by.into() }
    }

    /// A unit that deletes a range of bytes.
    pub fn cut(self, range: Range<usize>) -> Unit {
        Unit::Cut { file: self.id, range: range.start as u32..range.end as u32 }
    }

    /// A unit that replaces a range of bytes, which may be empty, by a text.
    pub fn write(self, range: Range<usize>, text: impl Into<Vec<u8>>) -> Unit {
        Unit::Write { file: self.id, range: range.start as u32..range.end as u32, text: text.into() }
    }

    /// A unit that deletes tokens: those whose bit in the mask is set, counted from the token `first`.
    pub fn cut_tokens(self, first: usize, mask: u16) -> Unit {
        Unit::Tokens { file: self.id, first: first as u32, mask }
    }

    /// A unit that replaces a range of blanks by other blanks.
    pub fn blank(self, range: Range<usize>, by: Blank) -> Unit {
        Unit::Blank { file: self.id, range: range.start as u32..range.end as u32, by }
    }
}
