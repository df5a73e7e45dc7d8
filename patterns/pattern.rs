//! Patterns: a tree with holes, over an example that fails.

use lopper_languages::role::{ROLES, Role};
use std::fmt;
use std::ops::Range;

/// What may stand in a hole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// What a grammar derives from a nonterminal, whose name this is: `<expr>`.
    Nonterminal(String),
    /// A node with this role: `<expression>`.
    Role(Role),
    /// A node of this kind: `<kind:call_expression>`.
    Kind(String),
    /// An operator that the grammar takes in its place: `<operator>`.
    Operator,
    /// Any number of statements, also none: `<statements>`. In nodes of this kind.
    Statements(String),
    /// Any number of items of a list, with their separators, also none: `<items>`. In nodes of this kind.
    Items(String),
    /// An integer in this range: `<number:17..>`.
    Number(Interval),
    /// A string with a number of characters in this range: `<string:8..>`.
    Length(Interval),
}

/// A range of integers, both ends included; open where an end is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    /// The least.
    pub least: Option<i64>,
    /// The greatest.
    pub most: Option<i64>,
}

impl Interval {
    /// Whether a number is in the range.
    pub fn has(&self, number: i64) -> bool {
        self.least.is_none_or(|least| least <= number) && self.most.is_none_or(|most| number <= most)
    }

    /// Reads what `Display` writes.
    pub fn read(text: &str) -> Option<Self> {
        let (least, most) = text.split_once("..")?;
        let end = |text: &str| match text {
            "" => Some(None),
            text => text.parse().ok().map(Some),
        };
        Some(Self { least: end(least)?, most: end(most)? })
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: Option<i64>| end.map(|n| n.to_string()).unwrap_or_default();
        write!(f, "{}..{}", end(self.least), end(self.most))
    }
}

impl Sort {
    /// What holes of this sort are called, without angle brackets.
    pub fn name(&self) -> String {
        match self {
            Self::Nonterminal(name) => name.trim_matches(['<', '>']).to_owned(),
            Self::Role(role) => role_name(*role).to_owned(),
            Self::Kind(kind) => format!("kind:{kind}"),
            Self::Operator => "operator".to_owned(),
            Self::Statements(_) => "statements".to_owned(),
            Self::Items(_) => "items".to_owned(),
            Self::Number(interval) => format!("number:{interval}"),
            Self::Length(interval) => format!("string:{interval}"),
        }
    }

    /// Whether a hole of this sort is another one for a name.
    pub(crate) fn is_name(&self) -> bool {
        *self == Self::Role(Role::Name)
    }

    /// Whether a hole of this sort stands between nodes, not in the place of one.
    pub fn is_insertion(&self) -> bool {
        matches!(self, Self::Statements(_) | Self::Items(_))
    }
}

/// The name of a role, as queries capture it.
pub(crate) fn role_name(role: Role) -> &'static str {
    ROLES.iter().find(|(_, r)| *r == role).map_or("", |(name, _)| name)
}

/// The role of a name.
pub(crate) fn role_named(name: &str) -> Option<Role> {
    ROLES.iter().find(|(n, _)| *n == name).map(|(_, role)| *role)
}

/// A node of a pattern, with its place in the example. Nodes are in pre-order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What the grammar calls it.
    pub kind: String,
    /// Whether the grammar names it: a terminal of a user's grammar, punctuation and keywords have no name.
    pub named: bool,
    /// Its bytes in the example.
    pub range: Range<usize>,
    /// One past the last node of the subtree.
    pub last: usize,
    /// The hole that it is, if it is one: an index into [`Pattern::holes`]. A hole has no children.
    pub hole: Option<usize>,
    /// Its children that are statements may stand in any order.
    pub any_order: bool,
}

/// What was seen when a hole or a node was tested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// How many texts were drawn, repetitions included.
    pub draws: usize,
    /// How many of the different ones failed.
    pub failing: usize,
    /// How many of the different ones passed.
    pub passing: usize,
    /// How many of the different ones were invalid.
    pub invalid: usize,
    /// What stood in the place in texts that failed, a few.
    pub instances: Vec<Vec<u8>>,
    /// What stood in the place in the passing text that is nearest to the example.
    pub counterexample: Option<Vec<u8>>,
}

/// A place where different texts may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// What may stand there.
    pub sort: Sort,
    /// The same text stands in all nodes of this hole: `<$NAME_1>`. A hole with several nodes is coupled.
    pub coupled: bool,
    /// Too few valid texts were seen to rely on it.
    pub weak: bool,
    /// What was seen when it was tested.
    pub evidence: Evidence,
}

/// A node that had to stay as it is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// Its bytes in the example.
    pub range: Range<usize>,
    /// What was drawn in its place.
    pub sort: Sort,
    /// What was seen then.
    pub evidence: Evidence,
}

/// Which constructors may stand in a place that had to stay: alternatives of a nonterminal, each with some arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructors {
    /// Its bytes in the example.
    pub range: Range<usize>,
    /// The nonterminal.
    pub nonterminal: String,
    /// All alternatives of the nonterminal, in the order of the grammar.
    pub alternatives: Vec<Alternative>,
}

/// What is known of an alternative in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The alternative, as patterns are written: `(<expr>)`.
    pub shown: String,
    /// How many different texts of it were tested, up to the first one that failed.
    pub drawn: usize,
    /// The text of it that failed; `None` if none did.
    pub instance: Option<Vec<u8>>,
}

/// A kind of definition in which a pattern does not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// What the grammar calls it.
    pub kind: String,
    /// The example in the body of such a definition: it passes.
    pub counterexample: Vec<u8>,
}

/// How often fresh instances of a pattern fail, drawn after the pattern was fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Valid instances that failed.
    pub failing: usize,
    /// Valid instances, `n` of "k of n".
    pub valid: usize,
    /// Instances that were invalid.
    pub invalid: usize,
    /// The confidence of the bound, such as 0.95.
    pub confidence: f64,
    /// The rate of all instances is at least this with that confidence (Clopper and Pearson, one-sided).
    pub bound: f64,
}

/// A tree with holes, the example that it was made of, and what is known about both.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// The language of the trees; `grammar` for a user's grammar.
    pub language: String,
    /// The user's grammar in JSON, if it is one's.
    pub grammar: Option<String>,
    /// A text that fails, an instance of the pattern.
    pub example: Vec<u8>,
    /// The nodes in pre-order. Never empty.
    pub nodes: Vec<Node>,
    /// The holes, in the order of their first nodes.
    pub holes: Vec<Hole>,
    /// The nodes that had to stay.
    pub fixed: Vec<Fixed>,
    /// Which constructors may stand where nodes had to stay, if that was asked for.
    pub constructors: Vec<Constructors>,
    /// How often fresh instances fail, if that was measured.
    pub rate: Option<Rate>,
    /// The pattern of an excerpt: of what is left of the original program if nothing is rewritten, only deleted. It is found
    /// in programs that were not reduced.
    pub excerpt: Option<Box<Pattern>>,
    /// Where the pattern is not embedded: in definitions of these kinds.
    pub outside: Vec<Outside>,
    /// Runs of the test that finding the pattern took.
    pub runs: usize,
}

/// Why data is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPattern(pub String);

impl fmt::Display for NotAPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAPattern {}

impl Pattern {
    /// The nodes of a hole, in the order of the text.
    pub fn nodes_of(&self, hole: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(move |&n| self.nodes[n].hole == Some(hole))
    }

    /// The nodes that are holes, in the order of the text, with the holes.
    pub fn places(&self) -> impl Iterator<Item = (&Node, usize)> {
        self.nodes.iter().filter_map(|node| Some((node, node.hole?)))
    }

    /// The children of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].last;
        let first = (node + 1 < end).then_some(node + 1);
        std::iter::successors(first, move |&child| Some(self.nodes[child].last).filter(|&next| next < end))
    }

    /// The bytes of a node in the example.
    pub fn text(&self, node: usize) -> &[u8] {
        &self.example[self.nodes[node].range.clone()]
    }

    /// The node below which everything is that makes the pattern: the first node from the root downwards that
    /// is a hole, or has several children with a text, or one that the grammar does not name.
    pub fn core(&self) -> usize {
        let mut node = 0;
        loop {
            let solid =
                |&child: &usize| !self.nodes[child].range.is_empty() || self.nodes[child].hole.is_some();
            let mut children = self.children(node).filter(solid);
            match (children.next(), children.next()) {
                (Some(only), None) if self.nodes[only].named && self.nodes[only].hole.is_none() => {
                    node = only
                }
                _ => return node,
            }
        }
    }

    /// What is wrong with the data, if anything: everything else relies on it.
    ///
    /// # Errors
    /// The first rule that the data breaks.
    pub fn check(&self) -> Result<(), NotAPattern> {
        let wrong = |what: &str| Err(NotAPattern(what.to_owned()));
        let Some(root) = self.nodes.first() else { return wrong("there are no nodes") };
        if root.last != self.nodes.len() {
            return wrong("the first node is not the root of all others");
        }
        let mut open: Vec<usize> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            while open.pop_if(|parent| self.nodes[*parent].last <= at).is_some() {}
            let parent = open.last().map(|&parent| &self.nodes[parent]);
            let before = at.checked_sub(1).map_or(0, |before| self.nodes[before].range.start);
            if node.range.start > node.range.end || node.range.end > self.example.len() {
                return wrong("a node is not within the example");
            }
            if parent.is_some_and(|p| {
                p.last < node.last || p.range.end < node.range.end || node.range.start < p.range.start
            }) || node.range.start < before
                || node.last <= at
            {
                return wrong("a node is not within its parent");
            }
            if node.hole.is_some_and(|hole| hole >= self.holes.len() || node.last != at + 1) {
                return wrong("a hole has children, or is not described");
            }
            open.push(at);
        }
        let mut end = 0;
        for (node, _) in self.places() {
            if node.range.start < end {
                return wrong("two holes overlap");
            }
            end = node.range.end;
        }
        if self.fixed.iter().any(|f| f.range.start > f.range.end || f.range.end > self.example.len()) {
            return wrong("a fixed node is not within the example");
        }
        let is_inside = |place: &Constructors| {
            place.range.start <= place.range.end && place.range.end <= self.example.len()
        };
        if !self.constructors.iter().all(is_inside) {
            return wrong("a place with constructors is not within the example");
        }
        match (0..self.holes.len()).find(|&hole| self.nodes_of(hole).next().is_none()) {
            Some(_) => wrong("a hole has no node"),
            None => self.excerpt.as_ref().map_or(Ok(()), |excerpt| excerpt.check()),
        }
    }

    /// The names of the holes, in angle brackets: those of coupled holes have a number.
    pub fn names(&self) -> Vec<String> {
        let mut coupled: Vec<String> = Vec::new();
        let name = |hole: &Hole| match (hole.sort.name(), hole.coupled) {
            (name, false) => format!("<{name}>"),
            (name, true) => {
                coupled.push(name.clone());
                format!("<${name}_{}>", coupled.iter().filter(|n| **n == name).count())
            }
        };
        self.holes.iter().map(name).collect()
    }

    /// How many holes there are whose text in the example is to be seen, how many whose text is empty or blank,
    /// how many coupled ones, and how many bytes are in none.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { fixed_bytes: self.example.len(), ..Counts::default() };
        let mut seen = vec![false; self.holes.len()];
        for (node, hole) in self.places() {
            counts.fixed_bytes -= node.range.len();
            if std::mem::replace(&mut seen[hole], true) {
                continue;
            }
            let blank = self.example[node.range.clone()].iter().all(u8::is_ascii_whitespace);
            match (self.holes[hole].coupled, blank) {
                (true, _) => counts.coupled += 1,
                (false, true) => counts.invisible += 1,
                (false, false) => counts.visible += 1,
            }
        }
        counts
    }
}

/// The sizes of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Holes with a text in the example, but for coupled ones.
    pub visible: usize,
    /// Holes whose text in the example is empty or blank, insertions for example.
    pub invisible: usize,
    /// Coupled holes.
    pub coupled: usize,
    /// Bytes of the example that are in no hole.
    pub fixed_bytes: usize,
}
