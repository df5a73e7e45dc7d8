//! Passes for C++.

pub(crate) mod classes;
pub(crate) mod items;
pub(crate) mod namespaces;
pub(crate) mod structs;
pub(crate) mod templates;
pub(crate) mod unused;
