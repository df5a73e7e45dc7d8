//! Passes for C++, which ask for its node kinds.

pub(crate) mod namespaces;
pub(crate) mod structs;
pub(crate) mod templates;
