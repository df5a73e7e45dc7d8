//! The engine makes every decision of a reduction, and has no side effects.
//!
//! It names the next candidate to test, and learns the verdict. It starts no process or thread, and reads no
//! file, clock or environment; the `clippy.toml` beside this file forbids it. So its decisions depend only on
//! the input, the options and the verdicts: the result is the same for every number of workers, and a run
//! that is told the verdicts of an earlier one repeats it. The package `lopper` carries the decisions out.

pub mod algorithms;
pub mod asker;
pub mod choices;
pub mod contents;
pub mod driver;
pub mod effort;
pub mod flicker;
pub mod foresight;
pub mod index;
pub mod isolate;
pub mod layered;
pub mod means;
pub mod memo;
pub mod protected;
pub mod schedule;
pub mod search;
pub mod verdict;

pub use contents::{Contents, NamedFile};
pub use means::Means;
pub use verdict::Verdict;
