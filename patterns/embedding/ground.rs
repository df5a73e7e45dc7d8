//! A file, made ready for embedding patterns in it.

use super::needle::{has_body, whole_of};
use crate::find::Haystack;
use lopper_languages::Parsed;
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What a name means: where it stands, and the node that tells it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) definition: usize,
    /// What the name stands for is in here.
    pub(super) node: NodeId,
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
}

impl<'f> Ground<'f> {
    /// Of a file.
    pub fn new(file: &'f Parsed) -> Self {
        let (haystack, texts, kinds, meanings) = Default::default();
        Self { file, haystack, texts, kinds, meanings }
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

    /// What names stand for: the values that variables are given, and the definitions of types.
    pub(super) fn meanings(&self) -> &[Meaning] {
        self.meanings.get_or_init(|| {
            let (tree, bindings) = (self.file.tree(), self.file.bindings(0));
            let mut meanings = Vec::new();
            for (definition, known) in bindings.definitions().iter().enumerate() {
                for place in &known.places {
                    let node = match known.sort {
                        Sort::Variable => self.value(place.name),
                        Sort::Type | Sort::Tag => {
                            Some(whole_of(tree, place.name)).filter(|&whole| !has_body(tree, whole))
                        }
                        _ => None,
                    };
                    meanings.extend(node.map(|node| Meaning { definition, node }));
                }
            }
            meanings
        })
    }

    /// The value that an assignment or declaration gives to a name.
    fn value(&self, name: NodeId) -> Option<NodeId> {
        let tree = self.file.tree();
        let is_part = |&node: &NodeId| !tree.has(node, Role::Statement);
        let mut own = std::iter::once(name).chain(tree.ancestors(name)).take_while(is_part);
        own.find_map(|node| {
            let parent = tree.parent(node)?;
            tree.child_with(parent, Role::Value).filter(|&value| value != node && !tree.is_within(name, value))
        })
    }

    /// What must be the same in all places of a variable.
    pub(super) fn key(&self, node: NodeId) -> Key<'f> {
        let definition = self.file.bindings(0).of(node);
        definition.map_or_else(|| Key::Text(self.file.node_text(node)), Key::Definition)
    }
}
