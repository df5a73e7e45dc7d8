//! Units, and groups of units: a search keeps or drops units, and a group renders any choice of them to a
//! candidate.

use crate::reach::Reach;
use crate::replacement::{inside, replacement};
use crate::{Base, idle, removal};
use lopper_languages::Parsed;
use lopper_languages::edit::{Candidate, Conflict, Edit, FileId};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The replacement of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// This text.
    Text(Cow<'static, [u8]>),
    /// The text of this node, re-indented where that matters.
    Node(NodeId),
    /// The contents of this block, without its brackets.
    Inside(NodeId),
    /// The effect of a call: the function's body or returned expression, with the call's arguments in place
    /// of the parameters.
    Expansion {
        /// The body, or the returned expression.
        what: NodeId,
        /// The function.
        function: NodeId,
        /// The call.
        call: NodeId,
        /// Whether an argument is converted to the type of its parameter, as the call converts it.
        converted: bool,
    },
    /// A statement with a call, in which the returned expression stands in the place of the call, behind the
    /// statements of the function before its `return`; with the call's arguments in place of the parameters.
    Spread {
        /// The returned expression, in the function's last statement.
        returned: NodeId,
        /// The function.
        function: NodeId,
        /// The call.
        call: NodeId,
        /// Whether an argument is converted to the type of its parameter, as the call converts it.
        converted: bool,
        /// Whether the statement goes, since it only calls, and with it the returned expression.
        unused: bool,
    },
}

impl Source {
    /// This text.
    pub fn text(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text.as_bytes()))
    }

    /// This text, computed at run time.
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

/// The blanks between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// Nothing.
    None,
    /// One blank.
    One,
    /// A line end, followed by this many blanks.
    Line(u16),
    /// A line end, followed by this many tabs.
    Tabs(u16),
}

impl Blank {
    /// The text between the tokens.
    pub(crate) fn text(self) -> Vec<u8> {
        match self {
            Self::None => Vec::new(),
            Self::One => vec![b' '],
            Self::Line(blanks) => [&b"\n"[..], &vec![b' '; usize::from(blanks)]].concat(),
            Self::Tabs(tabs) => [&b"\n"[..], &vec![b'\t'; usize::from(tabs)]].concat(),
        }
    }

    /// The length of the text in bytes.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::None => 0,
            Self::One => 1,
            Self::Line(width) | Self::Tabs(width) => 1 + usize::from(width),
        }
    }
}

/// The smallest thing that a search decides about. Units are independent of each other: a group renders any
/// set of them to edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Deletes a node, with its separator or its line; an emptied block gets its filler.
    Drop {
        /// The node's file.
        file: FileId,
        /// The node.
        node: NodeId,
    },
    /// Replaces a node.
    Replace {
        /// The node's file.
        file: FileId,
        /// The node that is replaced.
        node: NodeId,
        /// The replacement.
        by: Source,
    },
    /// Deletes a byte range; in valid UTF-8, with all characters that it touches.
    Cut {
        /// The range's file.
        file: FileId,
        /// The bytes.
        range: Range<u32>,
    },
    /// Deletes some of a few neighbouring tokens.
    Tokens {
        /// The tokens' file.
        file: FileId,
        /// The index of the first of them.
        first: u32,
        /// Bit i is set if token `first + i` is deleted.
        mask: u16,
    },
    /// Several units, all of them or none.
    Together(Box<[Unit]>),
    /// Replaces the blanks between two tokens.
    Blank {
        /// The blanks' file.
        file: FileId,
        /// The range of the blanks.
        range: Range<u32>,
        /// The new blanks.
        by: Blank,
    },
    /// Deletes a pair of brackets, but not their contents.
    Unwrap {
        /// The brackets' file.
        file: FileId,
        /// The place of the opening bracket, which is one byte long.
        open: u32,
        /// The place of the closing bracket, which is one byte long.
        close: u32,
    },
    /// Deletes the statement with this range, as `Drop` does: for passes that plan without trees. If the tree has no
    /// such statement, deletes the range.
    DropAt {
        /// The statement's file.
        file: FileId,
        /// The bytes.
        range: Range<u32>,
    },
    /// Puts the text of another file in the place of a range, re-indented where that matters.
    Put {
        /// The file that gets the text.
        file: FileId,
        /// The bytes that the text replaces.
        range: Range<u32>,
        /// The file whose text it is.
        from: FileId,
        /// Ranges of that text, in order, and what replaces them.
        changes: Box<[(Range<u32>, Vec<u8>)]>,
        /// What follows the text, on lines of its own.
        rest: Vec<u8>,
    },
    /// Replaces a range by a text.
    Write {
        /// The range's file.
        file: FileId,
        /// The bytes.
        range: Range<u32>,
        /// The new text.
        text: Vec<u8>,
    },
    /// Gives a file another path.
    Move {
        /// The file.
        file: FileId,
        /// The path.
        to: Arc<Path>,
    },
    /// Deletes a whole file, and not only its text.
    Remove {
        /// The file.
        file: FileId,
    },
}

/// What units do: the nodes that they delete, their edits, and the new paths of files.
#[derive(Default)]
struct Rendered {
    drops: Vec<(FileId, NodeId)>,
    edits: Vec<Edit>,
    moves: Vec<(FileId, Arc<Path>)>,
}

/// The number of bytes without tokens that are worth a token.
const BYTES_LIKE_A_TOKEN: usize = 64;

impl Unit {
    /// A unit of all these units, or none of them.
    pub fn together(units: impl IntoIterator<Item = Unit>) -> Self {
        Self::Together(units.into_iter().collect())
    }

    /// About how many tokens the unit deletes. A text without tokens, such as a comment, counts by its length. O(log tokens) for
    /// each part.
    fn weight(&self, base: &Base) -> usize {
        let tokens = |file: FileId, range: Range<usize>| match base.file(file).tokens_in(range.clone()).len()
        {
            0 => range.len() / BYTES_LIKE_A_TOKEN,
            tokens => tokens,
        };
        let of_node = |file: FileId, node| tokens(file, base.file(file).tree().range(node));
        match self {
            Unit::Drop { file, node } => of_node(*file, *node),
            Unit::Cut { file, range } | Unit::DropAt { file, range } => {
                tokens(*file, range.start as usize..range.end as usize)
            }
            Unit::Tokens { mask, .. } => mask.count_ones() as usize,
            Unit::Blank { .. } | Unit::Put { .. } | Unit::Write { .. } | Unit::Move { .. } => 0,
            Unit::Unwrap { .. } => 2,
            Unit::Remove { file } => base.file(*file).measure().tokens,
            Unit::Together(units) => units.iter().map(|unit| unit.weight(base)).sum(),
            Unit::Replace { file, node, by } => {
                let stays = match by {
                    Source::Text(_) => 1,
                    Source::Node(source) | Source::Expansion { what: source, .. } => of_node(*file, *source),
                    Source::Inside(block) => tokens(*file, inside(base, *file, *block)),
                    Source::Spread { .. } => of_node(*file, *node),
                };
                of_node(*file, *node).saturating_sub(stays)
            }
        }
    }

    /// Adds the ranges of a file that the unit deletes, and those that it replaces by what `counts`.
    pub(crate) fn deleted(
        &self,
        base: &Base,
        id: FileId,
        counts: &impl Fn(&Source) -> bool,
        out: &mut Vec<Range<u32>>,
    ) {
        let mut node_goes = |node: NodeId| {
            let range = base.file(id).tree().range(node);
            out.push(range.start as u32..range.end as u32);
        };
        match self {
            Unit::Together(units) => units.iter().for_each(|unit| unit.deleted(base, id, counts, out)),
            Unit::Drop { file, node } if *file == id => node_goes(*node),
            Unit::Replace { file, node, by } if *file == id && counts(by) => node_goes(*node),
            Unit::Cut { file, range } if *file == id => out.push(range.clone()),
            _ => {}
        }
    }

    /// Adds what the unit does.
    fn render(&self, base: &Base, out: &mut Rendered) {
        let Rendered { drops, edits, moves } = out;
        match self {
            Unit::Drop { file, node } => drops.push((*file, *node)),
            Unit::Replace { file, node, by } => edits.push(replacement(base, *file, *node, by)),
            Unit::Cut { file, range } => {
                let range = base.file(*file).whole_characters(range.start as usize..range.end as usize);
                edits.push(Edit::delete(*file, range));
            }
            Unit::Tokens { file, first, mask } => cut_tokens(base, *file, *first, *mask, edits),
            Unit::Together(units) => units.iter().for_each(|unit| unit.render(base, out)),
            Unit::Blank { file, range, by } => {
                edits.push(Edit::replace(*file, range.start as usize..range.end as usize, by.text()));
            }
            Unit::DropAt { file, range } => {
                let range = range.start as usize..range.end as usize;
                match statement_at(base.file(*file), &range) {
                    Some(node) => drops.push((*file, node)),
                    None => edits.push(Edit::delete(*file, layout::deletion(base.file(*file), range))),
                }
            }
            Unit::Put { file, range, from, changes, rest } => {
                let range = range.start as usize..range.end as usize;
                let text = moved_text(base, (*file, range.start), range.is_empty(), *from, changes, rest);
                edits.push(Edit::replace(*file, range, text));
            }
            Unit::Write { file, range, text } => {
                edits.push(Edit::replace(*file, range.start as usize..range.end as usize, text.clone()));
            }
            Unit::Move { file, to } => moves.push((*file, Arc::clone(to))),
            Unit::Remove { file } => edits.push(Edit::remove(*file)),
            Unit::Unwrap { file, open, close } => {
                for at in [*open as usize, *close as usize] {
                    edits.push(Edit::delete(*file, at..at + 1));
                }
            }
        }
    }
}

/// The statement that begins with a range and ends with it, but for blanks.
fn statement_at(file: &Parsed, range: &Range<usize>) -> Option<NodeId> {
    let tree = file.tree();
    let ends = |end: usize| end >= range.end && file.text[range.end..end].iter().all(u8::is_ascii_whitespace);
    let beginning = tree.starting_in(range.start..range.start + 1);
    let mut statements = beginning.filter(|&n| tree.has(n, Role::Statement) && ends(tree.range(n).end));
    statements.next()
}

/// The text of a file for a place in another one: with changes, and followed by other lines, of which the last is the
/// rest of the line there if that `stays`.
fn moved_text(
    base: &Base,
    (file, at): (FileId, usize),
    stays: bool,
    from: FileId,
    changes: &[(Range<u32>, Vec<u8>)],
    rest: &[u8],
) -> Vec<u8> {
    let from = base.file(from);
    let mut text = Vec::with_capacity(from.text.len() + rest.len());
    let mut end = 0;
    for (range, by) in changes {
        // Where the grammar finds errors, changes may overlap; the first one stands.
        let Some(before) = from.text.get(end..range.start as usize) else { continue };
        text.extend_from_slice(before);
        text.extend_from_slice(by);
        end = range.end as usize;
    }
    text.extend_from_slice(&from.text[end..]);
    let (host, before) = (&base.file(file).text, layout::indentation(&base.file(file).text, at));
    let stays = stays && at < host.len();
    let is_line = !host.is_empty() && at == host.len() && host.last() != Some(&b'\n');
    let mut out = if is_line { b"\n".to_vec() } else { Vec::new() };
    let begins = text.iter().position(|c| !matches!(c, b'\n' | b'\r')).unwrap_or(text.len());
    text.drain(..begins);
    text.truncate(text.trim_ascii_end().len());
    if !rest.is_empty() && !text.is_empty() {
        text.push(b'\n');
    }
    text.extend_from_slice(rest);
    let whole = 0..text.len();
    out.extend(layout::moved(&from.with_text(text), whole, before.unwrap_or(b"")));
    if !out.is_empty() && (at == host.len() || stays) {
        out.push(b'\n');
        out.extend(before.filter(|_| stays).unwrap_or_default());
    }
    out
}

/// Deletes the tokens of a mask; adjacent ones are deleted with the blanks between them.
fn cut_tokens(base: &Base, id: FileId, first: u32, mask: u16, edits: &mut Vec<Edit>) {
    let file = base.file(id);
    let mut at = 0;
    while mask >> at != 0 {
        at += (mask >> at).trailing_zeros();
        let run = (mask >> at).trailing_ones();
        let tokens = &file.tokens()[(first + at) as usize..(first + at + run) as usize];
        let range = tokens[0].range().start..tokens[tokens.len() - 1].range().end;
        edits.push(Edit::delete(id, layout::deletion(file, range)));
        at += run;
    }
}

/// Units that a search may combine freely, except that at most one of several alternatives may be chosen.
#[derive(Clone, Debug, Default)]
pub struct Group {
    units: Vec<Unit>,
    /// The choice that each unit belongs to; empty if every unit is a choice of its own.
    choices: Vec<u32>,
    doubtful: bool,
    beyond_grammar: bool,
    exact: bool,
    counters: Vec<Counter>,
    reach: Option<Arc<Reach>>,
    /// What the items of the file reach, if units take along what they free.
    frees: Option<Arc<Reach>>,
    /// Whether names lack definitions after a unit; empty if that is not known.
    lacking: Vec<bool>,
    /// What each unit is about, whatever else it changes; empty if that is not known.
    pub(crate) subjects: Vec<u64>,
}

/// A number in a file that counts units of a group.
#[derive(Clone, Debug)]
struct Counter {
    file: FileId,
    place: Range<usize>,
    number: usize,
    /// The indices of the units, sorted.
    units: Vec<usize>,
}

impl Group {
    /// A group of which any subset of the units may be taken.
    pub fn deletions(units: impl IntoIterator<Item = Unit>) -> Self {
        Self { units: units.into_iter().collect(), ..Self::default() }
    }

    /// A group of choices: at most one unit of each inner list may be chosen, the first one that works. An
    /// empty list is not a choice.
    pub fn choices(alternatives: impl IntoIterator<Item = impl IntoIterator<Item = Unit>>) -> Self {
        let mut group = Self::default();
        for (choice, units) in (0..).zip(alternatives) {
            group.units.extend(units);
            group.choices.resize(group.units.len(), choice);
        }
        group
    }

    /// Marks a group of which the grammar will refuse many units, so each is reparsed before they are tested
    /// together.
    pub fn doubtful(self) -> Self {
        Self { doubtful: true, ..self }
    }

    /// Marks a group whose units may be worth a run of the test although the grammar refuses them: some tools
    /// accept texts that no grammar does, with a missing bracket or keyword.
    pub fn beyond_grammar(self) -> Self {
        Self { beyond_grammar: true, ..self }
    }

    /// Marks a group whose edits join tokens rather than put a blank between them: the places of characters matter.
    pub(crate) fn exact(self) -> Self {
        Self { exact: true, ..self }
    }

    /// Keeps a number true that counts the units: it falls by one with each unit that is taken.
    pub fn counted(self, file: FileId, place: Range<usize>, number: usize) -> Self {
        let units = (0..self.units.len()).collect();
        self.counting(file, place, number, units)
    }

    /// Keeps a number true that counts these units, whose indices are sorted.
    pub fn counting(mut self, file: FileId, place: Range<usize>, number: usize, units: Vec<usize>) -> Self {
        self.counters.push(Counter { file, place, number, units });
        self
    }

    /// A group that deletes roots, any of them together with all that no other root reaches then.
    pub(crate) fn reaching(reach: Reach) -> Self {
        let file = reach.file();
        let units = reach.roots().map(|node| Unit::Drop { file, node });
        Self { units: units.collect(), reach: Some(Arc::new(reach)), ..Self::default() }
    }

    /// Lets units take along what nothing reaches without what they delete, and weighs them with that.
    pub(crate) fn freeing(self, reach: impl FnOnce() -> Option<Arc<Reach>>) -> Self {
        // Finding what the program reaches takes a walk through all of it.
        let frees = if self.units.is_empty() { None } else { reach() };
        Self { frees, ..self }
    }

    /// Tells for each unit whether the program lacks something after it. Coarse sweeps leave such units out.
    pub(crate) fn lacking(self, lacking: Vec<bool>) -> Self {
        Self { lacking, ..self }
    }

    /// Tells for each unit what it is about. In coarse sweeps, a unit about the same is the same unit if its weight is of
    /// the same magnitude.
    pub(crate) fn about(self, subjects: Vec<u64>) -> Self {
        Self { subjects, ..self }
    }

    /// Whether the program lacks something after a unit that a compiler demands, as far as that is known.
    pub fn lacks(&self, unit: usize) -> bool {
        self.lacking.get(unit).is_some_and(|&lacks| lacks)
    }

    /// Whether units that the grammar refuses may be worth a run.
    pub fn is_beyond_grammar(&self) -> bool {
        self.beyond_grammar
    }

    /// Whether the grammar will refuse many of the units.
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// The units. Searches refer to them by their indices.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The choice that a unit belongs to. Units of one choice have adjacent indices.
    pub fn choice(&self, unit: usize) -> usize {
        self.choices.get(unit).map_or(unit, |&c| c as usize)
    }

    /// About how many tokens a unit deletes. O(log tokens).
    pub fn weight(&self, base: &Base, unit: usize) -> usize {
        match (&self.reach, &self.frees) {
            (Some(reach), _) => reach.weight(unit),
            (None, Some(reach)) => {
                let freed = reach.weight_of(&self.gone(base, reach.file(), &[unit]));
                self.units[unit].weight(base).max(freed)
            }
            (None, None) => self.units[unit].weight(base),
        }
    }

    /// The ranges of a file that units delete. A node that stands for another one may be a part of that.
    fn gone(&self, base: &Base, file: FileId, units: &[usize]) -> Vec<Range<u32>> {
        let is_text = |by: &Source| matches!(by, Source::Text(_));
        let mut gone = Vec::new();
        units.iter().for_each(|&unit| self.units[unit].deleted(base, file, &is_text, &mut gone));
        gone
    }

    /// The candidate that consists of these units. Linear in the size of the change and its siblings, unless they free
    /// something.
    ///
    /// # Errors
    ///
    /// `Conflict` if the units' edits overlap, or change nothing.
    pub fn render(&self, base: &Base, units: &[usize]) -> Result<Candidate, Conflict> {
        let mut out = Rendered::default();
        match &self.reach {
            Some(reach) => {
                out.drops.extend(reach.without(units).into_iter().map(|node| (reach.file(), node)))
            }
            None => units.iter().for_each(|&unit| self.units[unit].render(base, &mut out)),
        }
        if let Some(reach) = &self.frees {
            let Rendered { drops, edits, .. } = &mut out;
            let file = reach.file();
            // They lie apart, and in the order of the text.
            let freed = reach.freed(&self.gone(base, file, units));
            edits.retain(|edit| {
                let before = freed.partition_point(|(_, range)| range.start as usize <= edit.start);
                freed[..before].last().is_none_or(|(_, range)| edit.end > range.end as usize)
            });
            let tree = base.file(file).tree();
            drops.retain(|&(_, inner)| {
                let before = freed.partition_point(|&(node, _)| node <= inner);
                freed[..before].last().is_none_or(|&(node, _)| !tree.is_within(inner, node))
            });
            drops.extend(freed.iter().map(|&(node, _)| (file, node)));
        }
        self.assembled(base, out, units)
    }

    /// The candidate that consists of a unit, without what it frees: the grammar accepts it or refuses it without that, too,
    /// and this takes no walk through the program.
    ///
    /// # Errors
    ///
    /// `Conflict` if the unit's edits overlap, or change nothing.
    pub fn render_alone(&self, base: &Base, unit: usize) -> Result<Candidate, Conflict> {
        let mut out = Rendered::default();
        self.units[unit].render(base, &mut out);
        self.assembled(base, out, &[unit])
    }

    fn assembled(&self, base: &Base, out: Rendered, units: &[usize]) -> Result<Candidate, Conflict> {
        let Rendered { drops, mut edits, moves } = out;
        removal::remove(base, drops, &mut edits);
        if !units.iter().all(|&unit| matches!(self.units[unit], Unit::Tokens { .. } | Unit::Blank { .. })) {
            idle::remove(base, &mut edits);
        }
        for Counter { file, place, number, units: counted } in &self.counters {
            let gone = units.iter().filter(|unit| counted.binary_search(unit).is_ok()).count();
            if gone > 0 {
                let left = number.saturating_sub(gone).to_string().into_bytes();
                edits.push(Edit::replace(*file, place.clone(), left));
            }
        }
        let candidate = Candidate::moving(edits, moves)?;
        if self.exact {
            return Ok(candidate);
        }
        let edited: Vec<FileId> = candidate.files().filter(|&file| !candidate.removes(file)).collect();
        Ok(edited.into_iter().fold(candidate, |candidate, id| base.file(id).spaced(id, candidate)))
    }
}
