//! The pattern, made ready for embedding: what is only punctuation is left out, and so are nodes around a single one.

use super::statements::{Tie, has_body, is_place, whole_of};
use crate::Pattern;
use crate::pattern::Sort;
use lopper_languages::bindings::{self, Definition};
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use lopper_languages::{Language, Parsed};
use std::collections::{BTreeMap, BTreeSet};

/// The roles that a node keeps when a reduction changes its kind.
const ROLES: [Role; 7] = [
    Role::Statement,
    Role::Block,
    Role::Expression,
    Role::Type,
    Role::Function,
    Role::Parameters,
    Role::Arguments,
];

/// What a piece may be embedded at.
#[derive(Clone, Debug)]
pub(super) enum Label {
    /// A token or literal with this text.
    Text(Vec<u8>),
    /// A name, whichever.
    Name,
    /// What may stand in a hole of this sort.
    Hole(Sort),
    /// An inner node of this kind.
    Kind(String),
    /// An inner node with these roles, or of this kind.
    Roles(Vec<Role>, String),
    /// Any inner node.
    Any,
}

/// A node of the pattern that has to be embedded.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) label: Label,
    /// The pieces below it.
    pub(super) children: Vec<usize>,
    /// The hole that it is.
    pub(super) hole: Option<usize>,
    /// What must be the same in several places.
    pub(super) variable: Option<usize>,
    pub(super) tie: Tie,
    /// Something below it, or itself, is a variable.
    pub(super) is_bound: bool,
}

/// A definition of the pattern that may be anywhere.
#[derive(Clone, Debug)]
pub(super) struct Lifted {
    /// What is defined.
    pub(super) variable: usize,
    /// What must be in the definition besides the name.
    pub(super) pieces: Vec<usize>,
}

/// The pieces of a pattern: those below a piece come before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub(super) pieces: Vec<Piece>,
    pub(super) root: usize,
    pub(super) lifted: Vec<Lifted>,
    /// The pieces on top, and the kinds of definitions in which they are not embedded.
    pub(super) top: BTreeSet<usize>,
    pub(super) outside: Vec<String>,
}

/// A pattern of source code, made ready for embedding in many files.
#[derive(Debug)]
pub struct Needle<'p> {
    pub(super) pattern: &'p Pattern,
    whole: Option<Shape>,
    /// Without the definitions that may be anywhere, if there are any.
    lifted: Option<Shape>,
    /// The pattern of the excerpt.
    pub(super) excerpt: Option<Box<Self>>,
}

impl<'p> Needle<'p> {
    /// Makes a pattern ready; `language` is the pattern's. A pattern of a user's grammar is never embedded: its
    /// language has no roles.
    pub fn new(pattern: &'p Pattern, language: &'static dyn Language) -> Self {
        let example = Parsed::new(language, pattern.example.clone());
        let nodes = originals(pattern, &example).filter(|_| pattern.grammar.is_none());
        let own = pattern.excerpt.as_deref();
        let excerpt = own.map(|excerpt| Box::new(Self::new(excerpt, language)));
        let Some(nodes) = nodes else { return Self { pattern, whole: None, lifted: None, excerpt } };
        let making = Making::new(pattern, &example, nodes);
        let whole = making.shape(&BTreeMap::new());
        let apart = making.definitions_apart();
        let lifted = if apart.is_empty() { whole.clone() } else { making.shape(&apart) };
        Self { pattern, whole, lifted, excerpt }
    }

    pub(super) fn shape(&self, meant: bool) -> Option<&Shape> {
        if meant { self.lifted.as_ref() } else { self.whole.as_ref() }
    }
}

/// The example's nodes of the pattern's ones: none for insertions. `None` if the pattern is not of this example.
fn originals(pattern: &Pattern, example: &Parsed) -> Option<Vec<Option<NodeId>>> {
    let tree = example.tree();
    let mut next = NodeId::ROOT;
    let mut nodes = Vec::with_capacity(pattern.nodes.len());
    for node in &pattern.nodes {
        if node.hole.is_some_and(|hole| pattern.holes[hole].sort.is_insertion()) {
            nodes.push(None);
            continue;
        }
        if next.0 as usize >= tree.len() || tree.kind_name(next) != node.kind {
            return None;
        }
        nodes.push(Some(next));
        let last = if node.hole.is_some() { tree.last_leaf(next) } else { next };
        next = NodeId(last.0 + 1);
    }
    (next.0 as usize == tree.len()).then_some(nodes)
}

/// Whether a token only separates or encloses: its parent's kind says as much.
fn is_punctuation(text: &[u8]) -> bool {
    text.iter().all(|c| b"()[]{},;:".contains(c))
}

/// The roles of a node that a reduction leaves.
fn roles(tree: &Tree, node: NodeId) -> Vec<Role> {
    ROLES.into_iter().filter(|&role| tree.has(node, role)).collect()
}

/// The making of shapes.
struct Making<'p> {
    pattern: &'p Pattern,
    example: &'p Parsed,
    nodes: Vec<Option<NodeId>>,
    /// The pattern's nodes of the example's ones.
    places: BTreeMap<NodeId, usize>,
    /// What must be the same as in other places, of the nodes of the pattern where that is so.
    variables: BTreeMap<usize, usize>,
    /// The variables of definitions.
    defined: BTreeMap<usize, usize>,
}

impl<'p> Making<'p> {
    fn new(pattern: &'p Pattern, example: &'p Parsed, nodes: Vec<Option<NodeId>>) -> Self {
        let tree = example.tree();
        let bindings = example.bindings(0);
        let (mut variables, mut defined) = (BTreeMap::new(), BTreeMap::new());
        for (at, node) in pattern.nodes.iter().enumerate() {
            let Some(own) = nodes[at] else { continue };
            let definition = bindings.of(own).filter(|_| tree.has(own, Role::Name) && tree.is_leaf(own));
            let is_coupled = |hole: usize| pattern.holes[hole].coupled;
            match (node.hole, definition) {
                (Some(hole), definition) if is_coupled(hole) => {
                    variables.insert(at, hole);
                    definition.into_iter().for_each(|d| _ = defined.insert(d, hole));
                }
                (None, Some(definition)) if may_be_renamed(pattern, at) => {
                    let variable = pattern.holes.len() + definition;
                    variables.insert(at, variable);
                    defined.insert(definition, variable);
                }
                _ => {}
            }
        }
        let place = |(at, node): (usize, &Option<NodeId>)| node.map(|node| (node, at));
        let places = nodes.iter().enumerate().filter_map(place).collect();
        Self { pattern, example, nodes, places, variables, defined }
    }

    /// The definitions that may be anywhere: the nodes of the pattern that hold them, with their variables. They
    /// are of variables, parameters or imports that are used elsewhere only.
    fn definitions_apart(&self) -> BTreeMap<usize, usize> {
        let tree = self.example.tree();
        let all = self.example.bindings(0).definitions();
        let mut apart = BTreeMap::new();
        for (&at, &variable) in &self.variables {
            // Where the text is broken, nothing defines parameters.
            let Some(whole) = self.nodes[at].map(|name| whole_of(tree, name)) else { continue };
            let is_parameter = tree.parent(whole).is_some_and(|parent| tree.has(parent, Role::Parameters));
            let Some(&whole) = self.places.get(&whole).filter(|_| is_parameter) else { continue };
            let inside = whole..self.pattern.nodes[whole].last;
            let mut others = self.variables.iter().filter(|(_, other)| **other == variable);
            if others.any(|(at, _)| !inside.contains(at)) {
                apart.insert(whole, variable);
            }
        }
        for (&index, &variable) in &self.defined {
            let definition: &Definition = &all[index];
            use bindings::Sort;
            if !matches!(definition.sort, Sort::Variable | Sort::Import) {
                continue;
            }
            for place in &definition.places {
                let whole = whole_of(tree, place.name);
                let is_inside = definition.uses.iter().any(|used| tree.is_within(used.name, whole));
                let at = self.places.get(&whole).copied();
                let at = at.filter(|&at| self.pattern.nodes[at].hole.is_none() || whole == place.name);
                if let Some(at) =
                    at.filter(|_| !is_inside && !definition.uses.is_empty() && !has_body(tree, whole))
                {
                    apart.insert(at, variable);
                }
            }
        }
        apart
    }

    /// The pieces of the pattern, with definitions apart.
    fn shape(&self, apart: &BTreeMap<usize, usize>) -> Option<Shape> {
        let (pattern, tree) = (self.pattern, self.example.tree());
        let mut shape = Shape::default();
        let mut made: BTreeMap<usize, usize> = BTreeMap::new();
        // The nodes that pieces were made from.
        let mut from: BTreeMap<usize, usize> = BTreeMap::new();
        // Pieces of inner nodes without roles.
        let mut clauses: BTreeSet<usize> = BTreeSet::new();
        let mut inside_of: BTreeSet<usize> = BTreeSet::new();
        for at in (0..pattern.nodes.len()).filter(|&at| self.is_atom(at)) {
            inside_of.extend(at + 1..pattern.nodes[at].last);
        }
        for at in (0..pattern.nodes.len()).rev() {
            let node = &pattern.nodes[at];
            let Some(own) = self.nodes[at].filter(|_| !inside_of.contains(&at)) else { continue };
            let is_leaf = node.last == at + 1 || self.is_atom(at);
            let is_hidden = tree.has(own, Role::Comment)
                || (node.hole.is_none()
                    && is_leaf
                    && (node.range.is_empty() || is_punctuation(pattern.text(at))));
            if is_hidden {
                continue;
            }
            let mut children: Vec<usize> = if is_leaf {
                Vec::new()
            } else {
                pattern.children(at).filter_map(|c| made.get(&c).copied()).collect()
            };
            if let Some(&variable) = apart.get(&at) {
                children.retain(|&child| {
                    let piece = &shape.pieces[child];
                    let is_name = piece.variable == Some(variable);
                    let is_word = |text: &[u8]| text.first().is_some_and(u8::is_ascii_alphanumeric);
                    !is_name && !matches!(&piece.label, Label::Text(text) if !is_word(text))
                });
                shape.lifted.push(Lifted { variable, pieces: children });
                continue;
            }
            if let ([only], false) = (&children[..], is_leaf || self.encloses(at, own)) {
                made.insert(at, *only);
                continue;
            }
            let label = match node.hole {
                Some(hole) => Label::Hole(pattern.holes[hole].sort.clone()),
                None if is_leaf && self.variables.contains_key(&at) => Label::Name,
                None if is_leaf => Label::Text(pattern.text(at).to_vec()),
                None => self.inner(at, own, &children, &clauses),
            };
            for &child in &children {
                shape.pieces[child].tie = self.tie(at, from[&child]);
            }
            let variable = self.variables.get(&at).copied();
            let is_bound = variable.is_some() || children.iter().any(|&child| shape.pieces[child].is_bound);
            shape.pieces.push(Piece {
                label,
                children,
                hole: node.hole,
                variable,
                tie: Tie::Loose,
                is_bound,
            });
            made.insert(at, shape.pieces.len() - 1);
            from.insert(shape.pieces.len() - 1, at);
            if !is_leaf && roles(tree, own).is_empty() {
                clauses.insert(shape.pieces.len() - 1);
            }
        }
        shape.root = *made.get(&0)?;
        if !pattern.outside.is_empty() {
            shape.top = pattern.children(0).filter_map(|child| made.get(&child).copied()).collect();
            shape.outside = pattern.outside.iter().map(|outside| outside.kind.clone()).collect();
        }
        // Operators and holes alone are in almost every file.
        let is_word = |text: &[u8]| text.iter().any(|c| c.is_ascii_alphanumeric() || !c.is_ascii());
        let tells = |piece: &Piece| matches!(&piece.label, Label::Text(text) if is_word(text));
        shape.pieces.iter().any(tells).then_some(shape)
    }

    /// Whether a node counts as a token, whatever is below it.
    fn is_atom(&self, at: usize) -> bool {
        let is_literal = |node: NodeId| self.example.tree().has(node, Role::Literal);
        self.pattern.nodes[at].hole.is_none() && self.nodes[at].is_some_and(is_literal)
    }

    /// Whether a node puts something in brackets that would be gone if they meant nothing.
    fn encloses(&self, at: usize, own: NodeId) -> bool {
        let tree = self.example.tree();
        let mut roles = [Role::Expression, Role::Arguments, Role::Parameters].into_iter();
        let is_bracket =
            |child: usize| !self.pattern.nodes[child].named && !self.pattern.text(child).is_empty();
        roles.any(|role| tree.has(own, role)) && self.pattern.children(at).any(is_bracket)
    }

    /// How a piece made from a node is tied to the one made from a node above it.
    fn tie(&self, above: usize, node: usize) -> Tie {
        let Some((above, node)) = self.nodes[above].zip(self.nodes[node]) else { return Tie::Loose };
        let tree = self.example.tree();
        if tree.is_error(above) {
            return Tie::Loose;
        }
        if !tree.is_named(node) && tree.parent(node) == Some(above) {
            return Tie::Child;
        }
        let mut between = std::iter::once(node).chain(tree.ancestors(node)).take_while(|&node| node != above);
        if between.any(|node| is_place(tree, node)) { Tie::Loose } else { Tie::Statement }
    }

    /// The label of an inner node: its kind matters if no token or clause of its own tells what it is.
    fn inner(&self, at: usize, own: NodeId, children: &[usize], clauses: &BTreeSet<usize>) -> Label {
        let tree = self.example.tree();
        let kind = self.pattern.nodes[at].kind.clone();
        let roles = roles(tree, own);
        if tree.is_error(own) {
            return Label::Any;
        }
        // An operator tells it, too, even if it may be any.
        let is_word =
            |child: usize| !self.pattern.nodes[child].named && !is_punctuation(self.pattern.text(child));
        let has_words = self.pattern.children(at).any(is_word);
        let has_clauses = children.iter().any(|&child| clauses.contains(&child));
        match (has_words || has_clauses) && !roles.is_empty() {
            true => Label::Roles(roles, kind),
            false => Label::Kind(kind),
        }
    }
}

/// Whether the name in a node may be another one: nothing is known that says it must stay.
fn may_be_renamed(pattern: &Pattern, at: usize) -> bool {
    let mut names = pattern.fixed.iter().filter(|fixed| fixed.sort == Sort::Role(Role::Name));
    !names.any(|fixed| pattern.example[fixed.range.clone()] == *pattern.text(at))
}
