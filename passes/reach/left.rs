//! How many definitions of each name are left when items are taken away.

use super::{Item, Reach};
use std::collections::BTreeMap;
use std::ops::{AddAssign, SubAssign};

/// How many items define a name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Definitions {
    all: u32,
    /// Those that define a class with its members.
    with_members: u32,
}

impl AddAssign for Definitions {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.with_members += other.with_members;
    }
}

impl SubAssign for Definitions {
    fn sub_assign(&mut self, other: Self) {
        self.all -= other.all;
        self.with_members -= other.with_members;
    }
}

impl Item {
    /// How often it defines one of its names: not if it only repeats it.
    pub(super) fn definitions_of(&self, name: u32) -> Definitions {
        let all = u32::from(!self.repeats.contains(&name));
        Definitions { all, with_members: all * u32::from(self.has_members) }
    }
}

/// What is lost of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lost {
    /// The members of a class, of which other items still declare the name.
    Members,
    /// All definitions.
    All,
}

/// The definitions that are left, of the names that items defined which were taken away.
pub(super) struct Left<'a> {
    reach: &'a Reach,
    names: BTreeMap<u32, (Definitions, Option<Lost>)>,
    /// Losses that `next_lost` has not reported yet.
    due: Vec<(u32, Lost)>,
}

impl<'a> Left<'a> {
    /// All definitions are left.
    pub(super) fn new(reach: &'a Reach) -> Self {
        Self { reach, names: BTreeMap::new(), due: Vec::new() }
    }

    /// Takes an item away.
    pub(super) fn take(&mut self, at: u32) {
        let item = &self.reach.items[at as usize];
        for &name in &item.names {
            let all = self.reach.definitions[name as usize];
            let (left, known) = self.names.entry(name).or_insert((all, None));
            *left -= item.definitions_of(name);
            let lost = match left {
                Definitions { all: 0, .. } => Some(Lost::All),
                Definitions { with_members: 0, .. } if item.has_members => Some(Lost::Members),
                Definitions { .. } => None,
            };
            if lost > *known {
                *known = lost;
                self.due.extend(lost.map(|lost| (name, lost)));
            }
        }
    }

    /// A name of which more is lost than was reported before, with what is lost.
    pub(super) fn next_lost(&mut self) -> Option<(u32, Lost)> {
        let Self { names, due, .. } = self;
        std::iter::from_fn(|| due.pop())
            .find(|(name, lost)| names.get(name).is_some_and(|(_, now)| *now == Some(*lost)))
    }
}
