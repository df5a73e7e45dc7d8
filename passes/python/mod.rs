//! Passes that ask for Python's own nodes.

pub(crate) mod imports;
