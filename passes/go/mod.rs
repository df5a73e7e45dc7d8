//! Passes for Go.

pub(crate) mod discards;
pub(crate) mod function_results;
pub(crate) mod joins;
pub(crate) mod mentions;
pub(crate) mod packages;
pub(crate) mod unused_results;
