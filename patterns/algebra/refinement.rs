//! Refinements: what is said of the trees of a nonterminal, such as `and(D,neg(Z))` in `<expr and(D,neg(Z))>`.

use std::collections::BTreeSet;

/// What is known of the trees of a refined nonterminal. The functions below keep it simple: negation stands only before
/// atoms, conjunctions and disjunctions are flat and have no part twice, and what holds always or never is said so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refinement {
    /// Something about one subtree.
    Is(Atom),
    /// Its contrary.
    Not(Atom),
    /// All hold; at least two.
    And(BTreeSet<Refinement>),
    /// At least one holds; at least two.
    Or(BTreeSet<Refinement>),
    /// Nothing: the nonterminal of the base grammar.
    Top,
    /// What no tree satisfies.
    Bottom,
}

/// What a refinement says about one subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Atom {
    /// The subtree, by its number.
    pub subtree: usize,
    /// What is said of it.
    pub kind: Kind,
}

/// What may be said about one subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The tree contains it.
    Contains,
    /// The tree's root matches this concrete node of it, by its number in pre-order.
    Matches(usize),
    /// It matches at exactly so many nodes; at least one.
    Exactly(u32),
    /// It matches at so many nodes or more; at least one.
    AtLeast(u32),
}

impl Refinement {
    fn is(subtree: usize, kind: Kind) -> Self {
        Self::Is(Atom { subtree, kind })
    }

    /// The tree contains the subtree.
    pub fn contains(subtree: usize) -> Self {
        Self::is(subtree, Kind::Contains)
    }

    /// The tree's root matches a node of the subtree.
    pub fn matches(subtree: usize, node: usize) -> Self {
        Self::is(subtree, Kind::Matches(node))
    }

    /// The subtree matches at exactly so many nodes of the tree.
    pub fn exactly(subtree: usize, count: u32) -> Self {
        if count == 0 { Self::contains(subtree).negated() } else { Self::is(subtree, Kind::Exactly(count)) }
    }

    /// The subtree matches at so many nodes of the tree or more.
    pub fn at_least(subtree: usize, count: u32) -> Self {
        if count == 0 { Self::Top } else { Self::is(subtree, Kind::AtLeast(count)) }
    }

    /// The subtree matches at so many nodes of the tree or fewer.
    pub fn at_most(subtree: usize, count: u32) -> Self {
        Self::or((0..=count).map(|count| Self::exactly(subtree, count)))
    }

    /// All of these hold.
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = BTreeSet::new();
        for part in parts {
            match part {
                Self::And(more) => all.extend(more),
                Self::Top => {}
                other => _ = all.insert(other),
            }
        }
        if all.contains(&Self::Bottom) || has_contraries(&all) {
            return Self::Bottom;
        }
        only(all, Self::Top, Self::And)
    }

    /// At least one of these holds.
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = BTreeSet::new();
        for part in parts {
            match part {
                Self::Or(more) => all.extend(more),
                Self::Bottom => {}
                other => _ = all.insert(other),
            }
        }
        if all.contains(&Self::Top) || has_contraries(&all) {
            return Self::Top;
        }
        only(all, Self::Bottom, Self::Or)
    }

    /// It does not hold: negation goes to the atoms by De Morgan's laws.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Is(Atom { subtree, kind: Kind::Exactly(count) }) => {
                Self::or([Self::at_most(subtree, count - 1), Self::at_least(subtree, count + 1)])
            }
            Self::Is(Atom { subtree, kind: Kind::AtLeast(count) }) => Self::at_most(subtree, count - 1),
            Self::Is(atom) => Self::Not(atom),
            Self::Not(atom) => Self::Is(atom),
            Self::And(parts) => Self::or(parts.into_iter().map(Self::negated)),
            Self::Or(parts) => Self::and(parts.into_iter().map(Self::negated)),
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
        }
    }

    /// The subtrees that it is about.
    pub fn subtrees(&self) -> BTreeSet<usize> {
        match self {
            Self::Is(atom) | Self::Not(atom) => [atom.subtree].into(),
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::subtrees).collect(),
            Self::Top | Self::Bottom => BTreeSet::new(),
        }
    }

    /// It in words, with these names of subtrees: `and(D,neg(Z_1))`.
    pub fn shown(&self, names: &[String]) -> String {
        let list =
            |parts: &BTreeSet<Self>| parts.iter().map(|part| part.shown(names)).collect::<Vec<_>>().join(",");
        match self {
            Self::Is(atom) => atom.shown(names),
            Self::Not(atom) => format!("neg({})", atom.shown(names)),
            Self::And(parts) => format!("and({})", list(parts)),
            Self::Or(parts) => format!("or({})", list(parts)),
            Self::Top => "top".to_owned(),
            Self::Bottom => "bottom".to_owned(),
        }
    }
}

/// Whether an atom stands among these, and its contrary, too.
fn has_contraries(parts: &BTreeSet<Refinement>) -> bool {
    parts.iter().any(|part| matches!(part, Refinement::Is(atom) if parts.contains(&Refinement::Not(*atom))))
}

/// The only part, what no part at all means, or all of them.
fn only(
    mut parts: BTreeSet<Refinement>,
    none: Refinement,
    several: fn(BTreeSet<Refinement>) -> Refinement,
) -> Refinement {
    if parts.len() > 1 { several(parts) } else { parts.pop_first().unwrap_or(none) }
}

impl Atom {
    fn shown(&self, names: &[String]) -> String {
        let name = names.get(self.subtree).map_or("", String::as_str);
        match self.kind {
            Kind::Contains => name.to_owned(),
            Kind::Matches(node) => format!("{name}_{node}"),
            Kind::Exactly(count) => format!("{name}={count}"),
            Kind::AtLeast(count) => format!("{name}>={count}"),
        }
    }
}
