//! The usual layout of a program: where lines end, how far they are indented, and where blanks stand.

use crate::{Base, Blank, File};
use lopper_languages::edit::FileId;
use lopper_languages::layout::{self, Layout};
use lopper_languages::lexer::{Token, TokenKind};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

/// A text in the usual layout has at most so many bytes, and so many for each byte of the file.
const LONGEST: (usize, usize) = (4096, 4);

/// The text of a file in the usual layout of its language: a line for each statement, indentation by depth, blanks around
/// operators. `None` if Lopper does not lay out this language, or the text would have other tokens or, since statements are
/// nested deeply, become very long. O(nodes + tokens + bytes).
pub fn laid_out(base: &Base, id: FileId) -> Option<Vec<u8>> {
    let file = File { id, parsed: base.file(id) };
    if !file.language().lexis().is_laid_out || !file.parsed.is_regular() {
        return None;
    }
    let spacing = Spacing::of(file);
    let longest = LONGEST.0 + LONGEST.1 * file.text().len();
    let mut text = Vec::with_capacity(file.text().len());
    let mut copied = spacing.before_first_token().map_or(0, |blanks| blanks.end);
    for i in 0..spacing.gaps() {
        let Some(gap) = spacing.gap(i) else { continue };
        if let Some(blank) = spacing.canonical(i) {
            text.extend_from_slice(&file.text()[copied..gap.start]);
            text.extend(blank.text());
            copied = gap.end;
        }
        if text.len() > longest {
            return None;
        }
    }
    text.extend_from_slice(file.text()[copied..].trim_ascii_end());
    text.push(b'\n');
    let after = file.parsed.with_text(text.clone());
    let words = after.tokens().iter().map(|token| &text[token.range()]);
    words.eq(file.tokens().iter().map(|token| &file.text()[token.range()])).then_some(text)
}

/// The roles of what stands between `<` and `>`, in one language or another.
const TYPE_LISTS: &[Role] = &[Role::TypeParameters, Role::TypeArguments, Role::Parameters, Role::Arguments];

/// The layout of a file.
pub(crate) struct Spacing<'a> {
    file: File<'a>,
    /// The owner of every token; `None` for tokens behind the last leaf.
    owners: Vec<Option<Owner>>,
    /// For every token: whether the blanks before it stand within brackets.
    enclosed: Vec<bool>,
    has_tabs: bool,
}

impl<'a> Spacing<'a> {
    /// O(nodes + tokens).
    pub(crate) fn of(file: File<'a>) -> Self {
        let mut open = 0usize;
        let is_enclosed = |token: &Token| {
            let before = open;
            match &file.text()[token.range()] {
                b"(" | b"[" | b"{" => open += 1,
                b")" | b"]" | b"}" => open = open.saturating_sub(1),
                _ => {}
            }
            before > 0
        };
        let enclosed = file.tokens().iter().map(is_enclosed).collect();
        Self { owners: owners(file), enclosed, has_tabs: has_tabs(file), file }
    }

    /// The blanks before the first token, if there are any and nothing else stands there.
    pub(crate) fn before_first_token(&self) -> Option<Range<usize>> {
        let before = 0..self.file.tokens().first()?.start as usize;
        let is_blank = self.file.text()[before.clone()].iter().all(u8::is_ascii_whitespace);
        (self.owners[0].is_some() && is_blank && !before.is_empty()).then_some(before)
    }

    /// The number of gaps between tokens.
    pub(crate) fn gaps(&self) -> usize {
        self.file.tokens().len().saturating_sub(1)
    }

    /// The bytes between token `i` and the next one; `None` if there is a comment or a continued line between them.
    pub(crate) fn gap(&self, i: usize) -> Option<Range<usize>> {
        let gap = self.file.tokens()[i].end as usize..self.file.tokens()[i + 1].start as usize;
        let text = &self.file.text()[gap.clone()];
        (text.iter().all(u8::is_ascii_whitespace) || self.is_continued(&gap)).then_some(gap)
    }

    /// Whether only blanks and line ends behind backslashes, which do not end the statement there, stand in a gap.
    fn is_continued(&self, gap: &Range<usize>) -> bool {
        let text = &self.file.text()[gap.clone()];
        let continues = |at: usize| matches!(text[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..]);
        let is_blank = |(at, c): (usize, &u8)| c.is_ascii_whitespace() || *c == b'\\' && continues(at);
        self.is_indented() && text.contains(&b'\\') && text.iter().enumerate().all(is_blank)
    }

    /// The shortest usual blanks behind token `i`, where there are blanks.
    pub(crate) fn shortest(&self, i: usize) -> Option<Blank> {
        let gap = self.gap(i).filter(|gap| !gap.is_empty())?;
        let (left, right) = (self.owners[i]?, self.owners[i + 1]?);
        let begins = self.file.range(right.statement).start == gap.end;
        let ends_line = !self.is_continued(&gap)
            && self.file.text()[gap].contains(&b'\n')
            && (begins || left.statement != right.statement || self.is_indented() && !self.enclosed[i + 1]);
        Some(match ends_line {
            true => self.line(right.depth),
            false if self.is_tight(i) => Blank::None,
            false => Blank::One,
        })
    }

    /// The usual blanks behind token `i`, whatever stands there now; `None` where the present ones may be just as usual.
    fn canonical(&self, i: usize) -> Option<Blank> {
        let right = self.owners[i].and(self.owners[i + 1])?;
        let gap = self.gap(i)?;
        let has_line_end = !self.is_continued(&gap) && self.file.text()[gap.clone()].contains(&b'\n');
        if self.file.language().lexis().is_of_lists {
            let begins = self.file.parent(right.statement) == Some(NodeId::ROOT)
                && self.file.range(right.statement).start == gap.end;
            let is_usual = has_line_end && !begins;
            let on_line = if self.is_tight(i) { Blank::None } else { Blank::One };
            return (!is_usual).then(|| if begins { self.line(0) } else { on_line });
        }
        if has_line_end && self.is_beside_directive(&gap) {
            return None;
        }
        if !self.is_indented() && self.begins_line(i) {
            return Some(self.line(right.depth));
        }
        match self.shortest(i) {
            Some(Blank::None | Blank::One) | None if self.is_spaced(i) => Some(Blank::One),
            blank => blank,
        }
    }

    fn line(&self, depth: usize) -> Blank {
        let times = |width: usize| u16::try_from(depth * width).unwrap_or(u16::MAX);
        match self.has_tabs {
            true => Blank::Tabs(times(1)),
            false => Blank::Line(times(usize::from(self.file.language().lexis().indentation))),
        }
    }

    /// Whether a line begins behind token `i`, in a language where line ends mean nothing.
    fn begins_line(&self, i: usize) -> bool {
        let (file, at) = (self.file, self.file.tokens()[i + 1].start as usize);
        let (Some(left), Some(right)) = (self.owners[i], self.owners[i + 1]) else { return false };
        let has_statements =
            |n: NodeId| file.has(n, Role::Block) && file.children(n).any(|n| file.has(n, Role::Statement));
        // The list of statements may be a node of its own between the braces.
        let encloses_statements = |leaf: NodeId| {
            file.parent(leaf).is_some_and(|n| has_statements(n) || file.children(n).any(has_statements))
        };
        if self.text(i) == b"{" && encloses_statements(left.leaf)
            || self.text(i + 1) == b"}" && encloses_statements(right.leaf)
        {
            return true;
        }
        let begins = |&node: &NodeId| file.range(node).start == at;
        let mut beginning = std::iter::once(right.leaf).chain(file.ancestors(right.leaf)).take_while(begins);
        let is_on_line = |node: NodeId| match file.parent(node) {
            Some(parent) if file.has(node, Role::Statement) && file.has(parent, Role::Block) => true,
            Some(parent) if file.has(node, Role::Returned) && has_statements(parent) => true,
            Some(parent) if follows_label(file, parent, node) => true,
            // What a template declares stands behind its parameters.
            Some(_) => {
                let is_behind_head =
                    file.has(node, Role::Block) || matches!(self.text(i + 1), b"{" | b"=>" | b"=");
                let is_body = file.has(node, Role::Body) && !is_behind_head;
                is_body && !goes_on(file, node) && self.text(i) != b">"
            }
            None => false,
        };
        // The `else` behind a statement without braces.
        let is_next_branch =
            self.text(i) != b"}" && self.is_keyword(i + 1) && left.statement != right.statement && {
                let starts = file.range(right.statement).start == at;
                !starts && file.is_within(left.statement, right.statement)
            };
        is_next_branch || beginning.any(is_on_line)
    }

    /// Whether token `i` is a sign that the tree does not know, such as the one behind the name of a macro in Rust.
    fn is_hidden(&self, i: usize) -> bool {
        let token = &self.file.tokens()[i];
        let is_before = |owner: Owner| token.end as usize <= self.file.range(owner.leaf).start;
        token.kind == TokenKind::Operator && self.owners[i].is_some_and(is_before)
    }

    /// Whether token `i` touches the next one on its line.
    fn is_tight(&self, i: usize) -> bool {
        if self.is_hidden(i) || self.is_hidden(i + 1) {
            return true;
        }
        let (left, right) = (self.text(i), self.text(i + 1));
        let lexis = self.file.language().lexis();
        if lexis.is_of_lists {
            let is_quote = || matches!(left, b"'" | b"`" | b"," | b",@");
            return matches!(left.last(), Some(b'(' | b'[')) || is_quote() || matches!(right, b")" | b"]");
        }
        let is_type_list = |at: usize| self.is_in(at, TYPE_LISTS) || self.is_in_angles(at);
        matches!(left.last(), Some(b'(' | b'[' | b'!' | b'~'))
            || matches!(right.first(), Some(b')' | b']' | b',' | b';' | b':'))
                && right != b":="
                && !self.is_binary(i + 1)
                && !self.is_spaced_colon(i + 1)
            || left == b"<" && right != b"::" && is_type_list(i)
            || right == b">" && left.last() != Some(&b'>') && is_type_list(i + 1)
            || self.opens_arguments(i)
            || (lexis.is_access(left) && self.is_binary(i))
            || (lexis.is_access(right) && self.is_binary(i + 1))
            || self.is_prefix(i)
            || self.is_suffix(i + 1)
            || self.is_indented() && (self.names_argument(i) || self.names_argument(i + 1))
    }

    /// Whether token `i` and the next one are usually written as one, and nothing but blanks stands between them: they close
    /// a list of types each, are the bars of a closure without parameters, or a number is the name of a field.
    pub(crate) fn are_one(&self, i: usize) -> bool {
        let closes = |at: usize| self.text(at) == b">" && self.is_in(at, TYPE_LISTS);
        let is_bar =
            |at: usize, first: bool| self.text(at) == b"|" && self.is_first_of_two(at) == Some(first);
        // The lexer takes the dot for a part of the number.
        let is_field =
            |text: &[u8]| matches!(text, [b'.', b'0'..=b'9', ..]) && text[1..].iter().all(u8::is_ascii_digit);
        let are = closes(i) && closes(i + 1)
            || is_bar(i, true) && is_bar(i + 1, false)
            || is_field(self.text(i)) && self.text(i + 1) == b".";
        are && self.gap(i).is_some()
    }

    /// Whether token `i` stands between the name of a parameter and its value.
    fn names_argument(&self, i: usize) -> bool {
        let parent = self.owners[i].and_then(|owner| self.file.parent(owner.leaf));
        let is_short = parent.is_some_and(|n| self.file.children(n).take(4).count() == 3);
        is_short && self.text(i) == b"=" && !self.is_binary(i)
    }

    /// Whether a blank surely stands behind token `i`, if a line does not end there.
    fn is_spaced(&self, i: usize) -> bool {
        let (left, right) = (self.text(i), self.text(i + 1));
        let is_operator = |at: usize| match self.text(at) {
            b"->" | b"=>" if !self.is_binary(at) => true,
            b"." | b"::" | b".." | b"..=" | b"..." => false,
            _ if self.is_hidden(at) => false,
            text => self.is_binary(at) && !self.file.language().lexis().is_access(text),
        };
        let is_letter = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
        let ends_word = left.last().is_some_and(is_letter);
        let goes_on = !matches!(right, b")" | b"]" | b"}" | b"," | b";" | b">");
        let has_body = || {
            let parent = self.owners[i].and_then(|owner| self.file.parent(owner.leaf));
            let is_body = |n: NodeId| self.file.has(n, Role::Body) || self.file.has(n, Role::Block);
            parent.is_some_and(|n| self.file.has(n, Role::Statement) || self.file.children(n).any(is_body))
        };
        is_operator(i)
            || is_operator(i + 1)
            || (self.is_spaced_colon(i) || self.is_spaced_colon(i + 1))
            || self.is_prefix(i + 1) && ends_word && !self.is_hidden(i + 1)
            || match (left, right) {
                (b",", _) => goes_on,
                (b";", _) => goes_on && !self.is_indented(),
                (b":", _) => goes_on && self.is_in(i, &[Role::Statement, Role::Function, Role::Variable]),
                (b"}", _) => {
                    self.is_keyword(i + 1)
                        || self.is_in(i, &[Role::Block]) && right.first().is_some_and(is_letter)
                }
                (b"<", _) => false,
                (_, b"{") => !self.is_indented() && self.is_in(i + 1, &[Role::Block]),
                (_, b"(") if self.is_keyword(i) && has_body() => true,
                (_, b"(" | b"[") if self.ends_declared_type(i) => true,
                (b")" | b"]" | b">", _) => right.first().is_some_and(is_letter) && self.ends_list(i),
                _ => false,
            }
    }

    /// Whether indentation marks the blocks.
    fn is_indented(&self) -> bool {
        self.file.language().layout() == Layout::Indented
    }

    /// Whether a name is followed by a bracket that belongs to it. What a macro stands for may begin with one, too, which must
    /// not come to the name of the macro.
    fn opens_arguments(&self, i: usize) -> bool {
        self.owners[i].is_some_and(|owner| {
            let next = self.file.next_sibling(owner.leaf);
            let begins_other =
                [Role::Value, Role::Type].iter().any(|&role| next.is_some_and(|n| self.file.has(n, role)));
            owner.named
                && !begins_other
                && !self.ends_declared_type(i)
                && matches!(self.text(i + 1).first(), Some(b'(' | b'['))
        })
    }

    /// Whether token `i` is the last one of a type that a declaration begins with.
    fn ends_declared_type(&self, i: usize) -> bool {
        let (file, end) = (self.file, self.file.tokens()[i].end as usize);
        let ends = |&node: &NodeId| file.range(node).end == end;
        let Some(owner) = self.owners[i] else { return false };
        let mut ending = std::iter::once(owner.leaf).chain(file.ancestors(owner.leaf)).take_while(ends);
        // Behind a keyword stands the name of a type that is being defined.
        let is_defined = |node| file.previous_sibling(node).is_some_and(|before| !file.is_named(before));
        ending.any(|node| {
            file.has(node, Role::Type)
                && !is_defined(node)
                && file.parent(node).is_some_and(|parent| file.has(parent, Role::Statement))
        })
    }

    /// Whether token `i` is an operator between two operands, or a part of the one that has three.
    fn is_binary(&self, i: usize) -> bool {
        let Some(owner) = self.owners[i] else { return false };
        let (file, leaf) = (self.file, owner.leaf);
        let Some(parent) = file.parent(leaf) else { return false };
        if self.file.tokens()[i].kind != TokenKind::Operator {
            return false;
        }
        let has = |roles: &[Role], node: NodeId| roles.iter().any(|&role| file.has(node, role));
        let children: Vec<NodeId> = file.children(parent).take(6).collect();
        let has_value = || {
            has(&[Role::Expression, Role::Variable, Role::Access], parent)
                || children.iter().any(|&n| has(&[Role::Target, Role::Value], n))
        };
        match children[..] {
            [_, operator, _] if operator == leaf => self.text(i) != b":" && has_value(),
            [_, question, _, colon, _] if file.node_text(question) == b"?" => {
                (question == leaf || colon == leaf) && has_value()
            }
            [first, ..] => {
                let is_behind = file.has(parent, Role::Variable) && first != leaf;
                let goes_on = file.next_sibling(leaf).is_some();
                self.text(i) == b"=" && (is_behind || goes_on && !self.is_indented())
            }
            [] => false,
        }
    }

    /// Whether token `i` is a colon with blanks on both sides, as before the base of a class.
    fn is_spaced_colon(&self, i: usize) -> bool {
        if self.text(i) != b":" || !self.file.language().lexis().has_spaced_colons {
            return false;
        }
        let is_last = |leaf: NodeId| self.file.next_sibling(leaf).is_none();
        let is_label = |i: usize| i + 1 == self.owners.len() || self.begins_line(i);
        self.owners[i].is_some_and(|owner| !is_last(owner.leaf)) && !is_label(i)
    }

    /// Whether token `i` is a bracket that closes a list, rather than a part of something longer such as a cast.
    fn ends_list(&self, i: usize) -> bool {
        let Some(leaf) = self.owners[i].map(|owner| owner.leaf) else { return false };
        !self.is_binary(i) && leaf != NodeId::ROOT && self.file.next_sibling(leaf).is_none()
    }

    /// Whether token `i` is directly part of a node with one of the roles.
    fn is_in(&self, i: usize, roles: &[Role]) -> bool {
        let parent = self.owners[i].and_then(|owner| self.file.parent(owner.leaf));
        parent.is_some_and(|n| roles.iter().any(|&role| self.file.has(n, role)))
    }

    /// Whether token `i` is directly part of a node that begins with `<` and ends with `>`.
    fn is_in_angles(&self, i: usize) -> bool {
        let (file, parent) = (self.file, self.owners[i].and_then(|owner| self.file.parent(owner.leaf)));
        let is = |node: Option<NodeId>, sign: &[u8]| node.is_some_and(|n| file.node_text(n) == sign);
        parent.is_some_and(|n| is(file.children(n).next(), b"<") && is(file.children(n).last(), b">"))
    }

    /// Whether token `i` is an operator before its only operand.
    fn is_prefix(&self, i: usize) -> bool {
        self.is_first_of_two(i) == Some(true)
            && matches!(self.text(i), b"-" | b"+" | b"*" | b"**" | b"&" | b"&&" | b"!" | b"~" | b"++" | b"--")
    }

    /// Whether token `i` is an operator behind its only operand.
    fn is_suffix(&self, i: usize) -> bool {
        self.is_first_of_two(i) == Some(false) && matches!(self.text(i), b"++" | b"--" | b"?" | b"!")
    }

    /// For one of two parts of a node: whether it is the first one.
    fn is_first_of_two(&self, i: usize) -> Option<bool> {
        let leaf = self.owners[i]?.leaf;
        let parts: Vec<NodeId> = self.file.children(self.file.parent(leaf)?).take(3).collect();
        match parts[..] {
            [first, second] => Some(first == leaf).filter(|&is_first| is_first || second == leaf),
            _ => None,
        }
    }

    fn is_keyword(&self, i: usize) -> bool {
        self.file.tokens()[i].kind == TokenKind::Word && self.owners[i].is_some_and(|owner| !owner.named)
    }

    /// Whether a line beside a gap is addressed to a preprocessor, which ends at its line end.
    fn is_beside_directive(&self, gap: &Range<usize>) -> bool {
        let Some(directives) = self.file.language().lexis().directives else { return false };
        let text = self.file.text();
        let begins = |at: usize| text[at..].trim_ascii_start().starts_with(directives.mark.as_bytes());
        begins(gap.end) || begins(layout::line_start(text, gap.start))
    }

    fn text(&self, i: usize) -> &'a [u8] {
        &self.file.text()[self.file.tokens()[i].range()]
    }
}

/// Whether more lines begin with a tab than with another blank.
fn has_tabs(file: File<'_>) -> bool {
    let beginning =
        |blank: u8| file.lines().filter(|l| file.text()[l.clone()].first() == Some(&blank)).count();
    beginning(b'\t') > beginning(b' ')
}

/// The place of a token in the tree, the statement that it belongs to, and its level of indentation.
#[derive(Clone, Copy)]
struct Owner {
    leaf: NodeId,
    statement: NodeId,
    depth: usize,
    /// Whether the token is neither a keyword nor punctuation.
    named: bool,
}

/// Whether a branch goes on with another condition on the same line, as in `else if`.
fn goes_on(file: File<'_>, branch: NodeId) -> bool {
    let same = |node: NodeId| {
        file.kind(node) == file.kind(branch) && file.range(node).start < file.range(branch).start
    };
    let is_behind_else = || file.previous_sibling(branch).is_some_and(|n| file.node_text(n) == b"else");
    !file.has(branch, Role::Block) && is_behind_else() && file.ancestors(branch).take(2).any(same)
}

/// Whether a node is a statement behind the label that its parent begins with, such as `case 1:`, in a language whose layout is
/// known.
fn follows_label(file: File<'_>, parent: NodeId, node: NodeId) -> bool {
    let language = file.language();
    if !language.lexis().is_laid_out
        || language.layout() == Layout::Indented
        || !file.has(parent, Role::Statement)
        || [Role::Block, Role::Body, Role::Expression, Role::Type].iter().any(|&role| file.has(node, role))
        || file.is_leaf(node)
    {
        return false;
    }
    let label = file.children(parent).take(3).find(|&n| file.node_text(n).ends_with(b":"));
    label.is_some_and(|label| file.range(label).end <= file.range(node).start)
}

/// Whether a node is a statement between brackets, such as a method of an interface, although its parent is no block. Only for
/// languages in which a line end may end a statement.
fn is_member(file: File<'_>, parent: NodeId, node: NodeId) -> bool {
    let is_open = || {
        let before = file.children(parent).take_while(|&n| n != node);
        let brackets = before.filter(|&n| matches!(file.node_text(n), b"{" | b"}" | b"(" | b")"));
        brackets.last().is_some_and(|n| matches!(file.node_text(n), b"{" | b"("))
    };
    // `case 1:` stands where its `switch` does.
    let is_label = |n: NodeId| file.children(n).any(|part| file.node_text(part) == b":");
    file.language().layout() == Layout::Lines
        && file.has(node, Role::Statement)
        && !file.has(parent, Role::Block)
        && !file.has(parent, Role::Body)
        && !is_label(node)
        && is_open()
}

/// Whether what is inside a node stands further to the right. The list of what stands between the braces of a body does not
/// do so once more, and neither does what a template is of.
fn indents(file: File<'_>, node: NodeId) -> bool {
    let is_list = || file.children(node).next().is_some_and(|first| file.is_named(first));
    let is_in_body =
        || file.parent(node).is_some_and(|n| file.has(n, Role::Body) && !file.has(n, Role::Block));
    let has_body = || file.children(node).any(|n| file.has(n, Role::Body));
    match (file.has(node, Role::Block), file.has(node, Role::Body)) {
        (true, false) => !(is_list() && is_in_body()),
        (is_block, is_body) => {
            is_body && !goes_on(file, node) && (is_block || file.has(node, Role::Statement) || !has_body())
        }
    }
}

/// The owner of every token; `None` for tokens behind the last leaf. O(nodes + tokens).
fn owners(file: File<'_>) -> Vec<Option<Owner>> {
    let within = |owner: Owner, node: NodeId| Owner {
        statement: if file.has(node, Role::Statement) { node } else { owner.statement },
        depth: owner.depth + usize::from(node != NodeId::ROOT && indents(file, node)),
        ..owner
    };
    // What holds for each node as a part of its parent.
    let root = Owner { leaf: NodeId::ROOT, statement: NodeId::ROOT, depth: 0, named: false };
    let mut of_node = vec![root; file.len()];
    for node in file.nodes() {
        if let Some(parent) = file.parent(node) {
            let mut owner = within(of_node[parent.0 as usize], parent);
            owner.depth += usize::from(follows_label(file, parent, node) || is_member(file, parent, node));
            of_node[node.0 as usize] = owner;
        }
    }
    let mut leaves = file.nodes().filter(|&n| file.is_leaf(n) && !file.range(n).is_empty()).peekable();
    let mut owners = vec![None; file.tokens().len()];
    for (token, owner) in file.tokens().iter().zip(&mut owners) {
        while leaves.next_if(|&leaf| file.range(leaf).end <= token.start as usize).is_some() {}
        let Some(&leaf) = leaves.peek() else { break };
        // The brackets of a block are indented one level less than its contents.
        let is_bracket = matches!(file.node_text(leaf), b"{" | b"}");
        let is_block = |&n: &NodeId| match file.has(n, Role::Block) {
            true => !file.is_named(leaf),
            false => file.has(n, Role::Body) && is_bracket,
        };
        let block = file.parent(leaf).filter(is_block);
        *owner =
            Some(Owner { leaf, named: file.is_named(leaf), ..of_node[block.unwrap_or(leaf).0 as usize] });
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::samples;

    fn in_layout(language: &str, text: &str) -> String {
        let text = laid_out(&Base::of_example(language, text), 0).unwrap_or_default();
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn statements_get_lines_and_operators_get_blanks() {
        let cases = [
            (
                "c",
                "struct{int a;}b;c(){switch(b.a){case 1:c();break;default:;}for(;;b . a ++)return;if(!b.a)c();else if(b.a){c();}else c();do c();while(1);\n  }",
                "struct {\n  int a;\n} b;\nc() {\n  switch (b.a) {\n    case 1:\n      c();\n      break;\n    default:\n      ;\n  }\n  for (;; b.a++)\n    return;\n  if (!b.a)\n    c();\n  else if (b.a) {\n    c();\n  } else\n    c();\n  do\n    c();\n  while (1);\n}\n",
            ),
            (
                "cpp",
                "template < typename > int a;template<int b = 0 >c d;",
                "template <typename> int a;\ntemplate<int b = 0> c d;\n",
            ),
            (
                "rust",
                "fn f() { let a:\n  Vec<u8> = vec ! [1]; g !(a); ! a }",
                "fn f() {\n    let a: Vec<u8> = vec![1];\n    g!(a);\n    !a\n}\n",
            ),
            (
                "go",
                "package p\nconst (\na = 1\n)\ntype b interface {\nf()\nc\n}\nfunc f(x  []int, c chan <- int) {\nselect {\n\t\tcase x [0],ok := <-c :\n}\nif ok  {\n_ = x [1 :]}}",
                "package p\nconst (\n\ta = 1\n)\ntype b interface {\n\tf()\n\tc\n}\nfunc f(x []int, c chan <- int) {\n\tselect {\n\tcase x[0], ok := <-c:\n\t}\n\tif ok {\n\t\t_ = x[1:]\n\t}\n}\n",
            ),
            (
                "c",
                "\n#define f( x ) x\n#define g (x)\n#if 1\n  int a=1,*b=&a;\n#endif\nlong c(int*a){return*a?-1:a [0] *2;}",
                "#define f(x) x\n#define g (x)\n#if 1\n  int a = 1, *b = &a;\n#endif\nlong c(int *a) {\n  return *a ? -1 : a[0] * 2;\n}\n",
            ),
            (
                "cpp",
                "template<class T>struct A{A&operator=(const A&);};auto f=[](int x)->int{try{x=A :: g(x);}catch(E e){}};",
                "template<class T> struct A {\n  A &operator=(const A&);\n};\nauto f = [](int x) -> int {\n  try {\n    x = A::g(x);\n  } catch (E e) {}\n};\n",
            ),
            (
                "python",
                "class A :\n  def f(self,*a,b = 1)->int :\n        if x:= - 1:return a\n        y=[1,\n  2\n  ];z:int=a . b\n  @g\n  def h( ):pass\n",
                "class A:\n    def f(self, *a, b=1) -> int:\n        if x := -1: return a\n        y = [1, 2];z: int = a.b\n    @g\n    def h(): pass\n",
            ),
            (
                "javascript",
                "function f(a){if(a){return a??1}const g=async x=>{await x};for(const i of a)g(i)}\nclass A extends B{h(){switch(a){case 1:g();break}}}",
                "function f(a) {\n  if (a) {\n    return a ?? 1\n  }\n  const g = async x => {\n    await x\n  };\n  for (const i of a)\n    g(i)\n}\nclass A extends B {\n  h() {\n    switch (a) {\n      case 1:\n        g();\n        break\n    }\n  }\n}\n",
            ),
            (
                "rust",
                "struct D(E<F>,G< {}>);impl A{fn f(&self)->u8{if self.a>0{g()?;}else{for i in 0..3{}} match a{1=>2}}}",
                "struct D(E<F>, G<{}>);\nimpl A {\n    fn f(&self) -> u8 {\n        if self.a > 0 {\n            g()?;\n        } else {\n            for i in 0..3 {}\n        }\n        match a{1 => 2}\n    }\n}\n",
            ),
            (
                "cpp",
                "template<class T>T k(T t){return t;}template <class ,int >class A:public B{A()const:a{1},b(2){}virtual int f()const=0;~A()=default;};auto[x,y]=(A<B<int> >)z;void g(){l:for(int x:y)return;switch(x){case 1:;}int(*h)(int[3])=(int)x?a:b;}",
                "template<class T> T k(T t) {\n  return t;\n}\ntemplate <class, int> class A : public B {\n  A() const : a{1}, b(2) {}\n  virtual int f() const = 0;\n  ~A() = default;\n};\nauto [x, y] = (A<B<int> >)z;\nvoid g() {\n  l:\n    for (int x : y)\n      return;\n  switch (x) {\n    case 1:\n      ;\n  }\n  int (*h)(int[3]) = (int)x ? a : b;\n}\n",
            ),
            (
                "smtlib",
                "(declare-fun a()(_ BitVec 8))\n\n(assert(not(= a\n  #x0f)))(check-sat  )",
                "(declare-fun a () (_ BitVec 8))\n(assert (not (= a\n  #x0f)))\n(check-sat)\n",
            ),
            (
                "wat",
                "(module(type $t(func))(;a;)(func(result i32)(i32.add(i32.const -1)\n  (local.get 0))))",
                "(module (type $t (func))(;a;)(func (result i32) (i32.add (i32.const -1)\n  (local.get 0))))\n",
            ),
            (
                "scheme",
                "(define(f a)(list 'a ' b`(,a ,@ c)))(let((b 1))(f b))",
                "(define (f a) (list 'a 'b `(,a ,@c)))\n(let ((b 1)) (f b))\n",
            ),
            (
                "java",
                "class T{int a=1;void f()throws E{switch(a){case 1:break;default:a=a>2?1:-a;}}}",
                "class T {\n    int a = 1;\n    void f() throws E {\n        switch (a) {\n            case 1:\n                break;\n            default:\n                a = a > 2 ? 1 : -a;\n        }\n    }\n}\n",
            ),
            (
                "csharp",
                "class A{static int F(int a)=>G(a);int B=>F(1);}",
                "class A {\n    static int F(int a) => G(a);\n    int B => F(1);\n}\n",
            ),
        ];
        let is_built = |language: &str| lopper_languages::named(language).is_some();
        for (language, before, after) in cases.into_iter().filter(|(language, ..)| is_built(language)) {
            assert_eq!(in_layout(language, before), after);
            assert_eq!(in_layout(language, after), after, "the usual layout stays as it is");
        }
    }

    #[test]
    fn statements_that_are_nested_deeply_keep_their_layout() {
        let nested = |depth: usize| format!("f(){{{};}}", "if(a)".repeat(depth));
        assert!(in_layout("c", &nested(20)).len() > nested(20).len());
        assert_eq!(in_layout("c", &nested(2000)), "");
    }

    #[test]
    fn every_sample_keeps_its_tokens_and_one_layout_is_the_last() {
        for (language, name, sample) in samples() {
            let base = Base::of_example(language, sample);
            if !base.files[0].language.lexis().is_laid_out {
                continue;
            }
            let once = in_layout(language, sample);
            assert!(!once.is_empty(), "{name} has other tokens in its usual layout");
            assert_eq!(in_layout(language, &once), once, "{name}");
        }
    }
}
