//! A file, made ready for embedding patterns in it.

use super::statements::{Tie, has_body, is_place, whole_of};
use crate::find::Haystack;
use lopper_languages::Parsed;
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// What a name means.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    /// What the name stands for is in here.
    pub(super) node: NodeId,
    /// The uses of the name outside of it.
    pub(super) names: Vec<NodeId>,
}

/// What a name stands for: its definition, or, if the file has none, its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key<'f> {
    Definition(usize),
    Text(&'f [u8]),
}

/// See the module. All is found when it is first needed.
#[derive(Debug)]
pub struct Ground<'f> {
    pub(super) file: &'f Parsed,
    haystack: OnceLock<Haystack<'f>>,
    texts: OnceLock<BTreeMap<&'f [u8], Vec<NodeId>>>,
    kinds: OnceLock<BTreeMap<&'static str, Vec<NodeId>>>,
    meanings: OnceLock<Vec<Meaning>>,
    statements: OnceLock<Vec<NodeId>>,
}

impl<'f> Ground<'f> {
    /// Of a file.
    pub fn new(file: &'f Parsed) -> Self {
        let (haystack, texts, kinds, meanings, statements) = Default::default();
        Self { file, haystack, texts, kinds, meanings, statements }
    }

    pub(super) fn haystack(&self) -> &Haystack<'f> {
        self.haystack.get_or_init(|| Haystack::new(self.file))
    }

    /// The tokens and literals with a text, in the order of the text.
    pub(super) fn texts(&self, text: &[u8]) -> &[NodeId] {
        let texts = self.texts.get_or_init(|| {
            let tree = self.file.tree();
            let mut texts: BTreeMap<_, Vec<NodeId>> = BTreeMap::new();
            for node in tree.nodes().filter(|&node| tree.is_leaf(node) || tree.has(node, Role::Literal)) {
                texts.entry(self.file.node_text(node)).or_default().push(node);
            }
            texts
        });
        texts.get(text).map_or(&[], Vec::as_slice)
    }

    /// The nodes of a kind, in the order of the text.
    pub(super) fn kinds(&self, kind: &str) -> &[NodeId] {
        let kinds = self.kinds.get_or_init(|| {
            let tree = self.file.tree();
            let mut kinds: BTreeMap<_, Vec<NodeId>> = BTreeMap::new();
            for node in tree.nodes().filter(|&node| tree.is_named(node)) {
                kinds.entry(tree.kind_name(node)).or_default().push(node);
            }
            kinds
        });
        kinds.get(kind).map_or(&[], Vec::as_slice)
    }

    /// What a node below another one belongs to, as far as a tie asks for it.
    pub(super) fn owner(&self, tie: Tie, node: NodeId) -> NodeId {
        match tie {
            Tie::Loose => NodeId::ROOT,
            Tie::Statement => self.statement(node),
            Tie::Child => self.file.tree().parent(node).unwrap_or(NodeId::ROOT),
        }
    }

    /// What something tied to a node belongs to.
    pub(super) fn owner_below(&self, tie: Tie, above: NodeId) -> NodeId {
        match tie {
            Tie::Loose => NodeId::ROOT,
            Tie::Statement => self.statement(above),
            Tie::Child => above,
        }
    }

    /// The statement, or the place for statements, that a node is or stands in.
    fn statement(&self, node: NodeId) -> NodeId {
        let statements = self.statements.get_or_init(|| {
            let tree = self.file.tree();
            let mut statements: Vec<NodeId> = Vec::with_capacity(tree.len());
            for node in tree.nodes() {
                let above = tree.parent(node).map_or(node, |parent| statements[parent.0 as usize]);
                statements.push(if is_place(tree, node) { node } else { above });
            }
            statements
        });
        statements[node.0 as usize]
    }

    /// Whether a node is in no node of these kinds.
    pub(super) fn is_outside(&self, node: NodeId, kinds: &[String]) -> bool {
        let tree = self.file.tree();
        !tree.ancestors(node).any(|above| kinds.iter().any(|kind| tree.kind_name(above) == kind))
    }

    /// Whether a part of the text is in no node of these kinds.
    pub(super) fn is_text_outside(&self, part: &Range<usize>, kinds: &[String]) -> bool {
        let first = self.file.tree().starting_in(part.start..part.start + 1).last();
        first.is_none_or(|first| self.is_outside(first, kinds))
    }

    /// What names stand for: the values that variables are given, and the definitions of types.
    pub(super) fn meanings(&self) -> &[Meaning] {
        self.meanings.get_or_init(|| {
            let (tree, bindings) = (self.file.tree(), self.file.bindings(0));
            let mut meanings = Vec::new();
            let outside = |node: NodeId, names: Vec<NodeId>| Meaning {
                node,
                names: names.into_iter().filter(|&name| !tree.is_within(name, node)).collect(),
            };
            for known in bindings.definitions() {
                for place in &known.places {
                    let node = match known.sort {
                        Sort::Variable => self.value(place.name),
                        Sort::Type | Sort::Tag => {
                            Some(whole_of(tree, place.name)).filter(|&whole| !has_body(tree, whole))
                        }
                        _ => None,
                    };
                    let uses = || known.uses.iter().map(|used| used.name).collect();
                    meanings.extend(node.map(|node| outside(node, uses())));
                }
            }
            meanings.extend(tree.nodes().filter(|&node| self.names_a_type(node)).filter_map(|name| {
                let types = self.texts(self.file.node_text(name)).iter().copied();
                Some(outside(tree.parent(name)?, types.filter(|&node| tree.has(node, Role::Type)).collect()))
            }));
            meanings
        })
    }

    /// Whether a node is what a statement calls a type, in a word that the grammar takes for a type of the language:
    /// `int8_t` in C.
    fn names_a_type(&self, node: NodeId) -> bool {
        let tree = self.file.tree();
        let others = [Role::Name, Role::Type, Role::Literal, Role::Expression];
        let is_plain =
            tree.is_leaf(node) && tree.is_named(node) && !others.iter().any(|&role| tree.has(node, role));
        let statement = tree.parent(node).filter(|&parent| is_plain && tree.has(parent, Role::Statement));
        let aliased = statement.and_then(|statement| tree.child_with(statement, Role::Type));
        aliased.is_some_and(|aliased| aliased < node)
    }

    /// The value that an assignment or declaration gives to a name.
    fn value(&self, name: NodeId) -> Option<NodeId> {
        let tree = self.file.tree();
        let is_part = |&node: &NodeId| !tree.has(node, Role::Statement);
        let mut own = std::iter::once(name).chain(tree.ancestors(name)).take_while(is_part);
        own.find_map(|node| {
            let parent = tree.parent(node)?;
            tree.child_with(parent, Role::Value)
                .filter(|&value| value != node && !tree.is_within(name, value))
        })
    }

    /// What must be the same in all places of a variable.
    pub(super) fn key(&self, node: NodeId) -> Key<'f> {
        let definition = self.file.bindings(0).of(node);
        definition.map_or_else(|| Key::Text(self.file.node_text(node)), Key::Definition)
    }
}
