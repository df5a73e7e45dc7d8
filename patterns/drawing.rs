//! Drawing: random texts for holes, and the texts that they make of an example.

use crate::bisection::Value;
use crate::pattern::{Evidence, Node, Sort};
use crate::random::Random;
use std::ops::Range;

/// Where a hole is in the tree of an example.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// In the place of a node.
    Node(usize),
    /// Between the children of a node.
    Gap {
        /// The node.
        parent: usize,
        /// The child before which it is, or `None` behind the last one.
        before: Option<usize>,
        /// The byte.
        at: usize,
    },
}

impl Place {
    /// Whether it is in another place, or the same.
    pub(crate) fn is_within(&self, other: &Self, nodes: &[Node]) -> bool {
        let (Self::Node(own) | Self::Gap { parent: own, .. }) = self;
        match other {
            Self::Node(node) => (*node..nodes[*node].last).contains(own),
            Self::Gap { .. } => self == other,
        }
    }
}

/// A hole, or what is tested for being one.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub(crate) sort: Sort,
    pub(crate) coupled: bool,
    pub(crate) weak: bool,
    /// In the order of the text, disjoint. Never empty.
    pub(crate) places: Vec<Place>,
    pub(crate) evidence: Evidence,
    /// Texts that were seen to fail there in an earlier run.
    pub(crate) samples: Vec<Vec<u8>>,
}

impl Opening {
    pub(crate) fn new(sort: Sort, places: Vec<Place>) -> Self {
        Self { sort, coupled: false, weak: false, places, evidence: Evidence::default(), samples: Vec::new() }
    }

    /// Whether it is another one for a name.
    pub(crate) fn is_name(&self) -> bool {
        self.sort.is_name()
    }

    /// Without the places that are in others; `None` if none is left.
    pub(crate) fn outside<'a>(
        &self,
        others: impl Iterator<Item = &'a Place> + Clone,
        nodes: &[Node],
    ) -> Option<Self> {
        let is_outside = |place: &&Place| !others.clone().any(|other| place.is_within(other, nodes));
        let places: Vec<Place> = self.places.iter().filter(is_outside).cloned().collect();
        let coupled = self.coupled && places.len() > 1;
        (!places.is_empty()).then(|| Self { places, coupled, ..self.clone() })
    }

    /// The ranges in the example.
    pub(crate) fn ranges<'a>(&'a self, nodes: &'a [Node]) -> impl Iterator<Item = Range<usize>> + 'a {
        self.places.iter().map(|place| range(place, nodes))
    }
}

/// The range of a place in the example.
pub(crate) fn range(place: &Place, nodes: &[Node]) -> Range<usize> {
    match place {
        Place::Node(node) => nodes[*node].range.clone(),
        Place::Gap { at, .. } => *at..*at,
    }
}

/// Makes random texts for holes of one example.
pub(crate) trait Drawing {
    /// The nodes of the example.
    fn nodes(&self) -> &[Node];

    /// The example.
    fn example(&self) -> &[u8];

    /// A random text for a hole.
    fn draw(&mut self, opening: &Opening, random: &mut Random) -> Option<Vec<u8>>;

    /// Changes texts that were drawn together so that they go together.
    fn settle(&self, openings: &[&Opening], values: &mut [Vec<u8>]) {
        let _ = (openings, values);
    }

    /// Whether all texts stand in their places as nodes of their sorts, below the same nodes as in the example.
    fn fits(&self, text: &[u8], filled: &[(Range<usize>, &Sort, &Place)]) -> bool {
        let _ = (text, filled);
        true
    }

    /// What may be drawn in the place of a node, the most general first; nothing if nothing may.
    fn sorts(&self, node: usize) -> Vec<Sort>;

    /// Whether a node is a token: what is inside it is of no interest.
    fn is_token(&self, node: usize) -> bool;

    /// Nodes that had the same text by no accident: what is tested for being coupled, the most important first. Only
    /// nodes for which `is_open` holds.
    fn groups(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<Opening>;

    /// The numbers and strings that are in no hole: their ranges are searched for.
    fn values(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<Value> {
        let _ = is_open;
        Vec::new()
    }

    /// The text of a value's node with another value.
    fn with_value(&self, value: &Value, other: i64) -> Vec<u8> {
        let _ = other;
        self.example()[self.nodes()[value.node].range.clone()].to_vec()
    }

    /// The blocks with several statements in no hole, each with texts whose statements stand in other orders: if all of
    /// them fail, the order means nothing.
    fn orders(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<(usize, Vec<Vec<u8>>)> {
        let _ = is_open;
        Vec::new()
    }

    /// The places for insertions that are in no hole.
    fn gaps(&self, is_open: &dyn Fn(usize) -> bool) -> Vec<Opening> {
        let _ = is_open;
        Vec::new()
    }
}

/// A text with random texts in all holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// The whole text.
    pub(crate) text: Vec<u8>,
    /// What stands in each opening.
    pub(crate) values: Vec<Vec<u8>>,
    /// What was drawn for each opening, as it goes with the example's own texts in all others.
    pub(crate) own: Vec<Vec<u8>>,
}

/// So many texts are drawn for an opening until one stands in its place, and so many times for all openings until they
/// go together.
const TRIES: (usize, usize) = (12, 3);

/// Fills all of the openings at random. `None` if nothing that goes together is found.
pub(crate) fn fill_at_random(
    drawing: &mut dyn Drawing,
    openings: &[&Opening],
    random: &mut Random,
) -> Option<Drawn> {
    for _ in 0..TRIES.1 {
        let draw = |opening: &&Opening| (0..TRIES.0).find_map(|_| drawing.draw(opening, random));
        let own = openings.iter().map(draw).collect::<Option<Vec<_>>>()?;
        let mut values = own.clone();
        drawing.settle(openings, &mut values);
        if let Some(text) = fill(drawing, openings, &values) {
            return Some(Drawn { text, values, own });
        }
    }
    None
}

/// The example with these texts in the openings; `None` if they do not fit. Linear, and what `fits` costs.
pub(crate) fn fill(drawing: &dyn Drawing, openings: &[&Opening], values: &[Vec<u8>]) -> Option<Vec<u8>> {
    let example = drawing.example();
    let nodes = drawing.nodes();
    // Empty ranges at the same byte stand in the order of their nodes.
    let order = |place: &Place| match place {
        Place::Node(node) => (*node, 1, 0),
        Place::Gap { before: Some(node), .. } => (*node, 0, 0),
        Place::Gap { parent, .. } => (nodes[*parent].last - 1, 2, usize::MAX - parent),
    };
    let mut parts = Vec::new();
    for (opening, value) in openings.iter().zip(values) {
        for place in &opening.places {
            parts.push((range(place, nodes), order(place), value, &opening.sort, place));
        }
    }
    parts.sort_by_key(|part| (part.0.start, part.1));
    let (mut text, mut filled, mut at) = (Vec::new(), Vec::new(), 0);
    for (range, _, value, sort, place) in parts {
        text.extend_from_slice(example.get(at..range.start)?);
        let start = text.len();
        text.extend_from_slice(value);
        filled.push((start..text.len(), sort, place));
        at = range.end;
    }
    text.extend_from_slice(example.get(at..)?);
    drawing.fits(&text, &filled).then_some(text)
}
