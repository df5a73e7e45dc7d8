//! Text: lines, indentation, balanced brackets, lists and words, for all files without a grammar.
//!
//! A *section* is a line with the deeper indented lines below it; *brackets* are a pair of brackets with its
//! contents; *items* are separated by commas and semicolons; all other tokens are words.

use crate::edit::Edit;
use crate::layout::Layout;
use crate::lexer::{Token, tokens};
use crate::lexis::Lexis;
use crate::role::Role;
use crate::tree::{Flags, Kind, NodeData, NodeId, TreeBuilder};
use crate::{Fit, Language, Parsed, Syntax};

/// The language of every file that no other language claims.
pub static TEXT: Text = Text;

/// See [`TEXT`].
#[derive(Debug)]
pub struct Text;

const KINDS: &[&str] = &["text", "section", "item", "brackets", "word", "bracket", "separator"];
const ROOT: Kind = Kind(0);
const SECTION: Kind = Kind(1);
const ITEM: Kind = Kind(2);
const BRACKETS: Kind = Kind(3);
const WORD: Kind = Kind(4);
const BRACKET: Kind = Kind(5);
const SEPARATOR: Kind = Kind(6);

static LEXIS: Lexis = Lexis::DEFAULT;

/// For every token the index of its matching bracket, and the number of brackets without a partner. Linear.
pub fn matching_brackets(text: &[u8], tokens: &[Token]) -> (Vec<Option<u32>>, usize) {
    let mut partner = vec![None; tokens.len()];
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut unmatched = 0;
    for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.end - t.start == 1) {
        match text[token.start as usize] {
            b'(' => open.push((b')', i)),
            b'[' => open.push((b']', i)),
            b'{' => open.push((b'}', i)),
            close @ (b')' | b']' | b'}') => match open.last() {
                Some(&(wanted, from)) if wanted == close => {
                    partner[from] = Some(i as u32);
                    partner[i] = Some(from as u32);
                    open.pop();
                }
                _ => unmatched += 1,
            },
            _ => {}
        }
    }
    (partner, unmatched + open.len())
}

/// A node that is open while the tree is built.
enum Frame {
    Brackets,
    Section { column: usize },
    Item,
}

struct Builder<'a> {
    text: &'a [u8],
    tree: TreeBuilder,
    open: Vec<Frame>,
    /// The end of the last token.
    end: u32,
}

impl Builder<'_> {
    fn node(&mut self, kind: Kind, start: u32, end: u32, named: bool) -> NodeId {
        let optional = if named { Flags::NAMED.with(Flags::OPTIONAL) } else { Flags::default() };
        self.tree.open(NodeData {
            start,
            end,
            kind,
            grammar_kind: kind.0,
            parse_state: u16::MAX,
            flags: optional,
        })
    }

    fn leaf(&mut self, kind: Kind, token: &Token) {
        let id = self.node(kind, token.start, token.end, kind == WORD);
        if kind == SEPARATOR {
            self.tree.role(id, Role::Separator);
        }
        self.tree.close(None);
        self.end = token.end;
    }

    fn close(&mut self) {
        self.open.pop();
        self.tree.close(Some(self.end));
    }

    fn close_item(&mut self) {
        if matches!(self.open.last(), Some(Frame::Item)) {
            self.close();
        }
    }

    /// Closes the sections of this bracket level that do not contain a line at `column`.
    fn close_sections(&mut self, column: usize) {
        self.close_item();
        while matches!(self.open.last(), Some(Frame::Section { column: c }) if *c >= column) {
            self.close();
        }
    }

    fn token(&mut self, token: &Token, partner: Option<bool>) {
        let start = token.start as usize;
        let new_line = self.text[self.end as usize..start].contains(&b'\n') || self.end == 0;
        if partner == Some(false) {
            self.close_sections(0);
            self.leaf(BRACKET, token);
            self.close();
            return;
        }
        if new_line {
            let column = start - crate::layout::line_start(self.text, start);
            self.close_sections(column);
            self.section(token, column);
        } else if !matches!(self.open.last(), Some(Frame::Section { .. } | Frame::Item)) {
            self.section(token, usize::MAX);
        }
        let lone = token.end - token.start == 1;
        if lone && matches!(self.text[start], b',' | b';') {
            self.close_item();
            self.leaf(SEPARATOR, token);
            return;
        }
        if !matches!(self.open.last(), Some(Frame::Item)) {
            self.node(ITEM, token.start, token.end, true);
            self.open.push(Frame::Item);
        }
        if partner == Some(true) {
            let brackets = self.node(BRACKETS, token.start, token.end, true);
            self.tree.role(brackets, Role::Block);
            self.open.push(Frame::Brackets);
            self.leaf(BRACKET, token);
        } else {
            self.leaf(WORD, token);
        }
    }

    fn section(&mut self, token: &Token, column: usize) {
        let section = self.node(SECTION, token.start, token.end, true);
        self.tree.role(section, Role::Statement);
        self.open.push(Frame::Section { column });
    }
}

impl Language for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["txt"]
    }

    fn lexis(&self) -> &'static Lexis {
        &LEXIS
    }

    /// Lines and their indentation may be significant; this tree uses them in any case, for its sections.
    fn layout(&self) -> Layout {
        Layout::Indented
    }

    fn constants(&self) -> &'static [&'static str] {
        &[]
    }

    fn samples(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("settings.conf", include_str!("samples/settings.conf")),
            ("functions.lisp", include_str!("samples/functions.lisp")),
        ]
    }

    fn parse(&self, text: &[u8]) -> Syntax {
        let tokens: Vec<Token> = tokens(text, &LEXIS).collect();
        let (partners, errors) = matching_brackets(text, &tokens);
        let tree = TreeBuilder::new(KINDS, text.len() / 4);
        let mut builder = Builder { text, tree, open: Vec::new(), end: 0 };
        let root = builder.node(ROOT, 0, text.len() as u32, true);
        builder.tree.role(root, Role::Block);
        for (i, (token, partner)) in tokens.iter().zip(&partners).enumerate() {
            builder.token(token, partner.map(|p| p as usize > i));
        }
        while !builder.open.is_empty() {
            builder.close();
        }
        Syntax { tree: builder.tree.finish(), errors, state: Box::new(()) }
    }

    fn reparse(&self, _base: &Parsed, _edits: &[Edit], text: &[u8]) -> usize {
        let tokens: Vec<Token> = tokens(text, &LEXIS).collect();
        matching_brackets(text, &tokens).1
    }

    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit {
        let tree = base.tree();
        match (tree.kind(slot), tree.kind(node)) {
            (a, b) if a == b => Fit::SameKind,
            (SECTION | ITEM | BRACKETS, SECTION | ITEM | BRACKETS) => Fit::Related,
            _ => Fit::Unlikely,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        let file = Parsed::new(&TEXT, text.into());
        let tree = file.tree();
        let mut out = String::new();
        let mut open: Vec<NodeId> = Vec::new();
        for node in tree.nodes().skip(1) {
            while open.last().is_some_and(|&o| !tree.is_within(node, o)) {
                open.pop();
                out.push('>');
            }
            if tree.is_leaf(node) {
                out.push_str(&String::from_utf8_lossy(file.node_text(node)));
            } else {
                out.push(match tree.kind_name(node) {
                    "section" => 'S',
                    "item" => 'I',
                    _ => 'B',
                });
                out.push('<');
                open.push(node);
            }
        }
        out + &">".repeat(open.len())
    }

    #[test]
    fn deeper_lines_belong_to_the_line_above() {
        assert_eq!(shape("a:\n  b\n  c\nd\n"), "S<I<a:>S<I<b>>S<I<c>>>S<I<d>>");
    }

    #[test]
    fn brackets_enclose_items_and_commas_separate_them() {
        assert_eq!(shape("f(a, b[0]);"), "S<I<fB<(S<I<a>,I<bB<[S<I<0>>]>>>)>>;>");
    }

    #[test]
    fn unmatched_brackets_are_words_and_errors() {
        assert_eq!(shape("a)("), "S<I<a)(>>");
        assert_eq!(Parsed::new(&TEXT, b"a)(".to_vec()).syntax().errors, 2);
    }

    #[test]
    fn a_hundred_thousand_brackets_do_not_overflow_the_stack() {
        let text = "(".repeat(100_000) + &")".repeat(100_000);
        let file = Parsed::new(&TEXT, text.into_bytes());
        assert_eq!(file.syntax().errors, 0);
        assert_eq!(file.tree().len(), 1 + 5 * 100_000);
    }
}
