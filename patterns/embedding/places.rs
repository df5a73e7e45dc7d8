//! Where each piece of a pattern can be embedded on its own, whatever the others are bound to.

use super::ground::{Ground, Key};
use super::needle::{Label, Piece, Shape};
use super::statements::Tie;
use crate::find::admits;
use crate::pattern::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// A name stands for what names stand for, so often.
const ROUNDS: usize = 3;

/// A node at which a piece can be embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) node: NodeId,
    /// The node is a name, and the piece is embedded in here, which the name stands for.
    pub(super) meaning: Option<NodeId>,
}

/// The spots of a piece.
#[derive(Clone, Debug, Default)]
struct Row {
    /// Sorted by node.
    spots: Vec<Spot>,
    /// Sorted by what they belong to, as the piece's tie asks for it, then by node.
    owned: Vec<(NodeId, Spot)>,
    /// The least last leaf of an owned spot and all later ones of the same owner.
    least: Vec<NodeId>,
}

/// See the module.
pub(super) struct Places<'g, 'f> {
    ground: &'g Ground<'f>,
    rows: Vec<Row>,
    /// What the variables can stand for, as far as that is limited.
    keys: BTreeMap<usize, BTreeSet<Key<'f>>>,
}

impl<'g, 'f> Places<'g, 'f> {
    /// The spots of all pieces. With `meant`, names stand for what they mean.
    pub(super) fn new(shape: &Shape, ground: &'g Ground<'f>, meant: bool) -> Self {
        let mut places = Self { ground, rows: Vec::with_capacity(shape.pieces.len()), keys: BTreeMap::new() };
        for (at, piece) in shape.pieces.iter().enumerate() {
            let mut spots = places.own(shape, piece);
            if shape.top.contains(&at) {
                spots.retain(|spot| ground.is_outside(spot.node, &shape.outside));
            }
            if meant && piece.tie != Tie::Child {
                places.add_meanings(piece, &mut spots);
            }
            let row = places.row(piece.tie, spots);
            let in_vain = row.spots.is_empty();
            places.rows.push(row);
            if in_vain {
                // What is above cannot be embedded either.
                places.rows.resize_with(shape.pieces.len(), Row::default);
                return places;
            }
        }
        for (at, piece) in shape.pieces.iter().enumerate() {
            let Some(variable) = piece.variable.filter(|_| is_name(&piece.label)) else { continue };
            let keys: BTreeSet<Key> =
                places.rows[at].spots.iter().map(|spot| ground.key(spot.node)).collect();
            let known = places.keys.remove(&variable);
            let both =
                known.map_or_else(|| keys.clone(), |known| known.intersection(&keys).cloned().collect());
            places.keys.insert(variable, both);
        }
        places
    }

    fn row(&self, tie: Tie, mut spots: Vec<Spot>) -> Row {
        spots.sort_unstable();
        spots.dedup();
        let tree = self.ground.file.tree();
        let mut owned: Vec<(NodeId, Spot)> =
            spots.iter().map(|&spot| (self.ground.owner(tie, spot.node), spot)).collect();
        owned.sort_unstable();
        let mut least: Vec<NodeId> = owned.iter().map(|(_, spot)| tree.last_leaf(spot.node)).collect();
        for at in (1..least.len()).rev() {
            if owned[at - 1].0 == owned[at].0 {
                least[at - 1] = least[at - 1].min(least[at]);
            }
        }
        Row { spots, owned, least }
    }

    /// The spots of a piece in the tree itself.
    fn own(&self, shape: &Shape, piece: &Piece) -> Vec<Spot> {
        let (file, tree) = (self.ground.file, self.ground.file.tree());
        let nodes: Vec<NodeId> = match &piece.label {
            Label::Text(text) => self.ground.texts(text).to_vec(),
            Label::Name => tree.nodes().filter(|&n| tree.has(n, Role::Name) && tree.is_leaf(n)).collect(),
            Label::Hole(sort) => tree.nodes().filter(|&n| admits(sort, file, n)).collect(),
            Label::Kind(_) | Label::Roles(..) | Label::Any => self.inner(shape, piece),
        };
        nodes.into_iter().map(|node| Spot { node, meaning: None }).collect()
    }

    /// The inner nodes at which a piece can be embedded: they are above a spot of its rarest child.
    fn inner(&self, shape: &Shape, piece: &Piece) -> Vec<NodeId> {
        let tree = self.ground.file.tree();
        let fits = |node: NodeId| match &piece.label {
            Label::Kind(kind) => tree.kind_name(node) == kind,
            Label::Roles(roles, kind) => {
                tree.kind_name(node) == kind || roles.iter().all(|&role| tree.has(node, role))
            }
            _ => true,
        };
        let Some(&rarest) = piece.children.iter().min_by_key(|&&child| self.rows[child].spots.len()) else {
            return match &piece.label {
                Label::Kind(kind) => self.ground.kinds(kind).to_vec(),
                _ => tree.nodes().filter(|&node| fits(node)).collect(),
            };
        };
        let mut seen = vec![false; tree.len()];
        let mut found = Vec::new();
        for spot in &self.rows[rarest].spots {
            for above in tree.ancestors(spot.node) {
                if std::mem::replace(&mut seen[above.0 as usize], true) {
                    break;
                }
                if fits(above) && self.are_below(shape, &piece.children, above, NodeId(above.0 + 1)) {
                    found.push(above);
                }
            }
        }
        found
    }

    /// Adds the names that stand for something in which the piece is embedded.
    fn add_meanings(&self, piece: &Piece, spots: &mut Vec<Spot>) {
        match &piece.label {
            Label::Text(text) if text.first().is_some_and(|c| !c.is_ascii_punctuation()) => {}
            Label::Kind(_) | Label::Roles(..) => {}
            _ => return,
        }
        let tree = self.ground.file.tree();
        let mut known: BTreeSet<NodeId> = BTreeSet::new();
        for _ in 0..ROUNDS {
            spots.sort_unstable();
            let before = known.len();
            let mut more = Vec::new();
            for meaning in self.ground.meanings() {
                let first = spots.partition_point(|spot| spot.node < meaning.node);
                let is_in = spots.get(first).is_some_and(|spot| tree.is_within(spot.node, meaning.node));
                if is_in && known.insert(meaning.node) {
                    let spot = |&node: &NodeId| Spot { node, meaning: Some(meaning.node) };
                    more.extend(meaning.names.iter().map(spot));
                }
            }
            spots.extend(more);
            if known.len() == before {
                break;
            }
        }
    }

    /// The spots of a piece, sorted by node.
    pub(super) fn spots(&self, piece: usize) -> &[Spot] {
        &self.rows[piece].spots
    }

    /// The index of a piece's first spot at or behind a node.
    pub(super) fn first(&self, piece: usize, from: NodeId) -> usize {
        self.rows[piece].spots.partition_point(|spot| spot.node < from)
    }

    /// The spots of a piece that belong to what is below a node, from a node on.
    pub(super) fn below(&self, shape: &Shape, piece: usize, node: NodeId, from: NodeId) -> &[(NodeId, Spot)] {
        let row = &self.rows[piece];
        let owner = self.ground.owner_below(shape.pieces[piece].tie, node);
        let last = self.ground.file.tree().last_leaf(node);
        let first = row.owned.partition_point(|(other, spot)| (*other, spot.node) < (owner, from));
        let end = row.owned.partition_point(|(other, spot)| (*other, spot.node) <= (owner, last));
        row.owned.get(first..end).unwrap_or_default()
    }

    /// The last leaf of the piece's spot that ends first among those below a node, from a node on.
    fn first_end(&self, shape: &Shape, piece: usize, node: NodeId, from: NodeId) -> Option<NodeId> {
        let row = &self.rows[piece];
        let owner = self.ground.owner_below(shape.pieces[piece].tie, node);
        let first = row.owned.partition_point(|(other, spot)| (*other, spot.node) < (owner, from));
        row.owned.get(first).filter(|(other, _)| *other == owner).map(|_| row.least[first])
    }

    /// Whether pieces can be embedded one behind the other below a node, from a node on. Each takes the spot that ends
    /// first: no other choice leaves more to those behind it.
    pub(super) fn are_below(&self, shape: &Shape, pieces: &[usize], node: NodeId, mut from: NodeId) -> bool {
        let last = self.ground.file.tree().last_leaf(node);
        pieces.iter().all(|&piece| {
            let end = self.first_end(shape, piece, node, from);
            from = NodeId(end.map_or(u32::MAX, |end| end.0 + 1));
            end.is_some_and(|end| end <= last)
        })
    }

    /// The spot of a piece that ends first below a node, from a node on.
    pub(super) fn first_to_end(
        &self,
        shape: &Shape,
        piece: usize,
        node: NodeId,
        from: NodeId,
    ) -> Option<NodeId> {
        let end = self.first_end(shape, piece, node, from)?;
        let tree = self.ground.file.tree();
        let mut below = self.below(shape, piece, node, from).iter().map(|(_, spot)| spot.node);
        below.find(|&spot| tree.last_leaf(spot) == end)
    }

    /// Whether a variable can stand for what a node does.
    pub(super) fn may_be(&self, variable: usize, key: &Key<'f>) -> bool {
        self.keys.get(&variable).is_none_or(|keys| keys.contains(key))
    }
}

/// Whether only names are embedded at a label.
fn is_name(label: &Label) -> bool {
    matches!(label, Label::Name | Label::Hole(Sort::Role(Role::Name)))
}
