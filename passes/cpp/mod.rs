//! Passes for C++.

pub(crate) mod classes;
mod items;
pub(crate) mod namespaces;
pub(crate) mod structs;
pub(crate) mod templates;
pub(crate) mod unused;
