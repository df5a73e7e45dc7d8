//! The engine: every decision of a reduction, and no side effect.
//!
//! It says which candidate is to be tested next and learns the verdict. It starts no process, reads no file, no
//! clock and no environment, and starts no thread; `clippy.toml` beside this file forbids them. So what it decides depends on
//! the input, the options and the verdicts alone: the result is the same for every number of workers, and a run
//! that is told the verdicts of an earlier one repeats it. What acts on its decisions is in the package `lopper`.

pub mod algorithms;
pub mod asker;
pub mod choices;
pub mod contents;
pub mod driver;
pub mod foresight;
pub mod index;
pub mod isolate;
pub mod layered;
pub mod means;
pub mod memo;
pub mod schedule;
pub mod search;
pub mod verdict;

pub use contents::{Contents, NamedFile};
pub use means::Means;
pub use verdict::Verdict;
