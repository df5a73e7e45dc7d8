//! Passes for Python, which ask for its node kinds.

pub(crate) mod attributes;
pub(crate) mod bases;
pub(crate) mod breaks;
mod classes;
pub(crate) mod closures;
mod collisions;
pub(crate) mod comprehension_loops;
pub(crate) mod contexts;
pub(crate) mod copies;
pub(crate) mod delegations;
pub(crate) mod displays;
pub(crate) mod fixtures;
pub(crate) mod imports;
pub(crate) mod methods;
pub(crate) mod modules;
pub(crate) mod properties;
pub(crate) mod ranges;
mod strings;
pub(crate) mod supers;
pub(crate) mod test_cases;
mod texts;
pub(crate) mod unpackings;
pub(crate) mod variadics;
pub(crate) mod wrappers;
pub(crate) mod yields;
