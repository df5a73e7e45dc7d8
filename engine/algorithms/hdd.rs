//! HDD: delta debugging on each level of the tree, from the root down.
//!
//! Misherghi and Su, "HDD: Hierarchical Delta Debugging" (ICSE 2006), section 3. A node that the grammar
//! requires is replaced by the shortest text that fits into its place, if the language knows one.

use super::descent::Descent;
use super::pruned::Pruned;
use crate::asker::Halt;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

/// Runs HDD once down the tree of each file.
pub(super) fn once(descent: &mut Descent) -> Result<(), Halt> {
    once_with(descent, Pruned::may_shrink, |tree, places| tree.pruned(places))
}

/// As [`once`], but deletes nodes without a replacement: the simple variant, whose candidates the grammar may
/// refuse.
pub(super) fn delete_once(descent: &mut Descent) -> Result<(), Halt> {
    once_with(descent, |_, _| true, |tree, places| tree.without(places))
}

/// HDD over the places that `is_open` selects, which `prune` deletes or replaces.
fn once_with(
    descent: &mut Descent,
    is_open: fn(&Pruned, NodeId) -> bool,
    prune: fn(&Pruned, Vec<NodeId>) -> Pruned,
) -> Result<(), Halt> {
    for (id, file) in descent.files() {
        let mut tree = Pruned::new(file);
        for depth in 0.. {
            let level = tree.at_depth(depth);
            if level.is_empty() {
                break;
            }
            let open: Vec<_> = level.into_iter().filter(|&place| is_open(&tree, place)).collect();
            if open.is_empty() {
                continue;
            }
            let pruned = |kept: &[_]| {
                let kept: BTreeSet<_> = kept.iter().copied().collect();
                prune(&tree, open.iter().copied().filter(|place| !kept.contains(place)).collect())
            };
            let kept = descent.least(id, &open, |kept| pruned(kept).text())?;
            tree = pruned(&kept);
        }
    }
    Ok(())
}
