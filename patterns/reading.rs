//! Reading the text form of a pattern of source code: a text for each hole makes it a program, whose tree has the nodes
//! that the holes are.

use crate::assembly;
use crate::corpus::is_list;
use crate::drawing::{Opening, Place};
use crate::find::admits;
use crate::pattern::{Interval, NotAPattern, Pattern, Sort, role_named};
use crate::pools::Pool;
use crate::text::{Names, Piece, pieces};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use lopper_languages::{Language, Parsed};
use std::collections::BTreeMap;
use std::ops::Range;

/// What a hole's name says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    /// A node of this sort.
    Node(Sort),
    /// Further statements.
    Statements,
    /// Further items.
    Items,
}

/// A hole in a text form.
#[derive(Clone, Debug)]
struct Read {
    named: Named,
    name: String,
    /// Its number, if it is coupled.
    number: Option<u32>,
    /// The text that stands for it; nothing for an insertion.
    text: Vec<u8>,
}

impl Pattern {
    /// Reads the text form of a pattern of a language with roles. Its example has a short text in each hole, and need
    /// not fail.
    ///
    /// # Errors
    /// If a hole cannot stand where it is.
    pub fn of_text(language: &'static dyn Language, text: &[u8]) -> Result<Self, NotAPattern> {
        Reader::new(language, text)?.read()
    }

    /// Whether a text has a hole of a pattern of source code.
    pub fn has_holes(text: &[u8]) -> bool {
        pieces(text, &Names::of_roles()).iter().any(|piece| matches!(piece, Piece::Hole(..)))
    }
}

/// A text with holes while it is read: plain texts before, between and behind the holes.
struct Reader {
    language: &'static dyn Language,
    plain: Vec<Vec<u8>>,
    holes: Vec<Read>,
}

/// What a hole's name says; `None` if no hole is called that.
fn named(name: &str) -> Option<Named> {
    let interval =
        |text: &str| Interval::read(text).filter(|interval| interval.has(example_number(*interval)));
    Some(match name.split_once(':') {
        Some(("kind", kind)) => Named::Node(Sort::Kind(kind.to_owned())),
        Some(("number", range)) => Named::Node(Sort::Number(interval(range)?)),
        Some(("string", range)) => Named::Node(Sort::Length(interval(range)?)),
        Some(_) => return None,
        None => match name {
            "operator" => Named::Node(Sort::Operator),
            "statements" => Named::Statements,
            "items" => Named::Items,
            role => Named::Node(Sort::Role(role_named(role)?)),
        },
    })
}

/// A number of a range.
fn example_number(interval: Interval) -> i64 {
    interval.least.or(interval.most).unwrap_or(0)
}

impl Reader {
    fn new(language: &'static dyn Language, text: &[u8]) -> Result<Self, NotAPattern> {
        let mut reader = Self { language, plain: vec![Vec::new()], holes: Vec::new() };
        for piece in pieces(text, &Names::of_roles()) {
            match piece {
                Piece::Text(text) => reader.plain.last_mut().into_iter().for_each(|last| last.extend(&text)),
                Piece::Hole(name, number) => {
                    let named =
                        named(&name).ok_or_else(|| NotAPattern(format!("there is no hole '<{name}>'")))?;
                    reader.holes.push(Read { named, name, number, text: Vec::new() });
                    reader.plain.push(Vec::new());
                }
            }
        }
        Ok(reader)
    }

    fn read(mut self) -> Result<Pattern, NotAPattern> {
        let indentations = self.join_insertions();
        self.choose_texts();
        let (text, ranges) = self.filled();
        let file = Parsed::new(self.language, text);
        let mut openings: Vec<Opening> = Vec::new();
        let mut coupled: BTreeMap<(String, u32), usize> = BTreeMap::new();
        for (at, (hole, range)) in self.holes.iter().zip(&ranges).enumerate() {
            let found = match &hole.named {
                Named::Node(sort) => {
                    node_at(&file, sort, range).map(|node| (sort.clone(), Place::Node(node.0 as usize)))
                }
                Named::Statements => block_at(&file, range.start, indentations[at]),
                Named::Items => list_at(&file, range.start),
            };
            let (sort, place) = found.ok_or_else(|| {
                let line = 1 + file.text[..range.start].iter().filter(|&&c| c == b'\n').count();
                NotAPattern(format!(
                    "<{}> in line {line} stands where nothing of that sort can be",
                    hole.name
                ))
            })?;
            let key = hole.number.map(|number| (hole.name.clone(), number));
            match key.as_ref().and_then(|key| coupled.get(key)) {
                Some(&opening) => openings[opening].places.push(place),
                None => {
                    key.into_iter().for_each(|key| _ = coupled.insert(key, openings.len()));
                    openings
                        .push(Opening { coupled: hole.number.is_some(), ..Opening::new(sort, vec![place]) });
                }
            }
        }
        let pattern = assembly::assemble(&Pattern::of_example(&file), openings.iter(), &[]);
        pattern.check().map(|()| pattern)
    }

    /// Takes out what separates insertions from their neighbours. Gives the indentation of those on lines of their own.
    fn join_insertions(&mut self) -> Vec<Option<usize>> {
        let mut indentations = vec![None; self.holes.len()];
        let last = self.holes.len().saturating_sub(1);
        for (at, (hole, indentation)) in self.holes.iter().zip(&mut indentations).enumerate() {
            let Some([before, after]) = self.plain.get_mut(at..at + 2) else { continue };
            match hole.named {
                Named::Statements => *indentation = join_statements(before, after, at == last),
                Named::Items => {
                    let is_first = before.trim_ascii_end().last().is_none_or(|c| b"([{".contains(c));
                    if is_first && after.starts_with(b", ") {
                        after.drain(..2);
                    } else if before.ends_with(b", ") {
                        before.truncate(before.len() - 2);
                    }
                }
                Named::Node(_) => {}
            }
        }
        indentations
    }

    /// The text with its holes filled, and the ranges of the holes.
    fn filled(&self) -> (Vec<u8>, Vec<Range<usize>>) {
        let (mut text, mut ranges) = (Vec::new(), Vec::new());
        for (at, plain) in self.plain.iter().enumerate() {
            text.extend_from_slice(plain);
            let start = text.len();
            if let Some(hole) = self.holes.get(at) {
                text.extend_from_slice(&hole.text);
                ranges.push(start..text.len());
            }
        }
        (text, ranges)
    }

    /// Gives each hole the first text with which the most holes stand where they should, and the fewest bytes cannot be
    /// read. Holes are looked at twice: one with a wrong text spoils what is around it.
    fn choose_texts(&mut self) {
        let choices: Vec<Vec<Vec<u8>>> = (0..self.holes.len()).map(|at| self.choices(at)).collect();
        for (hole, choices) in self.holes.iter_mut().zip(&choices) {
            hole.text = choices.first().cloned().unwrap_or_default();
        }
        let mut best = self.badness();
        for _ in 0..2 {
            for (at, choices) in choices.iter().enumerate() {
                for choice in choices {
                    if best == (0, 0) {
                        return;
                    }
                    let before = self.set(at, choice.clone());
                    let badness = self.badness();
                    if badness < best {
                        best = badness;
                    } else {
                        self.set(at, before);
                    }
                }
            }
        }
    }

    /// Sets the text of a hole, and of those coupled with it. Gives the text that it had.
    fn set(&mut self, at: usize, text: Vec<u8>) -> Vec<u8> {
        let (name, number) = (self.holes[at].name.clone(), self.holes[at].number);
        let before = self.holes[at].text.clone();
        for (other, hole) in self.holes.iter_mut().enumerate() {
            if other == at || (number.is_some() && hole.number == number && hole.name == name) {
                hole.text = text.clone();
            }
        }
        before
    }

    /// How many holes stand where nothing of their sort can be, and how many bytes cannot be read.
    fn badness(&self) -> (usize, usize) {
        let (text, ranges) = self.filled();
        let file = Parsed::new(self.language, text);
        let is_bad = |(hole, range): &(&Read, &Range<usize>)| match &hole.named {
            Named::Node(sort) => node_at(&file, sort, range).is_none(),
            Named::Statements | Named::Items => false,
        };
        let bad = self.holes.iter().zip(&ranges).filter(is_bad).count();
        (bad, file.syntax().errors)
    }

    /// Texts that may stand for a hole, the simplest first.
    fn choices(&self, at: usize) -> Vec<Vec<u8>> {
        let hole = &self.holes[at];
        let name = match hole.number {
            Some(number) => {
                format!("{}_{number}", hole.name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
            }
            None => format!("hole_{at}"),
        };
        let name = self.unused(name);
        let pool = Pool::of(self.language.name());
        let from_pool =
            |sections: &[&str]| sections.iter().flat_map(|section| pool.flat(section)).collect::<Vec<_>>();
        let mut choices = match &hole.named {
            Named::Node(Sort::Role(Role::Name)) => Vec::new(),
            Named::Node(Sort::Role(Role::Expression)) => from_pool(&["expression"]),
            Named::Node(Sort::Role(Role::Type)) => from_pool(&["type"]),
            Named::Node(Sort::Operator) => from_pool(&["operator"]),
            Named::Node(Sort::Number(interval)) => vec![example_number(*interval).to_string().into_bytes()],
            Named::Node(Sort::Length(interval)) => {
                let length = usize::try_from(example_number(*interval)).unwrap_or(0);
                let of = |quote: &str| format!("{quote}{}{quote}", "a".repeat(length)).into_bytes();
                vec![of("\""), of("'")]
            }
            Named::Node(_) => {
                let mut choices = from_pool(&["statement", "top", "expression", "type"]);
                choices.extend([[&name[..], b";"].concat(), [&name[..], b"()"].concat()]);
                choices
            }
            Named::Statements | Named::Items => return vec![Vec::new()],
        };
        choices.push(name);
        choices
    }

    /// The name, lengthened until the text does not have it.
    fn unused(&self, mut name: String) -> Vec<u8> {
        let has =
            |name: &str| self.plain.iter().any(|text| text.windows(name.len()).any(|w| w == name.as_bytes()));
        while has(&name) {
            name.push('_');
        }
        name.into_bytes()
    }
}

/// Takes out what `Insertion::statement_separators` put around a hole. Gives the indentation of the hole's line if it
/// stands there alone; `is_last`: no other hole is behind `after`.
fn join_statements(before: &mut Vec<u8>, after: &mut Vec<u8>, is_last: bool) -> Option<usize> {
    let start = before.iter().rposition(|&c| c == b'\n').map_or(0, |at| at + 1);
    let indentation = before[start..].to_vec();
    let is_alone =
        indentation.iter().all(|c| matches!(c, b' ' | b'\t')) && after.first().is_none_or(|&c| c == b'\n');
    if !is_alone {
        if before.last() == Some(&b' ') {
            before.pop();
        }
        if after.first() == Some(&b' ') {
            after.remove(0);
        }
        return None;
    }
    let next = after.get(1..).unwrap_or_default();
    let rest = next.strip_prefix(&indentation[..]);
    // Behind the text is another hole.
    let goes_on = rest.is_some_and(|rest| rest.first().map_or(!is_last, |c| !c.is_ascii_whitespace()));
    if goes_on {
        after.drain(..1 + indentation.len());
    } else if indentation.is_empty() && next.is_empty() {
        after.clear();
    } else {
        before.truncate(start.saturating_sub(1));
    }
    Some(indentation.len())
}

/// The outermost node of a sort with exactly this range.
fn node_at(file: &Parsed, sort: &Sort, range: &Range<usize>) -> Option<NodeId> {
    let tree = file.tree();
    let mut starting = tree.starting_in(range.start..range.start + 1);
    starting.find(|&node| tree.range(node) == *range && admits(sort, file, node))
}

/// The block that a byte between statements is in, and the place there: of several blocks that end at the byte the one
/// whose statements are indented so.
fn block_at(file: &Parsed, at: usize, indentation: Option<usize>) -> Option<(Sort, Place)> {
    let tree = file.tree();
    let is_statement = |&node: &NodeId| tree.is_named(node) && !tree.has(node, Role::Comment);
    let is_around = |&node: &NodeId| {
        let range = tree.range(node);
        node == NodeId::ROOT || (range.start <= at && at <= range.end)
    };
    let blocks = tree.nodes().filter(|&node| tree.has(node, Role::Block)).filter(is_around);
    let column = |node: NodeId| {
        let start = tree.range(node).start;
        start - file.text[..start].iter().rposition(|&c| c == b'\n').map_or(0, |at| at + 1)
    };
    let fits = |block: &NodeId| {
        let mut statements = tree.children(*block).filter(is_statement);
        indentation.is_none_or(|wanted| statements.any(|node| column(node) == wanted))
    };
    let blocks: Vec<NodeId> = blocks.collect();
    let block = blocks.iter().rev().copied().find(fits).or_else(|| blocks.last().copied())?;
    let is_solid = |&node: &NodeId| !tree.range(node).is_empty();
    let behind = tree
        .children(block)
        .filter(is_solid)
        .find(|&node| tree.range(node).start >= at && !tree.has(node, Role::Terminator));
    let place = Place::Gap { parent: block.0 as usize, before: behind.map(|node| node.0 as usize), at };
    Some((Sort::Statements(tree.kind_name(block).to_owned()), place))
}

/// The innermost list around a byte, and the place there.
fn list_at(file: &Parsed, at: usize) -> Option<(Sort, Place)> {
    let tree = file.tree();
    let is_around = |&node: &NodeId| tree.range(node).start <= at && at <= tree.range(node).end;
    let list = tree.nodes().filter(is_around).filter(|&node| is_list(file, node)).last()?;
    let behind = tree.children(list).find(|&node| tree.range(node).start >= at);
    let place = Place::Gap { parent: list.0 as usize, before: behind.map(|node| node.0 as usize), at };
    Some((Sort::Items(tree.kind_name(list).to_owned()), place))
}
