//! Passes for text, that is for all languages without a grammar.

pub(crate) mod calls;
mod defined;
pub(crate) mod items;
pub(crate) mod meanings;
pub(crate) mod rare_words;
pub(crate) mod stand_ins;
