//! Passes for Java.

pub(crate) mod exceptions;
pub(crate) mod statics;
