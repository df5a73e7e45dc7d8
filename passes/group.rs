//! Units, and groups of them: what a search keeps or drops, and how any choice becomes a candidate.

use crate::functions::arguments;
use crate::{Base, File, removal};
use lopper_languages::edit::{Candidate, Conflict, Edit, FileId};
use lopper_languages::layout;
use lopper_languages::lexer::tokens;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// What may stand in a node's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// This text.
    Text(Cow<'static, [u8]>),
    /// The text of this node, re-indented where that matters.
    Node(NodeId),
    /// What this block encloses, without its brackets.
    Inside(NodeId),
    /// What a function does in a call: its body or what it returns, with the call's arguments in the place
    /// of its parameters.
    Expansion {
        /// The body, or what is returned.
        what: NodeId,
        /// The function.
        function: NodeId,
        /// The call.
        call: NodeId,
    },
}

impl Source {
    /// This text.
    pub fn text(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text.as_bytes()))
    }

    /// This text, made for the occasion.
    pub fn made(text: impl Into<Vec<u8>>) -> Self {
        Self::Text(Cow::Owned(text.into()))
    }
}

impl From<&'static str> for Source {
    fn from(text: &'static str) -> Self {
        Self::text(text)
    }
}

impl From<Vec<u8>> for Source {
    fn from(text: Vec<u8>) -> Self {
        Self::made(text)
    }
}

impl From<NodeId> for Source {
    fn from(node: NodeId) -> Self {
        Self::Node(node)
    }
}

/// What may stand between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// Nothing.
    None,
    /// One blank.
    One,
    /// A line end, and so many blanks.
    Line(u16),
}

/// The smallest thing that a search decides about. Units are independent of each other: a group
/// turns any set of them into edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A node goes, with its separator or its line; a block that it empties gets its filler.
    Drop {
        /// The node's file.
        file: FileId,
        /// The node.
        node: NodeId,
    },
    /// Something else stands in a node's place.
    Replace {
        /// The node's file.
        file: FileId,
        /// The node that goes.
        node: NodeId,
        /// What comes.
        by: Source,
    },
    /// A byte range goes; in valid UTF-8 with all of the characters that it touches.
    Cut {
        /// The range's file.
        file: FileId,
        /// The bytes.
        range: Range<u32>,
    },
    /// Some of a few neighbouring tokens go.
    Tokens {
        /// The tokens' file.
        file: FileId,
        /// The index of the first of them.
        first: u32,
        /// Bit i is set if token `first + i` goes.
        mask: u16,
    },
    /// All of these are taken, or none.
    Together(Box<[Unit]>),
    /// The blanks between two tokens become other blanks.
    Blank {
        /// The blanks' file.
        file: FileId,
        /// Where they are.
        range: Range<u32>,
        /// What they become.
        by: Blank,
    },
    /// A pair of brackets goes; what is inside stays.
    Unwrap {
        /// The brackets' file.
        file: FileId,
        /// Where the opening bracket is: one byte.
        open: u32,
        /// Where the closing bracket is: one byte.
        close: u32,
    },
}

impl Unit {
    /// All of these units, or none.
    pub fn together(units: impl IntoIterator<Item = Unit>) -> Self {
        Self::Together(units.into_iter().collect())
    }

    /// About how many tokens go with the unit: what is at stake. O(log tokens), for each part.
    fn weight(&self, base: &Base) -> usize {
        let tokens = |file: FileId, range| base.file(file).tokens_in(range).len();
        let of_node = |file: FileId, node| tokens(file, base.file(file).tree().range(node));
        match self {
            Unit::Drop { file, node } => of_node(*file, *node),
            Unit::Cut { file, range } => tokens(*file, range.start as usize..range.end as usize),
            Unit::Tokens { mask, .. } => mask.count_ones() as usize,
            Unit::Blank { .. } => 0,
            Unit::Unwrap { .. } => 2,
            Unit::Together(units) => units.iter().map(|unit| unit.weight(base)).sum(),
            Unit::Replace { file, node, by } => {
                let stays = match by {
                    Source::Text(_) => 1,
                    Source::Node(source) | Source::Expansion { what: source, .. } => of_node(*file, *source),
                    Source::Inside(block) => tokens(*file, inside(base, *file, *block)),
                };
                of_node(*file, *node).saturating_sub(stays)
            }
        }
    }

    /// Adds what the unit does: nodes that go, and edits.
    fn render(&self, base: &Base, drops: &mut Vec<(FileId, NodeId)>, edits: &mut Vec<Edit>) {
        match self {
            Unit::Drop { file, node } => drops.push((*file, *node)),
            Unit::Replace { file, node, by } => edits.push(replacement(base, *file, *node, by)),
            Unit::Cut { file, range } => {
                let range = base.file(*file).whole_characters(range.start as usize..range.end as usize);
                edits.push(Edit::delete(*file, range));
            }
            Unit::Tokens { file, first, mask } => cut_tokens(base, *file, *first, *mask, edits),
            Unit::Together(units) => units.iter().for_each(|unit| unit.render(base, drops, edits)),
            Unit::Blank { file, range, by } => {
                let text = match by {
                    Blank::None => Vec::new(),
                    Blank::One => vec![b' '],
                    Blank::Line(blanks) => [&b"\n"[..], &vec![b' '; usize::from(*blanks)]].concat(),
                };
                edits.push(Edit::replace(*file, range.start as usize..range.end as usize, text));
            }
            Unit::Unwrap { file, open, close } => {
                for at in [*open as usize, *close as usize] {
                    edits.push(Edit::delete(*file, at..at + 1));
                }
            }
        }
    }
}

/// Deletes the tokens of a mask; neighbours that go share their blanks.
fn cut_tokens(base: &Base, id: FileId, first: u32, mask: u16, edits: &mut Vec<Edit>) {
    let file = base.file(id);
    let mut at = 0;
    while mask >> at != 0 {
        at += (mask >> at).trailing_zeros();
        let run = (mask >> at).trailing_ones();
        let tokens = &file.tokens[(first + at) as usize..(first + at + run) as usize];
        let range = tokens[0].range().start..tokens[tokens.len() - 1].range().end;
        edits.push(Edit::delete(id, layout::deletion(file, range)));
        at += run;
    }
}

/// Units that a search may combine freely, but for alternatives: of those at most one is taken.
#[derive(Clone, Debug, Default)]
pub struct Group {
    units: Vec<Unit>,
    /// For every unit which choice it belongs to; empty if each is a choice of its own.
    choices: Vec<u32>,
    doubtful: bool,
    beyond_grammar: bool,
}

impl Group {
    /// A group of which any subset of the units may be taken.
    pub fn deletions(units: impl IntoIterator<Item = Unit>) -> Self {
        Self { units: units.into_iter().collect(), ..Self::default() }
    }

    /// A group of choices: at most one of each inner list is taken, the first that works. An empty list
    /// is no choice.
    pub fn choices(alternatives: impl IntoIterator<Item = impl IntoIterator<Item = Unit>>) -> Self {
        let mut group = Self::default();
        for (choice, units) in (0..).zip(alternatives) {
            group.units.extend(units);
            group.choices.resize(group.units.len(), choice);
        }
        group
    }

    /// Says that the grammar will refuse many of the units: they are worth a look one by one before
    /// they are tested together.
    pub fn doubtful(self) -> Self {
        Self { doubtful: true, ..self }
    }

    /// Says that a unit may be worth a run of the test although the grammar refuses it: some tools
    /// take what no grammar does, a bracket or a keyword that is missing.
    pub fn beyond_grammar(self) -> Self {
        Self { beyond_grammar: true, ..self }
    }

    /// Whether units that the grammar refuses may be worth a run.
    pub fn is_beyond_grammar(&self) -> bool {
        self.beyond_grammar
    }

    /// Whether the grammar will refuse many of the units.
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// The units; what a search decides about are their indices.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Which choice a unit belongs to. Units of one choice have neighbouring indices.
    pub fn choice(&self, unit: usize) -> usize {
        self.choices.get(unit).map_or(unit, |&c| c as usize)
    }

    /// About how many tokens go with a unit: what is at stake. O(log tokens).
    pub fn weight(&self, base: &Base, unit: usize) -> usize {
        self.units[unit].weight(base)
    }

    /// The candidate that takes these units. Linear in what it changes and the siblings of that.
    ///
    /// # Errors
    /// `Conflict` if the units' edits cannot all be made, or change nothing.
    pub fn render(&self, base: &Base, units: &[usize]) -> Result<Candidate, Conflict> {
        let mut edits = Vec::with_capacity(units.len());
        let mut drops = Vec::new();
        for &unit in units {
            self.units[unit].render(base, &mut drops, &mut edits);
        }
        removal::remove(base, drops, &mut edits);
        let candidate = Candidate::merge(edits)?;
        Ok(base.files().fold(candidate, |candidate, (id, file)| file.spaced(id, candidate)))
    }
}

fn replacement(base: &Base, id: FileId, node: NodeId, by: &Source) -> Edit {
    let file = base.file(id);
    let place = file.tree().range(node);
    let from = match by {
        Source::Text(text) => return Edit::replace(id, place, text.clone()),
        Source::Node(source) | Source::Expansion { what: source, .. } => file.tree().range(*source),
        Source::Inside(block) => inside(base, id, *block),
    };
    let line = layout::line_start(&file.text, place.start);
    let blanks = file.text[line..].iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
    let indentation = &file.text[line..place.start.min(line + blanks)];
    let text = layout::moved(file, from, indentation);
    let Source::Expansion { what, function, call } = by else { return Edit::replace(id, place, text) };
    let file = File { id, parsed: file };
    let passed = file.bindings().call(*call).map_or(vec![], |call| arguments(file, *function, &call));
    Edit::replace(id, place, bound(file, *what, &text, &passed))
}

/// The text of a node, as it is to stand elsewhere, with other texts in the place of names: wherever these
/// stand for the same thing. Where that is not known, as in macros, wherever there is such a word that is no
/// part of an object.
fn bound(file: File<'_>, what: NodeId, text: &[u8], values: &[(NodeId, &[u8])]) -> Vec<u8> {
    let bindings = file.bindings();
    let mut by_place: BTreeMap<u32, &[u8]> = BTreeMap::new();
    let mut by_word: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
    for &(name, value) in values {
        if bindings.of(name).is_none() {
            by_word.insert(file.node_text(name), value);
            continue;
        }
        let names = bindings.occurrences(name).into_iter().filter(|&n| file.is_within(n, what));
        by_place.extend(names.map(|n| (file.range(n).start as u32, value)));
    }
    let lexis = file.language().lexis();
    // The tokens are the same there and here; only white space before them may differ.
    let places = file.tokens_in(file.range(what)).iter().map(|token| Some(token.start));
    let places = places.chain(std::iter::repeat(None));
    let mut out = Vec::with_capacity(text.len());
    let (mut end, mut selects) = (0, false);
    for (token, place) in tokens(text, lexis).zip(places) {
        let word = &text[token.range()];
        let by_word = || by_word.get(word).filter(|_| !selects);
        let value = place.and_then(|place| by_place.get(&place)).or_else(by_word);
        out.extend(&text[end..token.range().start]);
        out.extend(value.copied().unwrap_or(word));
        end = token.range().end;
        selects = lexis.is_access(word);
    }
    out.extend(&text[end..]);
    out
}

/// The byte range of what a block encloses: its children but for the brackets at its ends.
pub fn inside(base: &Base, id: FileId, block: NodeId) -> Range<usize> {
    let file = base.file(id);
    let tree = file.tree();
    let range = tree.range(block);
    let is_content = |n: &NodeId| tree.is_named(*n) || tree.has(*n, Role::Terminator);
    let mut content = tree.children(block).filter(is_content);
    let Some(first) = content.next() else { return range.start..range.start };
    let last = content.last().unwrap_or(first);
    tree.range(first).start..tree.range(last).end
}
