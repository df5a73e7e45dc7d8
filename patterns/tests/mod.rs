//! Tests of patterns, by what they are about.

mod agenda;
mod embedding;
mod finding;
mod kit;
mod known_answers;
mod properties;
mod source_code;
