//! Passes that ask for Python's own nodes.

pub(crate) mod displays;
pub(crate) mod fixtures;
pub(crate) mod imports;
pub(crate) mod methods;
