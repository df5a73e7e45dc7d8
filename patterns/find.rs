//! Finding a pattern in a file: the nodes that are instances of it, and what stands in its holes.
//!
//! First it is found, from the leaves of the pattern upwards, which nodes of the file match each node of the
//! pattern on its own; then, for each match of the whole, what the holes are bound to, so that coupled holes have
//! equal texts.

use crate::literals::{integer, length};
use crate::pattern::{Pattern, Sort};
use lopper_languages::Parsed;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::BTreeMap;
use std::ops::Range;

/// How much a file may have that the pattern does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extras {
    /// Comments only.
    #[default]
    Comments,
    /// Further statements in every block, too.
    Statements,
}

/// A place where a pattern is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The bytes of the whole.
    pub range: Range<usize>,
    /// Where the tokens of the pattern are if there may be more between them; in the order of the text. Empty for a match
    /// that has nothing else in it.
    pub parts: Vec<Range<usize>>,
    /// For each hole what stands in each of its nodes; for an insertion all that stands there.
    pub bindings: Vec<Vec<Range<usize>>>,
}

/// A file made ready for finding patterns in it.
#[derive(Debug)]
pub struct Haystack<'f> {
    file: &'f Parsed,
    /// The nodes of each kind, in the order of the text.
    kinds: BTreeMap<(&'static str, bool), Vec<NodeId>>,
}

/// What may stand at a place among the children of a node.
struct Element {
    /// The node of the pattern.
    node: usize,
    /// The insertion before it.
    gap: Option<usize>,
}

/// The children of a node of the pattern.
struct Sequence {
    elements: Vec<Element>,
    /// The insertion behind the last one.
    gap: Option<usize>,
}

impl<'f> Haystack<'f> {
    /// Sorts the nodes of a file by kind. O(nodes · log kinds).
    pub fn new(file: &'f Parsed) -> Self {
        let tree = file.tree();
        let mut kinds: BTreeMap<_, Vec<NodeId>> = BTreeMap::new();
        for node in tree.nodes() {
            kinds.entry((tree.kind_name(node), tree.is_named(node))).or_default().push(node);
        }
        Self { file, kinds }
    }

    /// Every place where the core of a pattern is found, in the order of the text. About linear in the nodes of
    /// the file for each node of the pattern.
    pub fn find(&self, pattern: &Pattern, extras: Extras) -> Vec<Match> {
        let search = Search::new(self, pattern, extras);
        search.roots().into_iter().filter_map(|root| search.bound(root)).collect()
    }

    /// Whether a pattern is found in the file.
    pub fn has(&self, pattern: &Pattern, extras: Extras) -> bool {
        let search = Search::new(self, pattern, extras);
        search.roots().into_iter().any(|root| search.bound(root).is_some())
    }
}

/// Whether what stands at a node of a file may stand in a hole of this sort.
pub(crate) fn admits(sort: &Sort, file: &Parsed, node: NodeId) -> bool {
    let tree = file.tree();
    match sort {
        Sort::Nonterminal(name) | Sort::Kind(name) => tree.is_named(node) && tree.kind_name(node) == name,
        Sort::Role(role) => tree.has(node, *role),
        Sort::Operator => is_operator(file, node),
        Sort::Number(interval) => integer(file.node_text(node)).is_some_and(|n| interval.has(n)),
        Sort::Length(interval) => length(file.node_text(node)).is_some_and(|n| interval.has(n)),
        Sort::Statements(_) | Sort::Items(_) => false,
    }
}

/// Whether a node is an operator of an expression.
pub(crate) fn is_operator(file: &Parsed, node: NodeId) -> bool {
    let tree = file.tree();
    let in_expression = || tree.parent(node).is_some_and(|parent| tree.has(parent, Role::Expression));
    let words: [&[u8]; 6] = [b"and", b"or", b"in", b"is", b"not in", b"is not"];
    let is_sign = |c: &u8| c.is_ascii_punctuation() && !b"()[]{},;:\"'_@".contains(c);
    let text = file.node_text(node);
    let is_written_so = || !text.is_empty() && (text.iter().all(is_sign) || words.contains(&text));
    tree.is_leaf(node) && !tree.is_named(node) && is_written_so() && in_expression()
}

struct Search<'s> {
    file: &'s Parsed,
    tree: &'s Tree,
    pattern: &'s Pattern,
    extras: Extras,
    core: usize,
    /// For each node of the pattern within the core the nodes of the file that match it, sorted; nothing for holes.
    matching: BTreeMap<usize, Vec<NodeId>>,
    sequences: BTreeMap<usize, Sequence>,
}

/// So many steps at most are taken to bind the holes of one match.
const STEPS: usize = 100_000;

impl<'s> Search<'s> {
    fn new(haystack: &'s Haystack<'s>, pattern: &'s Pattern, extras: Extras) -> Self {
        let (file, core) = (haystack.file, pattern.core());
        let (matching, sequences) = Default::default();
        let mut search = Self { file, tree: file.tree(), pattern, extras, core, matching, sequences };
        let nothing = Vec::new();
        for node in (core..pattern.nodes[core].last).rev() {
            let known = &pattern.nodes[node];
            if known.hole.is_some() {
                continue;
            }
            let sequence = search.sequence(node);
            let same = haystack.kinds.get(&(known.kind.as_str(), known.named)).unwrap_or(&nothing);
            let found: Vec<NodeId> =
                same.iter().copied().filter(|&n| search.matches(node, &sequence, n)).collect();
            let in_vain = found.is_empty() && search.is_needed(node);
            search.matching.insert(node, found);
            search.sequences.insert(node, sequence);
            if in_vain {
                // What is above cannot match either.
                search.matching.insert(core, Vec::new());
                break;
            }
        }
        search
    }

    /// Whether a node counts: comments do not. Grammars call them comments, whatever stands before that word.
    fn is_needed(&self, node: usize) -> bool {
        let node = &self.pattern.nodes[node];
        !(node.named && node.kind.ends_with("comment"))
    }

    fn roots(&self) -> Vec<NodeId> {
        match self.pattern.nodes[self.core].hole {
            Some(hole) => {
                let sort = &self.pattern.holes[hole].sort;
                self.tree.nodes().filter(|&node| admits(sort, self.file, node)).collect()
            }
            None => self.matching.get(&self.core).cloned().unwrap_or_default(),
        }
    }

    fn sequence(&self, node: usize) -> Sequence {
        let mut sequence = Sequence { elements: Vec::new(), gap: None };
        for child in self.pattern.children(node).filter(|&child| self.is_needed(child)) {
            let hole = self.pattern.nodes[child].hole;
            match hole.filter(|&hole| self.pattern.holes[hole].sort.is_insertion()) {
                Some(hole) => sequence.gap = Some(hole),
                None => sequence.elements.push(Element { node: child, gap: sequence.gap.take() }),
            }
        }
        sequence
    }

    /// The children of a node of the file that count.
    fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).filter(|&child| !self.tree.has(child, Role::Comment)).collect()
    }

    /// Whether `found` may be skipped among the children of `node`.
    fn is_extra(&self, node: NodeId, found: NodeId) -> bool {
        let of_list = self.tree.has(found, Role::Separator) || self.tree.has(found, Role::Terminator);
        let is_block = self.tree.has(node, Role::Block);
        self.extras == Extras::Statements && is_block && (self.tree.is_named(found) || of_list)
    }

    /// Whether a node of the file matches one of the pattern, but for what is below it.
    fn fits(&self, element: usize, found: NodeId) -> bool {
        let node = &self.pattern.nodes[element];
        match node.hole {
            Some(hole) => admits(&self.pattern.holes[hole].sort, self.file, found),
            None => {
                self.matching.get(&element).is_some_and(|matching| matching.binary_search(&found).is_ok())
            }
        }
    }

    fn matches(&self, node: usize, sequence: &Sequence, found: NodeId) -> bool {
        let children = self.children(found);
        if self.pattern.nodes[node].last == node + 1 {
            return children.is_empty() && self.file.node_text(found) == self.pattern.text(node);
        }
        if self.pattern.nodes[node].any_order {
            return self.matches_in_any_order(sequence, found, &children);
        }
        // Which elements may come next: those reached by the children so far.
        let mut states = vec![false; sequence.elements.len() + 1];
        states[0] = true;
        for &child in &children {
            let mut next = vec![false; states.len()];
            for (at, _) in states.iter().enumerate().filter(|(_, reached)| **reached) {
                if sequence.gap_before(at).is_some() || self.is_extra(found, child) {
                    next[at] = true;
                }
                if sequence.elements.get(at).is_some_and(|element| self.fits(element.node, child)) {
                    next[at + 1] = true;
                }
            }
            states = next;
        }
        states[sequence.elements.len()]
    }

    /// The same where the elements that are statements may stand in any order: each needs a child of its own.
    fn matches_in_any_order(&self, sequence: &Sequence, found: NodeId, children: &[NodeId]) -> bool {
        let mut holder: Vec<Option<usize>> = vec![None; children.len()];
        let may_skip = |child: &NodeId| sequence.has_gap() || self.is_extra(found, *child);
        for at in 0..sequence.elements.len() {
            let mut tried = vec![false; children.len()];
            if !self.place(at, sequence, children, &mut holder, &mut tried) {
                return false;
            }
        }
        holder.iter().zip(children).all(|(holder, child)| holder.is_some() || may_skip(child))
    }

    /// Kuhn's algorithm: gives an element a child, moving others if need be. As deep as there are elements.
    fn place(
        &self,
        at: usize,
        sequence: &Sequence,
        children: &[NodeId],
        holder: &mut Vec<Option<usize>>,
        tried: &mut Vec<bool>,
    ) -> bool {
        for child in 0..children.len() {
            if tried[child] || !self.fits(sequence.elements[at].node, children[child]) {
                continue;
            }
            tried[child] = true;
            let is_free = match holder[child] {
                None => true,
                Some(other) => self.place(other, sequence, children, holder, tried),
            };
            if is_free {
                holder[child] = Some(at);
                return true;
            }
        }
        false
    }

    /// Binds the holes of a match, if coupled ones can have equal texts.
    fn bound(&self, root: NodeId) -> Option<Match> {
        let mut states = vec![State { tasks: vec![Task::Node(self.core, root)], bindings: Vec::new() }];
        for _ in 0..STEPS {
            let mut state = states.pop()?;
            let Some(task) = state.tasks.pop() else {
                let mut bindings = vec![Vec::new(); self.pattern.holes.len()];
                for (hole, range) in state.bindings {
                    bindings[hole].push(range);
                }
                return Some(Match { range: self.tree.range(root), parts: Vec::new(), bindings });
            };
            match task {
                Task::Node(node, found) => self.enter(node, found, state, &mut states),
                Task::Rest { node, parent, at, child, gap } => {
                    self.go_on(node, parent, (at, child), gap, state, &mut states);
                }
                Task::Any { node, parent, at, taken } => {
                    self.choose(node, parent, at, taken, &state, &mut states)
                }
            }
        }
        None
    }

    fn enter(&self, node: usize, found: NodeId, mut state: State, states: &mut Vec<State>) {
        let known = &self.pattern.nodes[node];
        if let Some(hole) = known.hole {
            let range = self.tree.range(found);
            let mut earlier = state.bindings.iter().filter(|(h, _)| *h == hole);
            let same = |other: &Range<usize>| self.file.text[other.clone()] == self.file.text[range.clone()];
            if !self.pattern.holes[hole].coupled || earlier.all(|(_, other)| same(other)) {
                state.bindings.push((hole, range));
                states.push(state);
            }
            return;
        }
        if known.any_order {
            state.tasks.push(Task::Any { node, parent: found, at: 0, taken: Vec::new() });
        } else {
            state.tasks.push(Task::Rest { node, parent: found, at: 0, child: 0, gap: None });
        }
        states.push(state);
    }

    /// Goes on with the children: the next one is the next element, or stands in an insertion, or is an extra.
    fn go_on(
        &self,
        node: usize,
        parent: NodeId,
        (at, child): (usize, usize),
        gap: Option<Range<usize>>,
        mut state: State,
        states: &mut Vec<State>,
    ) {
        let Some(sequence) = self.sequences.get(&node) else { return states.push(state) };
        let children = self.children(parent);
        let insertion = sequence.gap_before(at);
        let bind = |state: &mut State| {
            let here = children.get(child).map_or(self.tree.range(parent).end, |&c| self.tree.range(c).start);
            if let Some(hole) = insertion {
                state.bindings.push((hole, gap.clone().unwrap_or(here..here)));
            }
        };
        let Some(&found) = children.get(child) else {
            if at == sequence.elements.len() {
                bind(&mut state);
                states.push(state);
            }
            return;
        };
        if insertion.is_some() || self.is_extra(parent, found) {
            let mut skipping = state.clone();
            let range = self.tree.range(found);
            let gap = insertion.map(|_| gap.clone().map_or(range.start, |g| g.start)..range.end);
            skipping.tasks.push(Task::Rest { node, parent, at, child: child + 1, gap });
            states.push(skipping);
        }
        if let Some(element) = sequence.elements.get(at).filter(|element| self.fits(element.node, found)) {
            bind(&mut state);
            state.tasks.push(Task::Rest { node, parent, at: at + 1, child: child + 1, gap: None });
            state.tasks.push(Task::Node(element.node, found));
            states.push(state);
        }
    }

    /// Gives the next element of a node in any order each of the children that are left.
    fn choose(
        &self,
        node: usize,
        parent: NodeId,
        at: usize,
        taken: Vec<usize>,
        state: &State,
        states: &mut Vec<State>,
    ) {
        let Some(sequence) = self.sequences.get(&node) else { return };
        let children = self.children(parent);
        let Some(element) = sequence.elements.get(at) else {
            let skipped = (0..children.len()).filter(|child| !taken.contains(child));
            if skipped.into_iter().all(|child| sequence.has_gap() || self.is_extra(parent, children[child])) {
                states.push(state.clone());
            }
            return;
        };
        for child in (0..children.len()).rev() {
            if !taken.contains(&child) && self.fits(element.node, children[child]) {
                let mut next = state.clone();
                let taken = [&taken[..], &[child]].concat();
                next.tasks.push(Task::Any { node, parent, at: at + 1, taken });
                next.tasks.push(Task::Node(element.node, children[child]));
                states.push(next);
            }
        }
    }
}

impl Sequence {
    /// The insertion before an element, or behind the last one.
    fn gap_before(&self, at: usize) -> Option<usize> {
        self.elements.get(at).map_or(self.gap, |element| element.gap)
    }

    fn has_gap(&self) -> bool {
        self.gap.is_some() || self.elements.iter().any(|element| element.gap.is_some())
    }
}

#[derive(Clone)]
struct State {
    tasks: Vec<Task>,
    bindings: Vec<(usize, Range<usize>)>,
}

#[derive(Clone)]
enum Task {
    /// Match a node of the pattern with one of the file.
    Node(usize, NodeId),
    /// Match the rest of the children of a node: from an element on, and from a child on.
    Rest { node: usize, parent: NodeId, at: usize, child: usize, gap: Option<Range<usize>> },
    /// Match the rest of the elements of a node in any order; these children are taken.
    Any { node: usize, parent: NodeId, at: usize, taken: Vec<usize> },
}
