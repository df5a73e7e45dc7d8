//! Text: lines, indentation, balanced brackets, lists and words, for all files without a grammar.
//!
//! A *section* is a line with the deeper indented lines below it; *brackets* are a pair of brackets with its
//! contents; an *element* is a pair of tags with its contents, and an *attribute* is what blanks separate in a tag;
//! *items* are separated by commas and semicolons; all other tokens are words. Keywords around a block, such as `begin` and
//! `end`, are a pair of tags; others divide what is between them into *parts* with *heads* (`if a then b else c end`). Lines
//! that belong together are a *group*.

mod comments;
mod groups;
mod keywords;
mod lines;
mod openers;
mod tags;

use crate::edit::{Edit, edited};
use crate::layout::Layout;
use crate::lexer::{Token, tokens};
use crate::lexis::Lexis;
use crate::role::Role;
use crate::tree::{Flags, Kind, NodeData, NodeId, TreeBuilder};
use crate::{Fit, Language, Parsed, Syntax};
use comments::comments;
use groups::{Groups, groups};
use keywords::keywords;
use lines::Lines;
use openers::Opener;
use std::collections::HashMap;
use tags::{Divider, Sort, Tags};

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
    "head",
    "part",
    "group",
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
const HEAD: Kind = Kind(12);
const PART: Kind = Kind(13);
const GROUP: Kind = Kind(14);

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
    Section {
        column: usize,
    },
    Item,
    Element,
    Content,
    /// The token behind it is the last of `Builder::heads`.
    Head,
    Part,
    Group {
        /// The token behind it.
        end: usize,
    },
}

struct Builder<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    partners: &'a [Option<u32>],
    tags: &'a Tags,
    /// For each token that begins a comment: the first token behind it.
    comments: &'a HashMap<usize, usize>,
    groups: &'a Groups,
    lines: Lines,
    tree: TreeBuilder,
    open: Vec<Frame>,
    /// The tokens behind the heads that are open.
    heads: Vec<usize>,
    /// The token that is being read.
    at: usize,
    /// Whether it is in the middle of an item.
    is_headed: bool,
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
        if let Some(Frame::Head) = self.open.pop() {
            self.heads.pop();
        }
        self.tree.close(Some(self.end));
    }

    fn close_if(&mut self, is: impl Fn(&Frame) -> bool) {
        if self.open.last().is_some_and(is) {
            self.close();
        }
    }

    fn close_item(&mut self) {
        if matches!(self.open.last(), Some(Frame::Item)) {
            self.close();
        }
    }

    /// Closes the sections of this bracket level that do not contain a line at `column`.
    fn close_sections(&mut self, column: usize) {
        self.close_item();
        let is_over = |frame: &Frame, at: usize| match frame {
            Frame::Section { column: c } => *c >= column,
            Frame::Group { end } => *end <= at,
            _ => false,
        };
        while self.open.last().is_some_and(|frame| is_over(frame, self.at)) {
            self.close();
        }
    }

    /// Reads a token, or the tag that begins with it; returns the next token.
    fn read(&mut self, at: usize) -> usize {
        self.at = at;
        if self.heads.last().is_some_and(|&end| end <= at) {
            self.close_sections(0);
            self.close_if(|frame| matches!(frame, Frame::Head));
            self.content(at);
        }
        let token = self.tokens[at];
        if let Some(&end) = self.comments.get(&at) {
            return self.comment(at..end);
        }
        let tag = self.tags.begins.get(&at).copied();
        if let Some((end, Sort::Closes)) = tag {
            self.close_content();
            self.close_if(|frame| matches!(frame, Frame::Part));
            self.tag(at..end);
            self.close();
            return end;
        }
        if let Some((end, Sort::Divides(divider))) = tag {
            self.close_content();
            if divider != Divider::Body {
                self.close_if(|frame| matches!(frame, Frame::Part));
                self.open(PART, &token, Frame::Part);
            }
            self.tag(at..end);
            self.begin_content(end, (divider == Divider::HeadedPart).then_some(Opener::Condition));
            return end;
        }
        let partner = self.partners[at].map(|partner| partner as usize > at);
        if partner == Some(false) {
            self.close_sections(0);
            self.leaf(BRACKET, &token);
            self.close();
            if self.ends_item(at) {
                self.close_item();
            }
            return at + 1;
        }
        self.begin(&token, tag.is_some());
        if let Some((end, sort)) = tag {
            let element = self.node(ELEMENT, token.start, token.end, true);
            self.tree.role(element, Role::Statement);
            self.open.push(Frame::Element);
            self.tag(at..end);
            if sort == Sort::Single {
                self.close();
            } else {
                self.begin_content(end, self.tags.openers.get(&at).copied());
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
            if self.text[token.start as usize] == b'{' && self.is_headed {
                self.tree.role(brackets, Role::Body);
            }
            self.open.push(Frame::Brackets);
            self.leaf(BRACKET, &token);
        } else {
            self.leaf(WORD, &token);
        }
        at + 1
    }

    /// Whether a bracket ends an item: a block does, if a word follows, as in `f() { } g() { }`.
    fn ends_item(&self, at: usize) -> bool {
        let first = |token: &Token| self.text[token.start as usize];
        let next = self.tokens.get(at + 1).is_some_and(|next| first(next).is_ascii_alphabetic());
        first(&self.tokens[at]) == b'}' && next
    }

    /// Closes what is between the last tag of an element and the next one.
    fn close_content(&mut self) {
        self.close_sections(0);
        self.close_if(|frame| matches!(frame, Frame::Head | Frame::Content));
    }

    /// Begins what stands behind the tag of an element, if anything: a head for one that has one, or the content.
    fn begin_content(&mut self, at: usize, opener: Option<Opener>) {
        let end = opener.map_or(at, |opener| self.head(at, opener));
        if end > at {
            self.node(HEAD, self.tokens[at].start, self.tokens[at].end, true);
            self.open.push(Frame::Head);
            self.heads.push(end);
        } else {
            self.content(at);
        }
    }

    fn content(&mut self, at: usize) {
        let next = self.tags.begins.get(&at).map(|&(_, sort)| sort);
        if let Some(token) =
            self.tokens.get(at).filter(|_| !matches!(next, Some(Sort::Closes | Sort::Divides(_))))
        {
            let content = self.node(CONTENT, token.start, token.end, true);
            self.tree.role(content, Role::Body);
            self.open.push(Frame::Content);
        }
    }

    /// The token behind the head that begins here: what begins the body, such as `then`, or the next line, or what
    /// follows the parameters of a function on the same line. Linear in the tokens up to the next tag.
    fn head(&self, first: usize, opener: Opener) -> usize {
        let (mut line, mut parameters) = (None, None);
        let mut at = first;
        while at < self.tokens.len() && opener != Opener::Plain {
            if let Some(&(_, sort)) = self.tags.begins.get(&at) {
                if sort == Sort::Divides(Divider::Body) {
                    return at;
                }
                break;
            }
            let start = self.tokens[at].start as usize;
            if line.is_none() && self.text[self.tokens[at - 1].end as usize..start].contains(&b'\n') {
                line = Some(at);
            }
            at = match self.partners[at] {
                Some(partner) if (partner as usize) < at => break,
                Some(partner) => partner as usize + 1,
                None => at + 1,
            };
            if opener == Opener::Function && self.text[start] == b'(' {
                parameters = parameters.or(Some(at));
            }
        }
        line.or(parameters).unwrap_or(first)
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
        let column = if new_line { self.lines.column(self.text, start) } else { None };
        if let Some(column) = column {
            self.close_sections(column);
            for &end in self.groups.get(&self.at).into_iter().flatten() {
                let group = self.node(GROUP, token.start, token.end, true);
                self.tree.role(group, Role::Statement);
                self.open.push(Frame::Group { end });
            }
            self.section(token, column, is_tag);
        } else if !matches!(self.open.last(), Some(Frame::Section { .. } | Frame::Item)) {
            self.section(token, usize::MAX, is_tag);
        }
        self.is_headed = matches!(self.open.last(), Some(Frame::Item));
        if !self.is_headed && !is_separator(self.text, token) {
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
            ("cells.rst", include_str!("samples/cells.rst")),
            ("parts.xml", include_str!("samples/parts.xml")),
            ("counter.v", include_str!("samples/counter.v")),
        ]
    }

    fn parse(&self, text: &[u8]) -> Syntax {
        let tokens: Vec<Token> = tokens(text, &LEXIS).collect();
        let (partners, unmatched) = matching_brackets(text, &tokens);
        let lines = Lines::of(text);
        // Comments must not cross tags, but the words in them must not take part in tags either.
        let marked = comments(text, &tokens, &partners, &Tags::default(), lines);
        let tags = Tags::of(text, &tokens, &partners, &keywords(text, &tokens, &partners, &marked));
        let comments = comments(text, &tokens, &partners, &tags, lines);
        let groups = groups(text, &tokens, &partners, &tags, &comments, lines);
        let tree = TreeBuilder::new(KINDS, text.len() / 4);
        let mut builder = Builder {
            text,
            tokens: &tokens,
            partners: &partners,
            tags: &tags,
            comments: &comments,
            groups: &groups,
            lines,
            tree,
            open: Vec::new(),
            heads: Vec::new(),
            at: 0,
            is_headed: false,
            end: 0,
        };
        let root = builder.node(ROOT, 0, text.len() as u32, true);
        builder.tree.role(root, Role::Block);
        let mut at = 0;
        while at < tokens.len() {
            at = builder.read(at);
        }
        builder.at = at;
        while !builder.open.is_empty() {
            builder.close();
        }
        Syntax {
            tree: builder.tree.finish(),
            errors: unmatched + unmatched_tags(text, &tokens, &partners),
            state: Box::new(()),
        }
    }

    fn reparse(&self, base: &Parsed, edits: &[Edit]) -> usize {
        let text = edited(&base.text, edits);
        let tokens: Vec<Token> = tokens(&text, &LEXIS).collect();
        let (partners, unmatched) = matching_brackets(&text, &tokens);
        unmatched + unmatched_tags(&text, &tokens, &partners)
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
                    "head" => 'H',
                    "part" => 'P',
                    "group" => 'G',
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
    fn a_tab_goes_to_the_next_column_that_eight_divides() {
        assert_eq!(shape("a\n    b\n\tc\n  \td\n    e\n"), "S<I<a>S<I<b>S<I<c>>S<I<d>>>S<I<e>>>");
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
        assert_eq!(shape("IF a\n b\nEND IF"), "S<I<E<T<IF>H<S<I<a>>>C<S<I<b>>>T<ENDIF>>>>");
        assert_eq!(shape("P is begin a end P"), "S<I<PisE<T<begin>C<S<I<a>>>T<end>>P>>");
        let mixed = shape("begin a end\nelse begin b end else c");
        assert_eq!(mixed.matches("E<T<begin>").count(), 2, "{mixed}");
    }

    #[test]
    fn what_a_bare_end_closes_is_learned_from_the_text() {
        let lua = "function f(a)\n  for x in a do b() end\n  return function() c() end\nend\nif not d then f() else g() end\n";
        assert_eq!(
            shape(lua),
            "S<I<E<T<function>H<S<I<fB<(S<I<a>>)>>>>C<S<I<E<T<for>H<S<I<xina>>>T<do>C<S<I<bB<()>>>>T<end>>>>S<I<return\
             E<T<function>H<S<I<B<()>>>>C<S<I<cB<()>>>>T<end>>>>>T<end>>>>S<I<E<T<if>H<S<I<notd>>>T<then>C<S<I<fB<()>>>>\
             P<T<else>C<S<I<gB<()>>>>>T<end>>>>"
        );
        let ruby = "def f\n  return 1 if a\n  b.each do |c|\n    d\n  end\nend\n";
        assert_eq!(shape(ruby).matches("E<").count(), 2, "{}", shape(ruby));
        let pascal = "type r = record a: t end;\nif a then begin b end else c;\ncase d of 1: begin e end; else f end;\n";
        assert_eq!(shape(pascal).matches("E<").count(), 4, "{}", shape(pascal));
        assert!(shape(pascal).contains("E<T<case>H<S<I<d>>>T<of>C<S<I<1:E<T<begin>"), "{}", shape(pascal));
        let julia = "while a[end] > 1\n  b\nend\ntry\n  c\ncatch e\n  d\nend\n";
        assert!(
            shape(julia).contains("E<T<try>C<S<I<c>>>P<T<catch>H<S<I<e>>>C<S<I<d>>>>T<end>>"),
            "{}",
            shape(julia)
        );
    }

    #[test]
    fn lines_that_belong_together_are_a_group() {
        assert_eq!(shape("if (a)\n{\n  b;\n}\nelse\n{\n}\nc\n").matches("G<").count(), 1);
        assert_eq!(shape("f(a)\n{\n  b;\n}\nc\n"), "G<S<I<fB<(S<I<a>>)>>>S<I<B<{S<I<b>;>}>>>>S<I<c>>");
        assert_eq!(shape("procedure p;\nbegin\nend;\na\n").matches("G<").count(), 1);
        assert_eq!(shape("a\nb\n\nc\nd\n"), "G<S<I<a>>S<I<b>>>G<S<I<c>>S<I<d>>>");
        assert_eq!(shape("{\na\nb\n}\n").matches("G<").count(), 0, "nothing divides them");
    }

    #[test]
    fn the_first_columns_of_fixed_form_are_no_indentation() {
        let fixed = "      a = b\n     *  + c\nc about (\n      do 1 i\n        e\n  1   continue\n      f\n";
        assert_eq!(shape(fixed), "S<I<a=b*+c>>S<I<K<cabout(>>>S<I<do1i>S<I<e>>>S<I<1continue>>S<I<f>>");
        assert_eq!(shape("cat\n      a\n     b\n").matches("S<").count(), 3, "no fixed form");
    }

    #[test]
    fn keywords_without_balance_are_words_and_no_errors() {
        for text in [
            "end begin",
            "point a endpoint b endpoint",
            "task a task b task c end task",
            "end",
            "(begin) end",
        ] {
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
            ("if a then ", 0),
            ("function f(a) b end ", 0),
            ("if a\n\n{", 100_000),
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
