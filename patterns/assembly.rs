//! Assembling a pattern of an example's nodes and the holes that were found.

use crate::drawing::{Opening, Place};
use crate::pattern::{Fixed, Hole, Node, Pattern};
use std::collections::BTreeMap;

/// The pattern of an example without holes and what was found. Linear in the nodes, and in the holes by sorting.
pub(crate) fn assemble<'a>(
    base: &Pattern,
    openings: impl Iterator<Item = &'a Opening>,
    fixed: &[Fixed],
) -> Pattern {
    let openings: Vec<&Opening> = openings.collect();
    let mut holes: BTreeMap<usize, usize> = BTreeMap::new();
    let mut gaps: BTreeMap<(usize, Option<usize>), (usize, usize)> = BTreeMap::new();
    for (id, opening) in openings.iter().enumerate() {
        for place in &opening.places {
            match place {
                Place::Node(node) => _ = holes.insert(*node, id),
                Place::Gap { parent, before, at } => _ = gaps.insert((*parent, *before), (*at, id)),
            }
        }
    }
    let mut assembly = Assembly { nodes: Vec::new(), holes: Vec::new(), numbers: BTreeMap::new(), openings };
    // The nodes that are open: of the example, and of the pattern.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < base.nodes.len() {
        assembly.close(&mut open, at, base, &gaps);
        if let Some((parent, _)) = open.last()
            && let Some(&(byte, id)) = gaps.get(&(*parent, Some(at)))
        {
            assembly.gap(byte, id);
        }
        let node = &base.nodes[at];
        match holes.get(&at) {
            Some(&id) => {
                let hole = Some(assembly.hole(id));
                let last = assembly.nodes.len() + 1;
                assembly.nodes.push(Node { last, hole, ..node.clone() });
                at = node.last;
            }
            None => {
                open.push((at, assembly.nodes.len()));
                assembly.nodes.push(node.clone());
                at += 1;
            }
        }
    }
    assembly.close(&mut open, at, base, &gaps);
    let (nodes, holes) = (assembly.nodes, assembly.holes);
    Pattern { nodes, holes, fixed: fixed.to_vec(), ..base.clone() }
}

struct Assembly<'a> {
    nodes: Vec<Node>,
    holes: Vec<Hole>,
    /// The holes of openings.
    numbers: BTreeMap<usize, usize>,
    openings: Vec<&'a Opening>,
}

impl Assembly<'_> {
    /// Ends the nodes that end before the node `at` of the example.
    fn close(
        &mut self,
        open: &mut Vec<(usize, usize)>,
        at: usize,
        base: &Pattern,
        gaps: &BTreeMap<(usize, Option<usize>), (usize, usize)>,
    ) {
        while let Some((node, own)) = open.pop_if(|(node, _)| base.nodes[*node].last <= at) {
            if let Some(&(byte, id)) = gaps.get(&(node, None)) {
                self.gap(byte, id);
            }
            self.nodes[own].last = self.nodes.len();
        }
    }

    fn gap(&mut self, at: usize, id: usize) {
        let hole = Some(self.hole(id));
        let (kind, last) = (self.openings[id].sort.name(), self.nodes.len() + 1);
        self.nodes.push(Node { kind, named: true, range: at..at, last, hole, any_order: false });
    }

    /// The hole of an opening.
    fn hole(&mut self, id: usize) -> usize {
        let opening = self.openings[id];
        *self.numbers.entry(id).or_insert_with(|| {
            self.holes.push(Hole {
                sort: opening.sort.clone(),
                coupled: opening.coupled,
                weak: opening.weak,
                evidence: opening.evidence.clone(),
            });
            self.holes.len() - 1
        })
    }
}
