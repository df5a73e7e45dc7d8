//! Passes for Go.

pub(crate) mod function_results;
pub(crate) mod packages;
