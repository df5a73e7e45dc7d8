//! Text: lines, indentation, balanced brackets, lists and words, for all files without a grammar.
//!
//! A *section* is a line with the deeper indented lines below it; *brackets* are a pair of brackets with its
//! contents; an *element* is a pair of tags with its contents, and an *attribute* is what blanks separate in a tag;
//! *items* are separated by commas and semicolons; all other tokens are words. Keywords around a block, such as `begin` and
//! `end`, are a pair of tags.

mod comments;
mod keywords;
mod tags;

use crate::edit::Edit;
use crate::layout::Layout;
use crate::lexer::{Token, tokens};
use crate::lexis::Lexis;
use crate::role::Role;
use crate::tree::{Flags, Kind, NodeData, NodeId, TreeBuilder};
use crate::{Fit, Language, Parsed, Syntax};
use comments::comments;
use keywords::keywords;
use std::collections::HashMap;
use tags::{Sort, Tags};

/// The language of every file that no other language claims.
pub static TEXT: Text = Text;

/// See [`TEXT`].
#[derive(Debug)]
pub struct Text;

const KINDS: &[&str] = &[
    "text",
    "section",
    "item",
    "brackets",
    "word",
    "bracket",
    "separator",
    "element",
    "tag",
    "content",
    "attribute",
    "comment",
];
const ROOT: Kind = Kind(0);
const SECTION: Kind = Kind(1);
const ITEM: Kind = Kind(2);
const BRACKETS: Kind = Kind(3);
const WORD: Kind = Kind(4);
const BRACKET: Kind = Kind(5);
const SEPARATOR: Kind = Kind(6);
const ELEMENT: Kind = Kind(7);
const TAG: Kind = Kind(8);
const CONTENT: Kind = Kind(9);
const ATTRIBUTE: Kind = Kind(10);
const COMMENT: Kind = Kind(11);

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
    Element,
    Content,
}

struct Builder<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    partners: &'a [Option<u32>],
    tags: &'a Tags,
    /// For each token that begins a comment: the first token behind it.
    comments: &'a HashMap<usize, usize>,
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

    fn open(&mut self, kind: Kind, token: &Token, frame: Frame) {
        self.node(kind, token.start, token.end, true);
        self.open.push(frame);
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

    /// Reads a token, or the tag that begins with it; returns the next token.
    fn read(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        if let Some(&end) = self.comments.get(&at) {
            return self.comment(at..end);
        }
        let tag = self.tags.begins.get(&at).copied();
        if let Some((end, Sort::Closes)) = tag {
            self.close_sections(0);
            if matches!(self.open.last(), Some(Frame::Content)) {
                self.close();
            }
            self.tag(at..end);
            self.close();
            return end;
        }
        let partner = self.partners[at].map(|partner| partner as usize > at);
        if partner == Some(false) {
            self.close_sections(0);
            self.leaf(BRACKET, &token);
            self.close();
            return at + 1;
        }
        self.begin(&token, tag.is_some());
        if let Some((end, sort)) = tag {
            let element = self.node(ELEMENT, token.start, token.end, true);
            self.tree.role(element, Role::Statement);
            self.open.push(Frame::Element);
            self.tag(at..end);
            let has_content = self.tags.begins.get(&end).is_none_or(|&(_, next)| next != Sort::Closes);
            if sort == Sort::Single {
                self.close();
            } else if has_content {
                let content = self.node(CONTENT, self.tokens[end].start, self.tokens[end].end, true);
                self.tree.role(content, Role::Body);
                self.open.push(Frame::Content);
            }
            return end;
        }
        if is_separator(self.text, &token) {
            self.close_item();
            self.leaf(SEPARATOR, &token);
            return at + 1;
        }
        if partner == Some(true) {
            let brackets = self.node(BRACKETS, token.start, token.end, true);
            self.tree.role(brackets, Role::Block);
            self.open.push(Frame::Brackets);
            self.leaf(BRACKET, &token);
        } else {
            self.leaf(WORD, &token);
        }
        at + 1
    }

    /// Reads a comment; returns the token behind it.
    fn comment(&mut self, tokens: std::ops::Range<usize>) -> usize {
        let end = tokens.end;
        let words = &self.tokens[tokens];
        self.begin(&words[0], false);
        let id = self.node(COMMENT, words[0].start, words[0].end, true);
        self.tree.role(id, Role::Comment);
        words.iter().for_each(|word| self.leaf(WORD, word));
        self.tree.close(Some(self.end));
        end
    }

    /// Opens and closes sections and items so that a token can be read that closes nothing else.
    fn begin(&mut self, token: &Token, is_tag: bool) {
        let start = token.start as usize;
        let new_line = self.text[self.end as usize..start].contains(&b'\n') || self.end == 0;
        if new_line {
            let column = start - crate::layout::line_start(self.text, start);
            self.close_sections(column);
            self.section(token, column, is_tag);
        } else if !matches!(self.open.last(), Some(Frame::Section { .. } | Frame::Item)) {
            self.section(token, usize::MAX, is_tag);
        }
        if !matches!(self.open.last(), Some(Frame::Item)) && !is_separator(self.text, token) {
            self.open(ITEM, token, Frame::Item);
        }
    }

    /// Reads a tag, whose attributes may go.
    fn tag(&mut self, tokens: std::ops::Range<usize>) {
        let all = self.tokens;
        let (first, last) = (tokens.start, tokens.end - 1);
        self.tree.open(NodeData {
            start: all[first].start,
            end: all[last].end,
            kind: TAG,
            grammar_kind: TAG.0,
            parse_state: u16::MAX,
            flags: Flags::NAMED,
        });
        let mut attribute = false;
        for at in tokens {
            let token = &all[at];
            let begins = at > first && token.start != all[at - 1].end;
            if attribute && (begins || at == last) {
                self.tree.close(Some(self.end));
                attribute = false;
            }
            if begins && at < last {
                self.node(ATTRIBUTE, token.start, token.end, true);
                attribute = true;
            }
            self.leaf(if attribute { WORD } else { BRACKET }, token);
        }
        self.tree.close(Some(self.end));
    }

    /// A section that begins with an element leaves it to that to be the statement, since both may span the same bytes.
    fn section(&mut self, token: &Token, column: usize, is_tag: bool) {
        let section = self.node(SECTION, token.start, token.end, true);
        if !is_tag {
            self.tree.role(section, Role::Statement);
        }
        self.open.push(Frame::Section { column });
    }
}

/// The number of tags without a partner. A keyword without one may be any other word, and is no mistake.
fn unmatched_tags(text: &[u8], tokens: &[Token], partners: &[Option<u32>]) -> usize {
    Tags::of(text, tokens, partners, &HashMap::new()).unmatched
}

fn is_separator(text: &[u8], token: &Token) -> bool {
    token.end - token.start == 1 && matches!(text[token.start as usize], b',' | b';')
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
            ("parts.xml", include_str!("samples/parts.xml")),
            ("counter.v", include_str!("samples/counter.v")),
        ]
    }

    fn parse(&self, text: &[u8]) -> Syntax {
        let tokens: Vec<Token> = tokens(text, &LEXIS).collect();
        let (partners, unmatched) = matching_brackets(text, &tokens);
        let tags = Tags::of(text, &tokens, &partners, &keywords(text, &tokens));
        let comments = comments(text, &tokens, &partners, &tags);
        let tree = TreeBuilder::new(KINDS, text.len() / 4);
        let mut builder = Builder {
            text,
            tokens: &tokens,
            partners: &partners,
            tags: &tags,
            comments: &comments,
            tree,
            open: Vec::new(),
            end: 0,
        };
        let root = builder.node(ROOT, 0, text.len() as u32, true);
        builder.tree.role(root, Role::Block);
        let mut at = 0;
        while at < tokens.len() {
            at = builder.read(at);
        }
        while !builder.open.is_empty() {
            builder.close();
        }
        Syntax {
            tree: builder.tree.finish(),
            errors: unmatched + unmatched_tags(text, &tokens, &partners),
            state: Box::new(()),
        }
    }

    fn reparse(&self, _base: &Parsed, _edits: &[Edit], text: &[u8]) -> usize {
        let tokens: Vec<Token> = tokens(text, &LEXIS).collect();
        let (partners, unmatched) = matching_brackets(text, &tokens);
        unmatched + unmatched_tags(text, &tokens, &partners)
    }

    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit {
        let tree = base.tree();
        match (tree.kind(slot), tree.kind(node)) {
            (a, b) if a == b => Fit::SameKind,
            (SECTION | ITEM | BRACKETS | ELEMENT, SECTION | ITEM | BRACKETS | ELEMENT) => Fit::Related,
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
                    "element" => 'E',
                    "tag" => 'T',
                    "content" => 'C',
                    "attribute" => 'A',
                    "comment" => 'K',
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
    fn tags_enclose_contents_and_may_have_attributes() {
        assert_eq!(
            shape("<a b=\"c\" d>x <e/></a>"),
            "S<I<E<T<<aA<b=\"c\">A<d>>>C<S<I<xE<T<<e/>>>>>>T<</a>>>>>"
        );
        assert_eq!(shape("\\begin{a}\n x\\end{a}"), "S<I<E<T<\\begin{a}>C<S<I<x>>>T<\\end{a}>>>>");
        assert_eq!(shape("<a></a>"), "S<I<E<T<<a>>T<</a>>>>>");
    }

    #[test]
    fn tags_without_a_partner_or_across_brackets_are_words_and_errors() {
        for (text, errors) in
            [("<a> <b> </a> </c>", 2), ("(<a>) </a>", 2), ("<a> (</a>)", 2), ("a <b c> d", 1)]
        {
            assert_eq!(Parsed::new(&TEXT, text.as_bytes().to_vec()).syntax().errors, errors, "{text}");
        }
    }

    #[test]
    fn a_hundred_thousand_tags_do_not_overflow_the_stack() {
        let text = "<a>".repeat(100_000) + &"</a>".repeat(100_000);
        assert_eq!(Parsed::new(&TEXT, text.into_bytes()).syntax().errors, 0);
        let unclosed = "<a>".repeat(100_000) + &"</b>".repeat(100_000);
        assert_eq!(Parsed::new(&TEXT, unclosed.into_bytes()).syntax().errors, 200_000);
    }

    #[test]
    fn keywords_that_enclose_a_block_are_its_tags() {
        assert_eq!(shape("begin a; end"), "S<I<E<T<begin>C<S<I<a>;>>T<end>>>>");
        assert_eq!(
            shape("module a begin casez b endcase end else c endmodule"),
            "S<I<E<T<module>C<S<I<aE<T<begin>C<S<I<E<T<casez>C<S<I<b>>>T<endcase>>>>>T<end>>elsec>>>T<endmodule>>>>"
        );
        assert_eq!(shape("IF a\n b\nEND IF"), "S<I<E<T<IF>C<S<I<a>>S<I<b>>>T<ENDIF>>>>");
        assert_eq!(shape("P is begin a end P"), "S<I<PisE<T<begin>C<S<I<a>>>T<end>>P>>");
        let mixed = shape("begin a end\nelse begin b end else c");
        assert_eq!(mixed.matches("E<T<begin>").count(), 2, "{mixed}");
    }

    #[test]
    fn keywords_without_balance_are_words_and_no_errors() {
        for text in
            ["end begin", "point a endpoint b endpoint", "do a do b do c end do", "end", "(begin) end"]
        {
            let file = Parsed::new(&TEXT, text.as_bytes().to_vec());
            assert_eq!(file.syntax().errors, 0, "{text}");
            assert!(!shape(text).contains('E'), "{text}");
        }
    }

    #[test]
    fn marks_begin_comments_where_most_languages_let_them() {
        assert_eq!(shape("a /* b\n c */ d"), "S<I<aK</*bc*/>d>>");
        assert_eq!(shape("a // b\n# c\nd -- e"), "S<I<aK<//b>>>S<I<K<#c>>>S<I<dK<--e>>>");
        assert_eq!(shape("  # a\n"), "S<I<K<#a>>>");
    }

    #[test]
    fn marks_that_may_mean_something_else_begin_no_comments() {
        for text in ["a/*b", "http://a", "#include <a>", "a # b", "--- a", "@(*) a @(*)", "(a // ) b\n"] {
            assert!(!shape(text).contains('K'), "{text}");
        }
    }

    #[test]
    fn a_hundred_thousand_marks_and_keywords_are_no_errors() {
        let per_word = [
            ("/* ", 0),
            ("( // ", 100_000),
            ("begin ", 0),
            ("begin /* ) */ end ", 100_000),
            ("if end if ", 0),
        ];
        for (word, errors) in per_word {
            let file = Parsed::new(&TEXT, word.repeat(100_000).into_bytes());
            assert_eq!(file.syntax().errors, errors, "{word}");
        }
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
