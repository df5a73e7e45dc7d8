//! Indices of passes and groups, as types that cannot be confused. Units of a group have plain indices: a
//! search counts nothing else.

/// The index of a pass among the passes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassIndex(pub usize);

/// The index of a group in the plan of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupIndex(pub usize);

impl GroupIndex {
    /// The first group of a plan.
    pub const FIRST: Self = Self(0);

    /// The group after this one.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The group with this number from the end of a plan with this many groups.
    pub fn from_end(self, count: usize) -> Option<Self> {
        count.checked_sub(self.0 + 1).map(Self)
    }
}
