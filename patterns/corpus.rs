//! Fragments of files, sorted by where they can stand: what is drawn in the place of a node of source code.

use crate::find::is_operator;
use crate::pattern::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use lopper_languages::{Parsed, layout};
use std::collections::{BTreeMap, BTreeSet};

/// Longer fragments are not kept: what is drawn should be read.
const LONGEST: usize = 300;

/// So many fragments of a sort are kept, the first ones.
const MOST: usize = 3000;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fragment {
    /// The text; lines but the first are indented as if the first one were not.
    pub(crate) text: Vec<u8>,
    /// The names in it that it does not define.
    pub(crate) free: Vec<Vec<u8>>,
}

/// Fragments by sort. Those of insertions are single statements and items.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corpus {
    fragments: BTreeMap<Sort, Vec<Fragment>>,
    names: BTreeSet<Vec<u8>>,
}

impl Corpus {
    /// The fragments of files. O(nodes · log nodes), and the texts.
    pub(crate) fn new(files: &[&Parsed]) -> Self {
        let mut corpus = Self::default();
        let mut known: BTreeSet<(Sort, Vec<u8>)> = BTreeSet::new();
        for file in files {
            let tree = file.tree();
            for node in tree.nodes().skip(1) {
                let range = tree.range(node);
                if tree.has(node, Role::Name) && tree.is_leaf(node) {
                    corpus.names.insert(file.node_text(node).to_vec());
                }
                if range.is_empty() || range.len() > LONGEST || tree.is_error(node) {
                    continue;
                }
                for sort in sorts_of(file, node) {
                    let fragments = corpus.fragments.entry(sort.clone()).or_default();
                    let text = layout::moved(file, range.clone(), b"");
                    if fragments.len() < MOST && known.insert((sort, text.clone())) {
                        fragments.push(Fragment { text, free: free_names(file, node) });
                    }
                }
            }
        }
        corpus
    }

    /// The fragments of a sort.
    pub(crate) fn of(&self, sort: &Sort) -> &[Fragment] {
        self.fragments.get(sort).map_or(&[], Vec::as_slice)
    }

    /// All names in the files.
    pub(crate) fn names(&self) -> &BTreeSet<Vec<u8>> {
        &self.names
    }
}

/// The sorts of holes that a node can stand in.
fn sorts_of(file: &Parsed, node: NodeId) -> Vec<Sort> {
    let tree = file.tree();
    let mut sorts = Vec::new();
    if tree.has(node, Role::Comment) || tree.has(node, Role::Separator) || tree.has(node, Role::Terminator) {
        return sorts;
    }
    for role in [Role::Statement, Role::Expression, Role::Type] {
        if tree.has(node, role) {
            sorts.push(Sort::Role(role));
        }
    }
    if tree.has(node, Role::Literal) {
        sorts.push(Sort::Kind(tree.kind_name(node).to_owned()));
    }
    if is_operator(file, node) {
        sorts.push(Sort::Operator);
    }
    if let Some(parent) = tree.parent(node).filter(|_| tree.is_named(node)) {
        let kind = tree.kind_name(parent).to_owned();
        if tree.has(parent, Role::Block) {
            sorts.push(Sort::Statements(kind));
        } else if is_list(file, parent) {
            sorts.push(Sort::Items(kind));
        }
    }
    sorts
}

/// Whether a node is a list: its items have separators, or it has the parameters or arguments of something.
pub(crate) fn is_list(file: &Parsed, node: NodeId) -> bool {
    let tree = file.tree();
    let is_filled = tree.child_with(node, Role::Separator).is_some() && !tree.has(node, Role::Block);
    is_filled || tree.has(node, Role::Arguments) || tree.has(node, Role::Parameters)
}

/// The names in a node that it does not define, but for those of fields and methods.
pub(crate) fn free_names(file: &Parsed, node: NodeId) -> Vec<Vec<u8>> {
    let tree = file.tree();
    let bindings = file.bindings(0);
    let mut free: BTreeSet<Vec<u8>> = BTreeSet::new();
    for name in std::iter::once(node).chain(tree.descendants(node)) {
        if !tree.has(name, Role::Name) || !tree.is_leaf(name) || is_member(file, name) {
            continue;
        }
        let definition = bindings.of(name).map(|definition| &bindings.definitions()[definition]);
        let is_own = definition.is_some_and(|d| d.places.iter().any(|p| tree.is_within(p.name, node)));
        if !is_own {
            free.insert(file.node_text(name).to_vec());
        }
    }
    free.into_iter().collect()
}

/// Whether a name is that of a field or method of something else.
pub(crate) fn is_member(file: &Parsed, name: NodeId) -> bool {
    let tree = file.tree();
    let parent = tree.parent(name).filter(|&parent| tree.has(parent, Role::Access));
    parent.is_some_and(|parent| {
        tree.named_children(parent).next() != Some(name) && tree.child_with(parent, Role::Arguments).is_none()
    })
}
