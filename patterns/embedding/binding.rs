//! Binding: of the places where a pattern can be embedded those in which coupled holes and names agree.

use super::ground::Ground;
use super::needle::Shape;
use super::places::{Places, Spot};
use super::statements::whole_of;
use crate::find::Match;
use lopper_languages::tree::NodeId;
use std::ops::Range;
use std::rc::Rc;

/// So many steps at most are taken for a file: then what was found is all.
const STEPS: usize = 200_000;

/// What is to be done yet for one way to embed a pattern, the next on top, and what was done.
#[derive(Clone)]
struct State {
    /// Where the whole is embedded.
    root: NodeId,
    tasks: Vec<Task>,
    holes: Vec<(usize, NodeId)>,
    variables: Vec<(usize, NodeId)>,
    /// The text from the first node to the last one.
    hull: Option<Range<usize>>,
    /// The nodes that tokens are embedded at, the last one first.
    parts: Option<Rc<Part>>,
}

/// A node that a token is embedded at, and those before it: states share them.
struct Part {
    node: NodeId,
    before: Option<Rc<Part>>,
}

#[derive(Clone)]
enum Task {
    /// Embed a piece at a spot.
    At { piece: usize, spot: Spot },
    /// Embed the children of a piece from `child` on below a node, from another one on.
    Rest { piece: usize, child: usize, from: NodeId, node: NodeId },
    /// Embed a piece within a node, from the spot with an index on.
    Within { piece: usize, node: NodeId, spot: usize },
    /// Embed what a definition that may be anywhere has besides its name.
    Lifted(usize),
}

/// Binds holes and variables in all places; see the module.
pub(super) fn bind<'f>(
    holes: usize,
    shape: &Shape,
    ground: &Ground<'f>,
    places: &Places<'_, 'f>,
) -> Vec<Match> {
    let tree = ground.file.tree();
    let mut binding = Binding { shape, ground, places, steps: STEPS };
    let mut found: Vec<(NodeId, Match)> = Vec::new();
    // What is inside another one comes first.
    for spot in places.spots(shape.root).iter().rev().filter(|spot| spot.meaning.is_none()) {
        if found.last().is_some_and(|(inner, _)| tree.is_within(*inner, spot.node)) {
            continue;
        }
        let Some(state) = binding.embed(*spot) else { continue };
        let mut bindings = vec![Vec::new(); holes];
        for (hole, node) in state.holes {
            bindings[hole].push(tree.range(node));
        }
        let range = state.hull.map_or_else(|| tree.range(spot.node), |hull| whole(ground, &hull));
        let nodes = std::iter::successors(state.parts.as_deref(), |part| part.before.as_deref());
        let mut parts: Vec<Range<usize>> = nodes.map(|part| tree.range(part.node)).collect();
        parts.sort_unstable_by_key(|part| part.start);
        found.push((spot.node, Match { range, parts, bindings }));
    }
    found.reverse();
    found.into_iter().map(|(_, found)| found).collect()
}

/// The innermost node around a part of the text.
fn whole(ground: &Ground, part: &Range<usize>) -> Range<usize> {
    let tree = ground.file.tree();
    let first = tree.starting_in(part.start..part.start + 1).last();
    let around = first.into_iter().chain(first.into_iter().flat_map(|first| tree.ancestors(first)));
    let mut ranges = around.map(|node| tree.range(node));
    ranges.find(|range| part.end <= range.end).unwrap_or_else(|| part.clone())
}

struct Binding<'b, 'f> {
    shape: &'b Shape,
    ground: &'b Ground<'f>,
    places: &'b Places<'b, 'f>,
    steps: usize,
}

impl Binding<'_, '_> {
    /// The first way to embed the whole at a spot.
    fn embed(&mut self, spot: Spot) -> Option<State> {
        let (tasks, holes, variables, hull, parts) = Default::default();
        let mut first = State { root: spot.node, tasks, holes, variables, hull, parts };
        first.tasks.extend((0..self.shape.lifted.len()).rev().map(Task::Lifted));
        first.tasks.push(Task::At { piece: self.shape.root, spot });
        let mut states = vec![first];
        while let Some(mut state) = states.pop() {
            self.steps = self.steps.checked_sub(1)?;
            match state.tasks.pop() {
                None => return Some(state),
                Some(Task::At { piece, spot }) => states.extend(self.at(piece, spot, state)),
                Some(Task::Rest { piece, child, from, node }) => {
                    self.rest(piece, child, from, node, state, &mut states);
                }
                Some(Task::Within { piece, node, spot }) => {
                    let tree = self.ground.file.tree();
                    let here = self.places.spots(piece).get(spot).copied();
                    let Some(here) = here.filter(|here| tree.is_within(here.node, node)) else { continue };
                    let mut later = state.clone();
                    later.tasks.push(Task::Within { piece, node, spot: spot + 1 });
                    states.push(later);
                    state.tasks.push(Task::At { piece, spot: here });
                    states.push(state);
                }
                Some(Task::Lifted(index)) => self.look_up(index, &state, &mut states),
            }
        }
        None
    }

    /// Embeds a piece at a spot: binds what it is, and goes on with what is below it.
    fn at(&self, piece: usize, spot: Spot, mut state: State) -> Option<State> {
        if let Some(node) = spot.meaning {
            let first = self.places.first(piece, node);
            state.tasks.push(Task::Within { piece, node, spot: first });
            return Some(state);
        }
        let known = &self.shape.pieces[piece];
        let tree = self.ground.file.tree();
        if let Some(variable) = known.variable {
            let key = self.ground.key(spot.node);
            let earlier = state.variables.iter().find(|(other, _)| *other == variable);
            let fits =
                earlier.map_or_else(|| self.places.may_be(variable, &key), |e| self.ground.key(e.1) == key);
            if !fits {
                return None;
            }
            state.variables.push((variable, spot.node));
        }
        let range = tree.range(spot.node);
        if let Some(hole) = known.hole {
            state.holes.push((hole, spot.node));
        }
        if known.children.is_empty() {
            state.parts = Some(Rc::new(Part { node: spot.node, before: state.parts.take() }));
            if tree.is_within(spot.node, state.root) {
                let hull = state.hull.unwrap_or_else(|| range.clone());
                state.hull = Some(hull.start.min(range.start)..hull.end.max(range.end));
            }
            return Some(state);
        }
        let from = NodeId(spot.node.0 + 1);
        state.tasks.push(Task::Rest { piece, child: 0, from, node: spot.node });
        Some(state)
    }

    /// Embeds the next child at its next spot, or, if something in it is to be bound, at a later one.
    fn rest(
        &self,
        piece: usize,
        child: usize,
        from: NodeId,
        node: NodeId,
        mut state: State,
        states: &mut Vec<State>,
    ) {
        let (places, shape, tree) = (self.places, self.shape, self.ground.file.tree());
        let children = &shape.pieces[piece].children;
        let Some(&own) = children.get(child) else { return states.push(state) };
        if !places.are_below(shape, &children[child..], node, from) {
            return;
        }
        let is_bound = shape.pieces[own].is_bound;
        // Where nothing is to be bound, no spot is better than the one that ends first.
        let first = if is_bound { from } else { places.first_to_end(shape, own, node, from).unwrap_or(from) };
        let below = places.below(shape, own, node, first);
        let Some(&(_, here)) = below.first() else { return };
        let same = below.partition_point(|(_, spot)| spot.node == here.node);
        if is_bound {
            let mut later = state.clone();
            later.tasks.push(Task::Rest { piece, child, from: NodeId(here.node.0 + 1), node });
            states.push(later);
        }
        let behind = NodeId(tree.last_leaf(here.node).0 + 1);
        if places.are_below(shape, &children[child + 1..], node, behind) {
            if child + 1 < children.len() {
                state.tasks.push(Task::Rest { piece, child: child + 1, from: behind, node });
            }
            for &(_, spot) in below[..same].iter().rev() {
                let mut state = state.clone();
                state.tasks.push(Task::At { piece: own, spot });
                states.push(state);
            }
        }
    }

    /// Embeds what a definition of the pattern has besides its name in one of the file.
    fn look_up(&self, index: usize, state: &State, states: &mut Vec<State>) {
        let lifted = &self.shape.lifted[index];
        let bound = state.variables.iter().find(|(variable, _)| *variable == lifted.variable);
        let Some(&(_, name)) = bound.filter(|_| !lifted.pieces.is_empty()) else {
            return states.push(state.clone());
        };
        let (tree, bindings) = (self.ground.file.tree(), self.ground.file.bindings(0));
        let Some(definition) = bindings.of(name) else { return };
        for place in bindings.definitions()[definition].places.iter().rev() {
            let mut state = state.clone();
            let node = whole_of(tree, place.name);
            for &piece in lifted.pieces.iter().rev() {
                state.tasks.push(Task::Within { piece, node, spot: self.places.first(piece, node) });
            }
            states.push(state);
        }
    }
}
