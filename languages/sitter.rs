//! Languages with a tree-sitter grammar: everything that a grammar's own files can tell.
//!
//! A language of this sort is plain data ([`Grammar`]) and a `roles.scm`; parsing, reparsing and
//! the questions about slots are the same for all.

use crate::bindings::{self, Bindings, Fact};
use crate::edit::Edit;
use crate::layout::Layout;
use crate::lexer::Lexis;
use crate::role::{ROLES, Role};
use crate::slots::{NodeTypes, Slot};
use crate::tree::{Flags, Kind, NodeData, NodeId, Tree, TreeBuilder};
use crate::{Fit, Language, Parsed, Syntax};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;
use tree_sitter::{InputEdit, Parser, Point, Query, QueryCursor, StreamingIterator};

/// How deep a node may lie to have a role: nobody writes a program of a quarter of this depth.
const DEEPEST: u32 = 1000;

/// A language with a tree-sitter grammar, as data.
pub struct Grammar {
    /// The name, as `--language` takes it.
    pub name: &'static str,
    /// The endings of file names, without the dot.
    pub extensions: &'static [&'static str],
    /// How comments are written.
    pub lexis: &'static Lexis,
    /// Whether line ends and indentation mean something.
    pub layout: Layout,
    /// The simplest expressions, simplest first.
    pub constants: &'static [&'static str],
    /// Pairs of constants of which one is false and the other true.
    pub truths: &'static [(&'static str, &'static str)],
    /// What a text may leave out though the grammar demands it.
    pub implied: Option<Implied>,
    /// The grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// The grammar's `node-types.json`.
    pub node_types: &'static str,
    /// Texts with one of everything that matters: file name and text.
    pub samples: &'static [(&'static str, &'static str)],
    /// Captures that give roles; `(#set! filler "...")` beside one gives the filler.
    pub roles: &'static str,
    /// Captures that say what names mean.
    pub bindings: &'static str,
    /// Whether a name holds in its scope before its definition, too.
    pub hoisted: bool,
    /// What is made of the above, once.
    pub compiled: OnceLock<Compiled>,
}

/// A word that a text may leave out though the grammar demands it.
pub struct Implied {
    /// The word, and a blank.
    pub word: &'static str,
    /// The bytes before which the word is to be thought, in order.
    pub places: fn(&[u8], &Lexis) -> Vec<usize>,
}

/// Candidates longer than this imply nothing unless their base does.
const FILLED: usize = 1 << 15;

/// What a grammar's files come to.
pub struct Compiled {
    grammar: tree_sitter::Language,
    kinds: &'static [&'static str],
    /// How many children a field (0: no field) of a kind takes.
    slots: HashMap<(u16, u16), Slot>,
    /// Supertypes by kind, a bit each.
    supertypes: Vec<u64>,
    roles: Query,
    /// The role of each capture.
    captures: Vec<Option<Role>>,
    /// The filler of each pattern.
    fillers: Vec<Option<&'static str>>,
    bindings: Query,
    /// What each capture of a binding says.
    facts: Vec<Option<Fact>>,
}

/// The tree-sitter tree behind a `Syntax`, where the lines of its text start, and what was filled in.
struct State {
    tree: tree_sitter::Tree,
    lines: Vec<usize>,
    filled: Filled,
}

/// Where in a text implied words were filled in for the parser.
#[derive(Default)]
struct Filled {
    /// Places in the text as it was.
    places: Vec<usize>,
    /// The length of the word.
    length: usize,
}

impl Filled {
    /// The place in the text as it was, for one in the text that was parsed. O(log places).
    fn original(&self, at: usize) -> usize {
        if self.places.is_empty() {
            return at;
        }
        let (mut from, mut to) = (0, self.places.len());
        // How many words begin before `at`: the i-th begins at its place and i lengths.
        while from < to {
            let middle = (from + to) / 2;
            if self.places[middle] + middle * self.length < at { from = middle + 1 } else { to = middle }
        }
        let Some(last) = from.checked_sub(1) else { return at };
        // What lies inside a word is where the word was filled in.
        at.saturating_sub(from * self.length).max(self.places[last])
    }

    fn range(&self, range: Range<usize>) -> Range<usize> {
        self.original(range.start)..self.original(range.end)
    }
}

impl Grammar {
    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Compiled::new(self))
    }

    /// The text with the words filled in that it only implies.
    fn fill<'a>(&self, text: &'a [u8]) -> (Filled, Cow<'a, [u8]>) {
        let implied = self.implied.as_ref().map(|i| (i.word, (i.places)(text, self.lexis)));
        let Some((word, places)) = implied.filter(|(_, places)| !places.is_empty()) else {
            return (Filled::default(), Cow::Borrowed(text));
        };
        let mut full = Vec::with_capacity(text.len() + places.len() * word.len());
        let mut at = 0;
        for &place in &places {
            full.extend_from_slice(&text[at..place]);
            full.extend_from_slice(word.as_bytes());
            at = place;
        }
        full.extend_from_slice(&text[at..]);
        (Filled { places, length: word.len() }, Cow::Owned(full))
    }

    fn parser(&self) -> Parser {
        let mut parser = Parser::new();
        // Fails only for a grammar that this tree-sitter cannot run; `parse` then gives no tree, and
        // the text becomes a single node. The tests of every language would say so first.
        let _ = parser.set_language(&self.compiled().grammar);
        parser
    }
}

impl Compiled {
    fn new(g: &Grammar) -> Self {
        let grammar = (g.grammar)();
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let kinds: Vec<&'static str> =
            (0..count).map(|id| &*grammar.node_kind_for_id(id).unwrap_or("").to_owned().leak()).collect();
        let types = NodeTypes::read(g.node_types);
        let fields = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
        let mut slots = HashMap::new();
        for (kind, name) in kinds.iter().enumerate() {
            for field in 0..=fields {
                let field_name = grammar.field_name_for_id(field).filter(|_| field > 0);
                if field > 0 && field_name.is_none() {
                    continue;
                }
                if let Some(slot) = types.slot(name, field_name) {
                    slots.insert((kind as u16, field), slot);
                }
            }
        }
        let supertypes = kinds.iter().map(|name| types.supertypes(name)).collect();
        #[expect(clippy::panic, reason = "part of the binary; a test compiles every language's queries")]
        let query =
            |text| Query::new(&grammar, text).unwrap_or_else(|e| panic!("queries of {}: {e}", g.name));
        let (roles, bindings) = (query(g.roles), query(g.bindings));
        let role = |name: &&str| ROLES.iter().find(|(n, _)| n == name).map(|(_, role)| *role);
        let captures = roles.capture_names().iter().map(role).collect();
        let filler = |pattern| {
            let set = roles.property_settings(pattern).iter().find(|p| &*p.key == "filler")?;
            set.value.as_deref().map(|value| &*value.to_owned().leak())
        };
        let fillers = (0..roles.pattern_count()).map(filler).collect();
        let facts = bindings.capture_names().iter().map(|name| Fact::named(name)).collect();
        let kinds = kinds.leak();
        Self { kinds, slots, supertypes, captures, fillers, roles, bindings, facts, grammar }
    }

    /// The arena tree of a tree-sitter tree. O(nodes).
    fn arena(&self, sitter: &tree_sitter::Tree, text: &[u8], filled: &Filled) -> Tree {
        let mut builder = TreeBuilder::new(self.kinds, sitter.root_node().descendant_count());
        // Nodes in slots that take several but need one: free as soon as they are two.
        let mut shared: Vec<(NodeId, u16, NodeId)> = Vec::new();
        let mut open: Vec<(NodeId, u16)> = Vec::new();
        let mut cursor = sitter.walk();
        'walk: loop {
            let node = cursor.node();
            let range = filled.range(node.byte_range());
            let is_implied = range.is_empty() && !node.byte_range().is_empty();
            let field = cursor.field_id().map_or(0, |id| id.get());
            let mut flags = Flags::default();
            if node.is_named() {
                flags = flags.with(Flags::NAMED);
            }
            if node.is_error() || node.is_missing() {
                flags = flags.with(Flags::ERROR);
            }
            let slot = open.last().and_then(|(_, kind)| self.slots.get(&(*kind, field)));
            let in_error = open.last().is_some_and(|(_, kind)| *kind == u16::MAX);
            if node.is_extra() || in_error || (node.is_named() && slot.is_some_and(|s| !s.required)) {
                flags = flags.with(Flags::OPTIONAL);
            }
            if !is_implied {
                let id = builder.open(NodeData {
                    start: range.start as u32,
                    end: range.end as u32,
                    kind: Kind(node.kind_id()),
                    grammar_kind: node.grammar_id(),
                    parse_state: node.parse_state(),
                    flags,
                });
                if let Some((parent, _)) = open.last()
                    && node.is_named()
                    && slot.is_some_and(|s| s.required && s.multiple)
                {
                    shared.push((*parent, field, id));
                }
                if cursor.goto_first_child() {
                    open.push((id, node.kind_id()));
                    continue;
                }
                builder.close(None);
            }
            while !cursor.goto_next_sibling() {
                if open.pop().is_none() {
                    break 'walk;
                }
                builder.close(None);
                cursor.goto_parent();
            }
        }
        shared.sort_unstable();
        for slot in shared.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|s| s.len() > 1) {
            slot.iter().for_each(|&(_, _, id)| builder.flag(id, Flags::OPTIONAL));
        }
        self.give_roles(sitter, text, filled, &mut builder);
        builder.finish()
    }

    fn give_roles(
        &self,
        sitter: &tree_sitter::Tree,
        text: &[u8],
        filled: &Filled,
        builder: &mut TreeBuilder,
    ) {
        captures(
            &self.roles,
            (sitter, text, filled),
            builder,
            TreeBuilder::tree,
            |builder, id, pattern, capture| {
                if let Some(role) = self.captures[capture] {
                    builder.role(id, role);
                }
                if let Some(filler) = self.fillers[pattern] {
                    builder.filler(id, filler);
                }
            },
        );
    }
}

/// Tells `of` of each node that a query captures, with the indices of its pattern and its capture.
fn captures<T>(
    query: &Query,
    (sitter, text, filled): (&tree_sitter::Tree, &[u8], &Filled),
    of: &mut T,
    tree: impl Fn(&T) -> &Tree,
    tell: impl Fn(&mut T, NodeId, usize, usize),
) {
    // Captures come about in the order of the text: the next node is seldom far from the last.
    let mut near = NodeId::ROOT;
    let mut cursor = QueryCursor::new();
    // A query takes time in proportion to the depth for each node: nodes below this have no roles
    // until what is above them has gone.
    cursor.set_max_start_depth(Some(DEEPEST));
    let mut matches = cursor.matches(query, sitter.root_node(), text);
    while let Some(found) = matches.next() {
        for capture in found.captures() {
            let (range, kind) = (filled.range(capture.node.byte_range()), Kind(capture.node.kind_id()));
            if let Some(id) = tree(of).find(range, kind, near) {
                near = id;
                tell(of, id, found.pattern_index, capture.index as usize);
            }
        }
    }
}

/// Bytes inside errors plus missing nodes. Looks only where there are errors.
fn errors(tree: &tree_sitter::Tree) -> usize {
    let mut sum = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            sum += node.byte_range().len().max(1);
        } else if node.is_missing() {
            sum += 1;
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return sum;
            }
        }
    }
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let ends = text.iter().enumerate().filter(|(_, c)| **c == b'\n');
    std::iter::once(0).chain(ends.map(|(i, _)| i + 1)).collect()
}

fn point(lines: &[usize], at: usize) -> Point {
    let row = lines.partition_point(|&start| start <= at).saturating_sub(1);
    Point::new(row, at - lines[row])
}

/// Where a text that starts at `from` ends.
fn advance(from: Point, text: &[u8]) -> Point {
    let rows = text.iter().filter(|c| **c == b'\n').count();
    match text.iter().rposition(|c| *c == b'\n') {
        Some(last) => Point::new(from.row + rows, text.len() - last - 1),
        None => Point::new(from.row, from.column + text.len()),
    }
}

impl Language for Grammar {
    fn name(&self) -> &'static str {
        self.name
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn lexis(&self) -> &'static Lexis {
        self.lexis
    }

    fn layout(&self) -> Layout {
        self.layout
    }

    fn constants(&self) -> &'static [&'static str] {
        self.constants
    }

    fn truths(&self) -> &'static [(&'static str, &'static str)] {
        self.truths
    }

    fn samples(&self) -> &'static [(&'static str, &'static str)] {
        self.samples
    }

    fn parse(&self, text: &[u8]) -> Syntax {
        let (filled, full) = self.fill(text);
        match self.parser().parse(&full, None) {
            Some(tree) => Syntax {
                tree: self.compiled().arena(&tree, &full, &filled),
                errors: errors(&tree),
                state: Box::new(State { tree, lines: line_starts(&full), filled }),
            },
            None => crate::text::TEXT.parse(text),
        }
    }

    fn reparse(&self, base: &Parsed, edits: &[Edit], text: &[u8]) -> usize {
        let Some(State { tree, lines, filled }) = base.syntax.state.downcast_ref() else {
            return self.parse(text).errors;
        };
        // Short texts are parsed anew where something is implied; in long ones it is rare.
        if !filled.places.is_empty() || text.len() < FILLED {
            let (now, text) = self.fill(text);
            if !filled.places.is_empty() || !now.places.is_empty() {
                return self.parser().parse(&text, None).map_or(usize::MAX, |new| errors(&new));
            }
        }
        let mut old = tree.clone();
        // From the back, so that the base's own positions stay right for the edits before.
        for edit in edits.iter().rev() {
            let start = point(lines, edit.start);
            old.edit(&InputEdit {
                start_byte: edit.start,
                old_end_byte: edit.end,
                new_end_byte: edit.start + edit.text.len(),
                start_position: start,
                old_end_position: point(lines, edit.end),
                new_end_position: advance(start, &edit.text),
            });
        }
        self.parser().parse(text, Some(&old)).map_or(usize::MAX, |new| errors(&new))
    }

    fn bindings(&self, file: &Parsed) -> Bindings {
        let Some(State { tree, filled, .. }) = file.syntax.state.downcast_ref() else {
            return Bindings::default();
        };
        let compiled = self.compiled();
        let mut found = (file.tree(), Vec::new());
        captures(
            &compiled.bindings,
            (tree, &file.text, filled),
            &mut found,
            |found| found.0,
            |found, id, _, capture| {
                found.1.extend(compiled.facts[capture].map(|fact| (id, fact)));
            },
        );
        bindings::resolve(&file.text, file.tree(), &found.1, self.hoisted)
    }

    fn fit(&self, base: &Parsed, slot: NodeId, node: NodeId) -> Fit {
        let compiled = self.compiled();
        let tree = base.tree();
        let (wanted, kind) = (tree.kind(slot), tree.kind(node));
        let supertypes = |kind: Kind| compiled.supertypes.get(kind.0 as usize).copied().unwrap_or(0);
        if wanted == kind {
            return Fit::SameKind;
        }
        if supertypes(wanted) & supertypes(kind) != 0 {
            return Fit::Related;
        }
        let state = tree.parse_state(slot);
        let next = compiled.next_state(state, tree.grammar_kind(node));
        let follows = || tree.following_leaf(slot).map_or(0, |leaf| tree.grammar_kind(leaf));
        if next != 0 && compiled.accepts(next, follows()) { Fit::Allowed } else { Fit::Unlikely }
    }
}

impl Compiled {
    /// The parser's state after a symbol; 0 where the grammar does not take it.
    fn next_state(&self, state: u16, symbol: u16) -> u16 {
        let known = (state as usize) < self.grammar.parse_state_count();
        // `next_state` takes only symbols of the grammar: the error symbol is none.
        if known && (symbol as usize) < self.kinds.len() { self.grammar.next_state(state, symbol) } else { 0 }
    }

    /// Whether `symbol` may come in `state`.
    fn accepts(&self, state: u16, symbol: u16) -> bool {
        self.grammar.lookahead_iterator(state).is_some_and(|mut symbols| symbols.any(|s| s == symbol))
    }
}
