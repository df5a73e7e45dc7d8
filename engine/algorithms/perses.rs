//! Perses: takes the node with most tokens first, shortens lists by delta debugging, and replaces other nodes
//! by descendants that fit.
//!
//! Sun, Li, Zhang, Gu and Su, "Perses: Syntax-Guided Program Reduction" (ICSE 2018), section 3. The paper
//! rewrites the grammar so that lists and options are nodes of their own; here the list of a node consists of
//! its optional children. A candidate that the grammar refuses is not tested.

use super::descent::Descent;
use super::pruned::Pruned;
use crate::asker::Halt;
use lopper_languages::Fit;
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// The depth below a node to which replacements for it are looked for.
const DEPTH: usize = 4;

/// Runs Perses once through each file.
pub(super) fn once(descent: &mut Descent) -> Result<(), Halt> {
    for (id, file) in descent.files() {
        let mut tree = Pruned::new(file);
        let entry = |tree: &Pruned, place: NodeId| (tree.tokens(place), Reverse(place));
        let mut queue = BinaryHeap::from([entry(&tree, NodeId::ROOT)]);
        while let Some((_, Reverse(place))) = queue.pop() {
            if let Some(smaller) = replace(descent, id, &tree, place)? {
                tree = smaller;
                queue.push(entry(&tree, place));
                continue;
            }
            tree = shorten(descent, id, tree, place)?;
            queue.extend(tree.children(place).map(|child| entry(&tree, child)));
        }
    }
    Ok(())
}

/// Deletes as many elements as possible of the list below a place.
fn shorten(descent: &mut Descent, id: FileId, tree: Pruned, place: NodeId) -> Result<Pruned, Halt> {
    let list: Vec<_> = tree.children(place).filter(|&child| tree.may_go(child)).collect();
    if list.is_empty() {
        return Ok(tree);
    }
    let rest = |kept: &[_]| {
        let kept: BTreeSet<_> = kept.iter().copied().collect();
        tree.without(list.iter().copied().filter(|child| !kept.contains(child)))
    };
    let kept = descent.least(id, &list, |kept| rest(kept).text())?;
    Ok(rest(&kept))
}

/// The smallest accepted tree in which a descendant that fits replaces the content of a place.
fn replace(descent: &mut Descent, id: FileId, tree: &Pruned, place: NodeId) -> Result<Option<Pruned>, Halt> {
    if place == NodeId::ROOT {
        return Ok(None);
    }
    let mut found = fitting(tree, place);
    found.sort_by_cached_key(|&descendant| tree.tokens(descendant));
    let text = |&descendant: &NodeId| tree.replaced(place, descendant).text();
    for (i, descendant) in found.iter().enumerate() {
        let mut ahead = found[i + 1..].iter().filter_map(text);
        if let Some(text) = text(descendant)
            && descent.accepts_grammatical(id, text, &mut ahead)?
        {
            return Ok(Some(tree.replaced(place, *descendant)));
        }
    }
    Ok(None)
}

/// The descendants that fit into a place and are smaller than its content, breadth first.
fn fitting(tree: &Pruned, place: NodeId) -> Vec<NodeId> {
    let file = tree.file();
    let size = |node| (tree.tokens(node), file.node_text(tree.content(node)).len());
    let whole = size(place);
    let mut found = Vec::new();
    let mut level: Vec<NodeId> = tree.children(place).collect();
    for _ in 0..DEPTH {
        let fits = |&node: &NodeId| {
            let content = tree.content(node);
            file.tree().is_named(content)
                && size(node) < whole
                && file.language.fit(file, place, content) < Fit::Unlikely
        };
        found.extend(level.iter().copied().filter(fits));
        level = level.into_iter().flat_map(|node| tree.children(node)).collect();
    }
    found
}
