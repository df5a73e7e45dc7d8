//! Finds the nodes of a tree that patterns capture.

use super::pattern::{Condition, Pattern, Patterns, Step, What};
use crate::tree::{NodeId, Tree};

/// Nodes below this depth have no roles. Programs that people write do not reach a quarter of it.
pub(super) const DEEPEST: usize = 1000;

/// Patterns, by the kinds of the nodes where they begin.
pub(super) struct Matcher {
    pub(super) patterns: Patterns,
    /// For each kind, the patterns that may begin at a node of this kind, in order.
    by_kind: Vec<Vec<u16>>,
    /// The patterns that may begin at an error.
    at_error: Vec<u16>,
}

/// The nodes that a match has captured so far.
type Found = Vec<(u16, NodeId)>;

impl Matcher {
    pub(super) fn new(patterns: Patterns, kinds: usize) -> Self {
        let beginning = |kind: Option<u16>| {
            let patterns = (0..).zip(&patterns.patterns);
            patterns.filter(|(_, p)| p.root.may_be(kind)).map(|(index, _)| index).collect()
        };
        let by_kind = (0..kinds as u16).map(|kind| beginning(Some(kind))).collect();
        let at_error = beginning(None);
        Self { patterns, by_kind, at_error }
    }

    /// Calls `tell` for each node that a pattern captures, with the indices of the pattern and of the capture,
    /// in the order of the nodes where the patterns begin. O(nodes), times the patterns that begin at each.
    pub(super) fn captures(&self, tree: &Tree, text: &[u8], mut tell: impl FnMut(NodeId, usize, usize)) {
        let mut found = Vec::new();
        let mut open: Vec<NodeId> = Vec::new();
        for node in tree.nodes() {
            while open.last().is_some_and(|&around| !tree.is_within(node, around)) {
                open.pop();
            }
            // Nodes that are too deep have no roles until the nodes above them are deleted.
            if open.len() <= DEEPEST {
                for &index in self.by_kind.get(tree.kind(node).0 as usize).unwrap_or(&self.at_error) {
                    let pattern = &self.patterns.patterns[index as usize];
                    matches(tree, &pattern.root, node, &mut found, &mut |found| {
                        if holds(tree, text, pattern, found) {
                            found
                                .iter()
                                .for_each(|&(capture, at)| tell(at, index as usize, capture as usize));
                        }
                    });
                }
            }
            open.push(node);
        }
    }
}

impl Step {
    /// Whether the step may be for a node of this kind, or for an error.
    fn may_be(&self, kind: Option<u16>) -> bool {
        match &self.what {
            What::Kind(own) => kind == Some(*own),
            What::Error => kind.is_none(),
            What::OneOf(steps) => steps.iter().any(|step| step.may_be(kind)),
            What::Any | What::Named | What::Supertype(_) => true,
        }
    }
}

/// Calls `then` for each way in which a step matches a node.
fn matches(tree: &Tree, step: &Step, node: NodeId, found: &mut Found, then: &mut dyn FnMut(&mut Found)) {
    if step.field.is_some_and(|field| tree.field(node) != field) {
        return;
    }
    let is_meant = match &step.what {
        What::Kind(kind) => tree.kind(node).0 == *kind,
        What::Supertype(index) => tree.supertypes(node) & (1 << index) != 0,
        What::Error => tree.kind_name(node) == "ERROR",
        What::Any | What::OneOf(_) => true,
        What::Named => tree.is_named(node),
    };
    let has = |field: &u16| tree.children(node).any(|child| tree.field(child) == *field);
    if !is_meant || step.absent.iter().any(has) {
        return;
    }
    let before = found.len();
    found.extend(step.captures.iter().map(|&capture| (capture, node)));
    match &step.what {
        What::OneOf(steps) => steps.iter().for_each(|step| matches(tree, step, node, found, then)),
        _ => children(tree, step, 0, tree.children(node).next(), found, then),
    }
    found.truncate(before);
}

/// Calls `then` for each way in which the steps for children, from this index on, match the children from
/// `first` on.
fn children(
    tree: &Tree,
    parent: &Step,
    index: usize,
    first: Option<NodeId>,
    found: &mut Found,
    then: &mut dyn FnMut(&mut Found),
) {
    let siblings = std::iter::successors(first, |&node| tree.next_sibling(node));
    let Some(step) = parent.children.get(index) else {
        if !parent.ends || !siblings.into_iter().any(|node| tree.is_named(node)) {
            then(found);
        }
        return;
    };
    for node in siblings {
        let next = tree.next_sibling(node);
        let then = &mut |found: &mut Found| children(tree, parent, index + 1, next, found, then);
        matches(tree, step, node, found, then);
        if step.is_next && tree.is_named(node) {
            break;
        }
    }
}

/// Whether the conditions of a pattern hold.
fn holds(tree: &Tree, text: &[u8], pattern: &Pattern, found: &Found) -> bool {
    let of = |capture: u16| {
        found.iter().find(|(own, _)| *own == capture).map(|(_, node)| &text[tree.range(*node)])
    };
    let is_among = |capture: u16, values: &[String]| {
        of(capture).is_some_and(|text| values.iter().any(|value| value.as_bytes() == text))
    };
    pattern.conditions.iter().all(|condition| match condition {
        Condition::Equal(one, other) => of(*one) == of(*other),
        Condition::AnyOf(one, values) => is_among(*one, values),
        Condition::NoneOf(one, values) => !is_among(*one, values),
        Condition::Begins(one, value) => of(*one).is_some_and(|text| text.starts_with(value.as_bytes())),
    })
}
