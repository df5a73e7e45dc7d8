//! Drawing for source code: fragments of the original file, fragments that compile anywhere, names and literals.
//!
//! Every draw is parsed in its place: it must be read there as a node of the sort that was asked for, and the text may
//! not have more errors than before.

mod places;

use crate::bisection::Value;
use crate::corpus::{Corpus, Fragment, is_member};
use crate::drawing::{Drawing, Opening, Place, fill, range};
use crate::find::admits;
use crate::grammar::nodes;
use crate::literals::{content, number, similar, string};
use crate::pattern::{Node, Pattern, Sort};
use crate::pools::Pool;
use crate::random::Random;
use crate::text::Insertion;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use lopper_languages::{Parsed, layout, lexer};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// See the module.
pub(crate) struct Source {
    file: Parsed,
    nodes: Vec<Node>,
    parents: Vec<Option<usize>>,
    corpus: Corpus,
    pool: Pool,
    /// All names of the example.
    own_names: BTreeSet<Vec<u8>>,
    scopes: BTreeMap<usize, Scope>,
    /// Whether a text fits a place on its own.
    alone: BTreeMap<(Place, Sort, Vec<u8>), bool>,
}

/// So many texts are remembered with whether they fit a place.
const REMEMBERED: usize = 100_000;

/// What can stand at a byte of the example without a name that is not known there.
struct Scope {
    /// The names that are known.
    names: BTreeSet<Vec<u8>>,
    /// Those that stand for values.
    values: Vec<Vec<u8>>,
    /// The fragments of each sort that was asked for whose names are all known.
    closed: BTreeMap<Sort, Vec<usize>>,
}

impl Source {
    /// For an example and files to take fragments from, the original one for example.
    pub(crate) fn new(example: &Parsed, files: &[&Parsed]) -> Self {
        let file = Parsed::new(example.language, example.text.to_vec());
        let nodes = nodes(&file);
        Self::of_nodes(file, nodes, files)
    }

    /// For the nodes of a pattern.
    pub(crate) fn of_pattern(pattern: &Pattern, file: Parsed, files: &[&Parsed]) -> Self {
        Self::of_nodes(file, pattern.nodes.clone(), files)
    }

    fn of_nodes(file: Parsed, nodes: Vec<Node>, files: &[&Parsed]) -> Self {
        // Fragments of the example are likely to have the failure's cause in them.
        let corpus = if files.is_empty() { Corpus::new(&[&file]) } else { Corpus::new(files) };
        let pool = Pool::of(file.language.name());
        let tree = file.tree();
        let names = tree.nodes().filter(|&n| tree.has(n, Role::Name) && tree.is_leaf(n));
        let own_names = names.map(|name| file.node_text(name).to_vec()).collect();
        let parents = parents(&nodes);
        Self {
            file,
            nodes,
            parents,
            corpus,
            pool,
            own_names,
            scopes: BTreeMap::new(),
            alone: BTreeMap::new(),
        }
    }

    /// The names that are known at a byte. Those that nothing defines, of the language or its library, are known
    /// everywhere if the example uses them.
    fn scope(&mut self, at: usize) -> &mut Scope {
        let file = &self.file;
        self.scopes.entry(at).or_insert_with(|| {
            let (tree, bindings) = (file.tree(), file.bindings(0));
            let (mut names, mut values) = (BTreeSet::new(), BTreeSet::new());
            for definition in bindings.definitions() {
                let Some(place) = definition.places.first() else { continue };
                let scope = tree.range(definition.scope);
                if scope.start <= at && at <= scope.end {
                    let name = file.node_text(place.name).to_vec();
                    use lopper_languages::bindings::Sort;
                    if matches!(definition.sort, Sort::Variable | Sort::Parameter | Sort::Constant) {
                        values.insert(name.clone());
                    }
                    names.insert(name);
                }
            }
            let is_free =
                |&n: &NodeId| tree.has(n, Role::Name) && tree.is_leaf(n) && bindings.of(n).is_none();
            let free = tree.nodes().filter(is_free).filter(|&n| !is_member(file, n));
            names.extend(free.map(|name| file.node_text(name).to_vec()));
            Scope { names, values: values.into_iter().collect(), closed: BTreeMap::new() }
        })
    }

    /// A random fragment, one whose names are all known if `closed`.
    fn fragment(&mut self, sort: &Sort, at: usize, closed: bool, random: &mut Random) -> Option<Vec<u8>> {
        self.scope(at);
        let (all, scope) = (self.corpus.of(sort), self.scopes.get_mut(&at)?);
        // Of two the shorter one: what is drawn should be read.
        let shorter = |one: usize, other: usize| {
            let fragment = std::cmp::min_by_key(&all[one], &all[other], |fragment| fragment.text.len());
            fragment.text.clone()
        };
        if !closed {
            let count = Some(all.len()).filter(|&count| count > 0)?;
            return Some(shorter(random.below(count), random.below(count)));
        }
        let known = |fragment: &Fragment| fragment.free.iter().all(|name| scope.names.contains(name));
        if !scope.closed.contains_key(sort) {
            let closed = (0..all.len()).filter(|&one| known(&all[one])).collect();
            scope.closed.insert(sort.clone(), closed);
        }
        let choice = scope.closed.get(sort)?;
        Some(shorter(*random.one(choice)?, *random.one(choice)?))
    }

    /// A random text of a sort for a byte, without regard to what is around it.
    fn draw_text(&mut self, sort: &Sort, range: &Range<usize>, random: &mut Random) -> Option<Vec<u8>> {
        let at = range.start;
        let section = self.section(sort, at);
        let values = self.scope(at).values.clone();
        let literal = |random: &mut Random, file: &Parsed| similar(&file.text[range.clone()], random);
        let first = random.below(8);
        for turn in 0..4 {
            let text = match (first + 2 * turn) % 8 {
                0..=2 => self.fragment(sort, at, true, random),
                3 | 4 => section.and_then(|section| self.pool.draw(section, &values, random)),
                5 => literal(random, &self.file),
                6 => section.and_then(|section| self.pool.draw(section, &values, random)),
                _ => self.fragment(sort, at, false, random),
            };
            if text.is_some() {
                return text;
            }
        }
        None
    }

    /// The section of the pool for a sort: that of the block or list in which the text stands, if there is one for its kind,
    /// or else that of the role.
    fn section(&self, sort: &Sort, at: usize) -> Option<&'static str> {
        let top = || if self.pool.has("top") { "top" } else { "statement" };
        match sort {
            Sort::Role(Role::Expression) => Some("expression"),
            Sort::Role(Role::Type) => Some("type"),
            Sort::Role(Role::Statement) => {
                let tree = self.file.tree();
                let is_around = |&n: &NodeId| {
                    tree.has(n, Role::Block) && (tree.range(n).start + 1..tree.range(n).end).contains(&at)
                };
                match tree.nodes().skip(1).filter(is_around).last() {
                    Some(block) => self.pool.named(tree.kind_name(block)).or(Some("statement")),
                    None => Some(top()),
                }
            }
            Sort::Statements(kind) if kind == self.file.tree().kind_name(NodeId::ROOT) => Some(top()),
            Sort::Statements(kind) => self.pool.named(kind).or(Some("statement")),
            Sort::Operator => Some("operator"),
            Sort::Items(kind) => {
                let role = if kind.contains("parameter") { "parameter" } else { "expression" };
                self.pool.named(kind).or(Some(role))
            }
            _ => None,
        }
    }

    /// Whether a text fits an opening where all else is as in the example.
    fn stands_alone(&mut self, opening: &Opening, text: &[u8]) -> bool {
        let key = (opening.places[0].clone(), opening.sort.clone(), text.to_vec());
        if let Some(&known) = self.alone.get(&key) {
            return known;
        }
        let stands = fill(self, &[opening], &[text.to_vec()]).is_some();
        if self.alone.len() < REMEMBERED {
            self.alone.insert(key, stands);
        }
        stands
    }

    /// The kinds of the nodes above a place, nearest first.
    fn above(&self, place: &Place) -> impl Iterator<Item = &str> {
        let first = match place {
            Place::Node(node) => self.parents[*node],
            Place::Gap { parent, .. } => Some(*parent),
        };
        std::iter::successors(first, |&node| self.parents[node]).map(|node| self.nodes[node].kind.as_str())
    }

    /// A name that neither the example nor any fragment has: it would mean something there.
    fn fresh_name(&self, random: &mut Random) -> Vec<u8> {
        loop {
            let letters = b"abcdefghijklmnopqrstuvwxyz";
            let name: Vec<u8> =
                (0..1 + random.below(8)).map(|_| letters[random.below(letters.len())]).collect();
            if !self.own_names.contains(&name) && !self.corpus.names().contains(&name) {
                return name;
            }
        }
    }

    /// A few statements or items, with what separates them from their neighbours.
    fn insertion(&mut self, sort: &Sort, at: usize, random: &mut Random) -> Option<Vec<u8>> {
        let place = Insertion::at(&self.file.text, at);
        let (before, after) = match sort {
            Sort::Statements(_) => place.statement_separators(&self.file.text),
            _ => place.item_separators(),
        };
        let mut out = Vec::new();
        for turn in 0..1 + random.below(2) + random.below(2) {
            let text = self.draw_text(sort, &(at..at), random)?;
            if turn > 0 && before.is_empty() && after.is_empty() {
                out.extend_from_slice(b", ");
            }
            out.extend_from_slice(&before);
            out.extend_from_slice(&indented(&text, place.indentation()));
            out.extend_from_slice(&after);
        }
        Some(out)
    }
}

/// The blanks at the start of the line of a byte.
fn line_indentation(text: &[u8], at: usize) -> &[u8] {
    let start = layout::line_start(text, at);
    let blanks = text[start..at].iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
    &text[start..start + blanks]
}

/// A text whose lines but the first are indented by `by` as well.
pub(crate) fn indented(text: &[u8], by: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &c in text {
        out.push(c);
        if c == b'\n' {
            out.extend_from_slice(by);
        }
    }
    out
}

/// The parent of each node.
fn parents(nodes: &[Node]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let parent = |(at, _): (usize, &Node)| {
        while open.pop_if(|node| nodes[*node].last <= at).is_some() {}
        let parent = open.last().copied();
        open.push(at);
        parent
    };
    nodes.iter().enumerate().map(parent).collect()
}

impl Drawing for Source {
    fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn example(&self) -> &[u8] {
        &self.file.text
    }

    fn draw(&mut self, opening: &Opening, random: &mut Random) -> Option<Vec<u8>> {
        let place = range(&opening.places[0], &self.nodes);
        let own = self.file.text[place.clone()].to_vec();
        // What was seen to fail is a source of its own.
        if !opening.samples.is_empty() && random.below(4) == 0 {
            return random.one(&opening.samples).cloned();
        }
        let text = match &opening.sort {
            Sort::Role(Role::Name) => self.fresh_name(random),
            Sort::Number(interval) => number(*interval, random).to_string().into_bytes(),
            Sort::Length(interval) => {
                let low = interval.least.unwrap_or(0).max(0);
                let high = interval.most.unwrap_or(low + 40);
                let length = low + i64::try_from(random.below(usize::try_from(high - low + 1).ok()?)).ok()?;
                string(&own, &content(&own)?, usize::try_from(length).ok()?)
            }
            sort @ (Sort::Statements(_) | Sort::Items(_)) => {
                return self.insertion(sort, place.start, random);
            }
            sort => self.draw_text(sort, &place, random)?,
        };
        let text = indented(&text, line_indentation(&self.file.text, place.start));
        if self.stands_alone(opening, &text) {
            return Some(text);
        }
        let bracketed = [b"(", &text[..], b")"].concat();
        let is_expression = opening.sort == Sort::Role(Role::Expression);
        (is_expression && self.stands_alone(opening, &bracketed)).then_some(bracketed)
    }

    /// New names are used in what was drawn for other openings, too.
    fn settle(&self, openings: &[&Opening], values: &mut [Vec<u8>]) {
        let mut renamed: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        for (opening, value) in openings.iter().zip(values.iter()) {
            if opening.is_name() {
                let own = range(&opening.places[0], &self.nodes);
                renamed.insert(self.file.text[own].to_vec(), value.clone());
            }
        }
        let others = openings.iter().zip(values).filter(|(opening, _)| !opening.is_name());
        for (_, value) in others.filter(|_| !renamed.is_empty()) {
            let tokens: Vec<_> = lexer::tokens(value, self.file.language.lexis()).collect();
            for token in tokens.into_iter().rev() {
                if let Some(new) = renamed.get(&value[token.range()]) {
                    value.splice(token.range(), new.iter().copied());
                }
            }
        }
    }

    fn fits(&self, text: &[u8], filled: &[(Range<usize>, &Sort, &Place)]) -> bool {
        let file = Parsed::new(self.file.language, text.to_vec());
        if file.syntax().errors > self.file.syntax().errors {
            return false;
        }
        let tree = file.tree();
        filled.iter().all(|(range, sort, place)| {
            let inside = trimmed(text, range.clone());
            let mut starting = tree.starting_in(inside.start..inside.start + 1);
            range.is_empty()
                || starting.any(|node| {
                    let stands = match sort.is_insertion() {
                        true => tree.range(node).end <= inside.end,
                        false => tree.range(node) == inside && admits(sort, &file, node),
                    };
                    let above = tree.ancestors(node).map(|above| tree.kind_name(above));
                    stands && above.eq(self.above(place))
                })
        })
    }

    fn sorts(&self, node: usize) -> Vec<Sort> {
        places::sorts(&self.file, node)
    }

    fn is_token(&self, node: usize) -> bool {
        self.file.tree().has(NodeId(node as u32), Role::Literal)
    }

    fn groups(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<Opening> {
        places::groups(&self.file, is_open)
    }

    fn values(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<Value> {
        places::values(&self.file, is_open)
    }

    fn orders(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<(usize, Vec<Vec<u8>>)> {
        places::orders(&self.file, is_open)
    }

    fn gaps(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<Opening> {
        places::gaps(&self.file, is_open)
    }

    fn with_value(&self, value: &Value, other: i64) -> Vec<u8> {
        let own = &self.file.text[self.nodes[value.node].range.clone()];
        match content(own).filter(|_| value.is_length) {
            Some(inside) => string(own, &inside, usize::try_from(other).unwrap_or(0)),
            None => other.to_string().into_bytes(),
        }
    }
}

/// A range without the blanks and separators at its ends.
fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let is_blank = |c: &u8| c.is_ascii_whitespace() || *c == b',';
    let inside = &text[range.clone()];
    let before = inside.iter().take_while(|c| is_blank(c)).count();
    let after = inside[before..].iter().rev().take_while(|c| is_blank(c)).count();
    range.start + before..range.end - after
}
