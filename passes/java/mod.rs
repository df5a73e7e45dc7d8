//! Passes for Java.

pub(crate) mod constructors;
pub(crate) mod exceptions;
pub(crate) mod statics;
