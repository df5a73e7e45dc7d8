//! Passes for HTML.

pub(crate) mod end_tags;
