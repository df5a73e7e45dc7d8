//! The textbook Perses: a queue of trees and nodes, the smallest tree first. Each success is a tree of its
//! own, from which the search continues.
//!
//! After the account of Perses in the documents on input reduction by Gopinath and Zeller: a node is replaced
//! by a descendant of its own kind, or by nothing where the grammar allows that. Successes in different
//! places are not combined. The lists and options of the paper are in `perses`.

use super::descent::Descent;
use super::pruned::Pruned;
use crate::asker::Halt;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// The order of the queue: by the leaves of the whole tree, then by those of the subtree, then by age.
type Order = (usize, usize, usize);

/// Trees, each with the place to reduce next.
#[derive(Default)]
struct Queue {
    entries: BTreeMap<Order, (Pruned, NodeId)>,
    pushed: usize,
}

impl Queue {
    /// Adds a tree with its number of leaves.
    fn push(&mut self, leaves: usize, tree: Pruned, place: NodeId) {
        self.entries.insert((leaves, tree.leaves(place), self.pushed), (tree, place));
        self.pushed += 1;
    }
}

/// Runs the textbook Perses once through each file.
pub(super) fn once(descent: &mut Descent) -> Result<(), Halt> {
    for (id, file) in descent.files() {
        let tree = Pruned::new(file);
        let mut tried: BTreeSet<Vec<u8>> = tree.text().into_iter().collect();
        let mut queue = Queue::default();
        queue.push(tree.leaves(NodeId::ROOT), tree, NodeId::ROOT);
        while let Some(((leaves, ..), (tree, place))) = queue.entries.pop_first() {
            let mut fruitless = true;
            let candidates = replacements(&tree, place);
            for (i, candidate) in candidates.iter().enumerate() {
                let Some(text) = candidate.text() else { continue };
                let mut ahead = candidates[i + 1..].iter().filter_map(Pruned::text);
                if tried.insert(text.clone()) && descent.accepts(id, text, &mut ahead)? {
                    queue.push(candidate.leaves(NodeId::ROOT), candidate.clone(), place);
                    fruitless = false;
                }
            }
            if fruitless && !is_token(&tree, place) {
                let is_named = |child: &NodeId| tree.file().tree().is_named(tree.content(*child));
                for child in tree.children(place).filter(is_named) {
                    queue.push(leaves, tree.clone(), child);
                }
            }
        }
    }
    Ok(())
}

/// Whether the user's grammar declares the content of a place a token, so that its parts do not matter.
fn is_token(tree: &Pruned, place: NodeId) -> bool {
    let file = tree.file();
    file.language.parser().is_some() && file.tree().has(tree.content(place), Role::Literal)
}

/// The trees in which a place is empty, or replaced by a descendant of its kind, in pre-order.
fn replacements(tree: &Pruned, place: NodeId) -> Vec<Pruned> {
    let kind = |place| tree.file().tree().kind(tree.content(place));
    let empty = tree.may_go(place).then(|| tree.without([place]));
    let same = tree.descendants(place).filter(|&node| kind(node) == kind(place));
    empty.into_iter().chain(same.map(|node| tree.replaced(place, node))).collect()
}
