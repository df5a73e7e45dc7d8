//! Passes for Rust.

pub(crate) mod return_types;
