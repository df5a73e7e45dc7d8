//! Passes for JavaScript.

pub(crate) mod immediate_calls;
