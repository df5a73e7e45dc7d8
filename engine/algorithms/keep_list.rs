//! Keep-list reduction over alternatives: all possible reductions of all nodes of the tree form one list, and
//! delta debugging minimises the list of the reductions that are not made.
//!
//! After exercise 1 of "Reducing Failure-Inducing Inputs" in The Debugging Book (Zeller). The reductions of a
//! node are those that Lopper's passes propose: to delete it; to delete a definition and replace its uses by
//! constants; to replace the node by its body, its filler, a part of it, or a constant. If several reductions
//! of a node are made, the first one counts. Unlike in the book, if a node is replaced by a part of it, that
//! part is reduced further.

use super::descent::Descent;
use super::pruned::{Fate, Pruned};
use crate::asker::Halt;
use crate::isolate::{Outcome, keep_list_ahead};
use lopper_languages::tree::{NodeId, Tree};
use lopper_passes::{REDUCTIONS_OF_NODES, Source, Unit};

/// The fates of some nodes: of one, or of a definition with all uses of its name.
#[derive(Clone, Debug)]
struct Reduction(Vec<(NodeId, Fate)>);

/// Minimises the list of each file once.
pub(super) fn once(descent: &mut Descent) -> Result<(), Halt> {
    for (id, file) in descent.files() {
        let tree = Pruned::new(file);
        let all = reductions(&tree);
        let made = |made: &[&Reduction]| tree.reduced(made.iter().flat_map(|reduction| &reduction.0)).text();
        let reductions: Vec<&Reduction> = all.iter().collect();
        keep_list_ahead::<_, Halt>(&reductions, |reductions, ahead| {
            let mut ahead = ahead.filter_map(|reductions| made(&reductions));
            let text = made(reductions);
            let accepted = text.map(|text| descent.accepts_grammatical(id, text, &mut ahead)).transpose()?;
            Ok(if accepted == Some(true) { Outcome::Fail } else { Outcome::Unresolved })
        })?;
    }
    Ok(())
}

/// All reductions of a file's nodes, in pre-order; those of one node in the order of the passes. The list may
/// contain reductions that the grammar refuses: most of them concern nodes that are deleted with an ancestor,
/// so a check here would be wasted.
fn reductions(tree: &Pruned) -> Vec<Reduction> {
    let plans = REDUCTIONS_OF_NODES.iter().flat_map(|pass| (pass.plan)(tree.base()));
    let units = plans.flat_map(|group| group.units().to_vec());
    let mut found: Vec<Reduction> = units.filter_map(|unit| reduction(tree.file().tree(), &unit)).collect();
    found.sort_by_key(|reduction| reduction.0.iter().map(|(node, _)| *node).min());
    found
}

/// A pass's unit as a reduction; `None` unless it only deletes nodes or replaces them by a text or by a part
/// of them.
fn reduction(tree: &Tree, unit: &Unit) -> Option<Reduction> {
    let fate = match unit {
        Unit::Drop { node, .. } => (*node, Fate::Gone),
        Unit::Replace { node, by, .. } => (*node, fate(tree, *node, by)?),
        Unit::Together(units) => {
            let parts: Option<Vec<Reduction>> = units.iter().map(|unit| reduction(tree, unit)).collect();
            return Some(Reduction(parts?.into_iter().flat_map(|part| part.0).collect()));
        }
        Unit::Cut { .. }
        | Unit::Tokens { .. }
        | Unit::Blank { .. }
        | Unit::Unwrap { .. }
        | Unit::Put { .. }
        | Unit::Write { .. }
        | Unit::Move { .. }
        | Unit::DropAt { .. }
        | Unit::Remove { .. } => return None,
    };
    Some(Reduction(vec![fate]))
}

fn fate(tree: &Tree, node: NodeId, by: &Source) -> Option<Fate> {
    let is_part = |part: NodeId| part != node && tree.is_within(part, node);
    match by {
        Source::Text(text) => Some(Fate::Text(text.clone())),
        Source::Node(part) => is_part(*part).then_some(Fate::By(*part)),
        Source::Inside(block) => is_part(*block).then_some(Fate::Inside(*block)),
        Source::Expansion { .. } | Source::Spread { .. } => None,
    }
}
