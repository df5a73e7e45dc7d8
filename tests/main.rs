//! What Lopper does, seen from outside: the engine through its API, the command as a user starts it.
//!
//! One binary, a module a topic. A test's name is the sentence that it proves. Everything essential
//! needs /bin/sh, cc and python3 alone; a test that lacks a tool says `SKIPPED` on standard error.

mod architecture;
mod background;
mod cli;
mod engine;
mod examples;
mod fuzz;
mod grammars;
mod kit;
mod known_answers;
mod reliability;
mod transformations;
mod workers;

/// What a test returns: an error says what went wrong, where a panic would hide it.
type Checked = Result<(), Box<dyn std::error::Error>>;
