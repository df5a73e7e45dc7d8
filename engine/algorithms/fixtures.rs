//! Two small languages with the trees of the published examples.

use lopper_languages::edit::{Edit, edited};
use lopper_languages::layout::Layout;
use lopper_languages::lexis::Lexis;
use lopper_languages::tree::{Flags, Kind, NodeData, NodeId, Tree, TreeBuilder};
use lopper_languages::{Fit, Language, Parsed, Syntax};
use std::ops::Range;

/// The properties in which these languages differ.
pub(super) trait Frame: std::fmt::Debug + Send + Sync {
    fn name(&self) -> &'static str;

    /// The tree of a text, and the number of its errors.
    fn tree(&self, text: &[u8]) -> (Tree, usize);

    /// How well a node fits into the place of another one, by their kinds.
    fn fit(slot: Kind, node: Kind) -> Fit;
}

/// The common properties: no comments, no blanks, no constants.
#[derive(Debug)]
pub(super) struct Fixture<F>(F);

impl<F: Frame> Language for Fixture<F> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn lexis(&self) -> &'static Lexis {
        &Lexis::DEFAULT
    }

    fn layout(&self) -> Layout {
        Layout::Free
    }

    fn constants(&self) -> &'static [&'static str] {
        &[]
    }

    fn samples(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn parse(&self, text: &[u8]) -> Syntax {
        let (tree, errors) = self.0.tree(text);
        Syntax { tree, errors, state: Box::new(()) }
    }

    fn reparse(&self, base: &Parsed, edits: &[Edit]) -> usize {
        self.0.tree(&edited(&base.text, edits)).1
    }

    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit {
        F::fit(base.tree().kind(slot), base.tree().kind(node))
    }
}

/// Expressions without blanks: sums of products of signed, bracketed or decimal numbers. Each is a chain of
/// nodes from `expr` down to `digit`, and operators associate to the right.
#[derive(Debug)]
pub(super) struct Expressions {
    name: &'static str,
    /// Whether every node is optional.
    optional: bool,
    /// Whether every nonterminal has the fragment `0`.
    fragments: bool,
}

pub(super) static STRICT: Fixture<Expressions> =
    Fixture(Expressions { name: "strict", optional: false, fragments: false });
pub(super) static DELETABLE: Fixture<Expressions> =
    Fixture(Expressions { name: "deletable", optional: true, fragments: false });
pub(super) static FILLED: Fixture<Expressions> =
    Fixture(Expressions { name: "filled", optional: false, fragments: true });

const KINDS: &[&str] = &["start", "expr", "term", "factor", "integer", "digit", "terminal"];
const EXPR: usize = 1;
const TERM: usize = 2;
const FACTOR: usize = 3;
const INTEGER: usize = 4;
const DIGIT: usize = 5;
const TERMINAL: usize = 6;

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    language: &'a Expressions,
    tree: TreeBuilder,
}

impl Reader<'_> {
    fn node(&mut self, kind: usize, inside: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let named = if kind == TERMINAL { Flags::default() } else { Flags::NAMED };
        let flags = if self.language.optional { named.with(Flags::OPTIONAL) } else { named };
        let (at, kind) = (self.at as u32, Kind(kind as u16));
        let node = NodeData { start: at, end: at, kind, grammar_kind: kind.0, parse_state: u16::MAX, flags };
        let id = self.tree.open(node);
        if self.language.fragments && named == Flags::NAMED {
            self.tree.filler(id, "0");
        }
        inside(self)?;
        self.tree.close(Some(self.at as u32));
        Some(())
    }

    fn comes(&self, chars: &[u8]) -> bool {
        self.text.get(self.at).is_some_and(|c| chars.contains(c))
    }

    fn terminal(&mut self, chars: &[u8]) -> Option<()> {
        if !self.comes(chars) {
            return None;
        }
        self.node(TERMINAL, |r| {
            r.at += 1;
            Some(())
        })
    }

    /// One `part`, or several with operators between them.
    fn chain(&mut self, kind: usize, operators: &[u8], part: fn(&mut Self) -> Option<()>) -> Option<()> {
        self.node(kind, |r| {
            part(r)?;
            if r.comes(operators) {
                r.terminal(operators)?;
                r.chain(kind, operators, part)?;
            }
            Some(())
        })
    }

    fn expr(&mut self) -> Option<()> {
        self.chain(EXPR, b"+-", |r| r.chain(TERM, b"*/", Self::factor))
    }

    fn factor(&mut self) -> Option<()> {
        self.node(FACTOR, |r| {
            if r.comes(b"+-") {
                r.terminal(b"+-")?;
                return r.factor();
            }
            if r.comes(b"(") {
                r.terminal(b"(")?;
                r.expr()?;
                return r.terminal(b")");
            }
            r.integer()?;
            if r.comes(b".") {
                r.terminal(b".")?;
                r.integer()?;
            }
            Some(())
        })
    }

    fn integer(&mut self) -> Option<()> {
        self.node(INTEGER, |r| {
            r.node(DIGIT, |r| r.terminal(b"0123456789"))?;
            if r.comes(b"0123456789") { r.integer() } else { Some(()) }
        })
    }
}

impl Frame for Expressions {
    fn name(&self) -> &'static str {
        self.name
    }

    fn tree(&self, text: &[u8]) -> (Tree, usize) {
        let tree = TreeBuilder::new(KINDS, text.len());
        let mut reader = Reader { text, at: 0, language: self, tree };
        let whole = reader.node(0, Reader::expr).filter(|()| reader.at == text.len());
        (reader.tree.finish(), usize::from(whole.is_none()))
    }

    fn fit(slot: Kind, node: Kind) -> Fit {
        match slot.cmp(&node) {
            std::cmp::Ordering::Equal => Fit::SameKind,
            std::cmp::Ordering::Less => Fit::Related,
            std::cmp::Ordering::Greater => Fit::Unlikely,
        }
    }
}

/// Text, a tag, or text between two tags. Names and texts are lists of characters; names are left-recursive,
/// texts right-recursive. Only a text is optional.
#[derive(Debug)]
pub(super) struct Markup;

pub(super) static MARKUP: Fixture<Markup> = Fixture(Markup);

const MARKUP_KINDS: &[&str] = &["html", "tagged", "opening", "closing", "id", "text", "char"];
const HTML: usize = 0;
const TAGGED: usize = 1;
const OPENING: usize = 2;
const CLOSING: usize = 3;
const ID: usize = 4;
const TEXT: usize = 5;
const CHAR: usize = 6;

/// Builds the tree of a text from ranges of bytes.
struct Writer {
    tree: TreeBuilder,
}

impl Writer {
    fn node(&mut self, kind: usize, range: Range<usize>, inside: impl FnOnce(&mut Self)) {
        let named = if kind == CHAR { Flags::default() } else { Flags::NAMED };
        let flags = if kind == TEXT { named.with(Flags::OPTIONAL) } else { named };
        let (start, end, kind) = (range.start as u32, range.end as u32, Kind(kind as u16));
        let data = NodeData { start, end, kind, grammar_kind: kind.0, parse_state: u16::MAX, flags };
        self.tree.open(data);
        inside(self);
        self.tree.close(None);
    }

    fn chars(&mut self, range: Range<usize>) {
        for i in range {
            self.node(CHAR, i..i + 1, |_| ());
        }
    }

    fn id(&mut self, range: Range<usize>) {
        self.node(ID, range.clone(), |w| {
            if range.len() > 1 {
                w.id(range.start..range.end - 1);
            }
            w.chars(range.end - 1..range.end);
        });
    }

    fn text(&mut self, range: Range<usize>) {
        self.node(TEXT, range.clone(), |w| {
            if !range.is_empty() {
                w.chars(range.start..range.start + 1);
                w.text(range.start + 1..range.end);
            }
        });
    }

    /// A tag whose name begins `name` bytes after the tag.
    fn tag(&mut self, kind: usize, range: Range<usize>, name: usize) {
        self.node(kind, range.clone(), |w| {
            w.chars(range.start..range.start + name);
            w.id(range.start + name..range.end - 1);
            w.chars(range.end - 1..range.end);
        });
    }
}

/// The end of the opening tag and the start of the closing one; `None` without tags.
fn tags(text: &str) -> Option<(usize, usize)> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
    let is_text = |text: &str| !text.contains(['<', '>']);
    if is_text(text) {
        return Some((0, text.len()));
    }
    let (opening, rest) = text.strip_prefix('<')?.split_once('>')?;
    let (inside, closing) = match rest.rsplit_once("</") {
        Some((inside, closing)) => (inside, closing.strip_suffix('>')?),
        None => (rest, "x"),
    };
    let whole = is_name(opening) && is_name(closing) && is_text(inside);
    whole.then_some((opening.len() + 2, opening.len() + 2 + inside.len()))
}

impl Frame for Markup {
    fn name(&self) -> &'static str {
        "markup"
    }

    fn tree(&self, text: &[u8]) -> (Tree, usize) {
        let mut writer = Writer { tree: TreeBuilder::new(MARKUP_KINDS, text.len()) };
        let found = std::str::from_utf8(text).ok().and_then(tags);
        if let Some((start, end)) = found {
            let length = text.len();
            writer.node(HTML, 0..length, |w| {
                if start == 0 {
                    return w.text(0..length);
                }
                w.node(TAGGED, 0..length, |w| {
                    w.tag(OPENING, 0..start, 1);
                    if end < length {
                        w.node(HTML, start..end, |w| w.text(start..end));
                        w.tag(CLOSING, end..length, 2);
                    }
                });
            });
        }
        (writer.tree.finish(), usize::from(found.is_none()))
    }

    fn fit(slot: Kind, node: Kind) -> Fit {
        if slot == node { Fit::SameKind } else { Fit::Unlikely }
    }
}
