//! The behaviour of Lopper, seen from outside: the engine through its API, the command as users start it.
//!
//! One binary, with a module for each topic. The name of a test is the sentence that it proves. Everything
//! essential needs only /bin/sh, cc and python3; a test that lacks a tool prints `SKIPPED` on standard error.

mod architecture;
mod background;
mod cli;
mod documents;
mod each_pass;
mod engine;
mod examples;
mod flicker;
mod fuzz;
mod grammars;
mod kit;
mod known_answers;
mod reliability;
#[cfg(feature = "remote")]
mod remote;
mod several_files;
mod time_limits;
mod transformations;
mod workers;

/// The result of a test: an error is reported, where a panic would hide it.
type Checked = Result<(), Box<dyn std::error::Error>>;
