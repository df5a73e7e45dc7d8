//! Tests of patterns, by what they are about.

mod finding;
mod kit;
mod known_answers;
mod properties;
mod source_code;
