//! What passes for several languages do in C#.

pub(crate) mod namespaces;
