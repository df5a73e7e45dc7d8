//! GTR: deletes nodes on each level of the tree, then replaces nodes by one of their children.
//!
//! Herfert, Patra and Pradel, "Automatically Reducing Tree-Structured Test Inputs" (ASE 2017), section 3. The
//! published tool learns from a corpus which node fits into which place; here the grammar decides it.

use super::descent::Descent;
use super::pruned::Pruned;
use crate::asker::Halt;
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

/// Runs GTR once down the tree of each file.
pub(super) fn once(descent: &mut Descent) -> Result<(), Halt> {
    for (id, file) in descent.files() {
        let mut tree = Pruned::new(file);
        for depth in 0.. {
            if tree.at_depth(depth).is_empty() {
                break;
            }
            tree = delete(descent, id, tree, depth)?;
            tree = substitute(descent, id, tree, depth)?;
        }
    }
    Ok(())
}

/// The deletion template: deletes as many nodes of a level as possible.
fn delete(descent: &mut Descent, id: FileId, tree: Pruned, depth: usize) -> Result<Pruned, Halt> {
    let open: Vec<_> = tree.at_depth(depth).into_iter().filter(|&place| tree.may_vanish(place)).collect();
    if open.is_empty() {
        return Ok(tree);
    }
    let rest = |kept: &[_]| {
        let kept: BTreeSet<_> = kept.iter().copied().collect();
        tree.without(open.iter().copied().filter(|place| !kept.contains(place)))
    };
    let kept = descent.least(id, &open, |kept| rest(kept).text())?;
    Ok(rest(&kept))
}

/// The substitution template: replaces each node of a level, except the root, by its smallest child that is
/// accepted.
fn substitute(descent: &mut Descent, id: FileId, mut tree: Pruned, depth: usize) -> Result<Pruned, Halt> {
    let mut whole = tree.text();
    for place in tree.at_depth(depth).into_iter().filter(|&place| place != NodeId::ROOT) {
        let children = smallest_first(&tree, place);
        let text =
            |&child: &NodeId| tree.replaced(place, child).text().filter(|text| Some(text) != whole.as_ref());
        for (i, child) in children.iter().enumerate() {
            let mut ahead = children[i + 1..].iter().filter_map(text);
            if let Some(text) = text(child)
                && descent.accepts_grammatical(id, text.clone(), &mut ahead)?
            {
                drop(ahead);
                whole = Some(text);
                tree = tree.replaced(place, *child);
                break;
            }
        }
    }
    Ok(tree)
}

/// The children of a place's content, without punctuation, smallest first.
fn smallest_first(tree: &Pruned, place: NodeId) -> Vec<NodeId> {
    let file = tree.file();
    let is_named = |child: &NodeId| file.tree().is_named(tree.content(*child));
    let mut children: Vec<_> = tree.children(place).filter(is_named).collect();
    children.sort_by_cached_key(|&child| (tree.tokens(child), file.node_text(tree.content(child)).len()));
    children
}
