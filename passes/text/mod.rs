//! Passes for text, that is for all languages without a grammar.

pub(crate) mod items;
