//! Lopper: the smallest, clearest program that still fails.
//!
//! A [`Reducer`] takes a text and a test that recognises a failure, and finds the smallest text that the test
//! still accepts:
//!
//! ```
//! use lopper::Reducer;
//!
//! let program = "int half(int a) {\n    return a / 2;\n}\nint main() {\n    return half(7) / 0;\n}\n";
//! let reduction = Reducer::new("crash.c", program)
//!     .max_tests(500)
//!     .reduce(|candidate| String::from_utf8_lossy(candidate).contains("/ 0"))?;
//! assert_eq!(reduction.text(), b"/ 0\n");
//! for commit in &reduction.history {
//!     println!("{} tokens after {} runs, by {:?}", commit.tokens, commit.runs, commit.pass);
//! }
//! # Ok::<_, lopper::UserError>(())
//! ```
//!
//! The test may also be a command: [`Reducer::reduce_with_command`]. A reduction in memory writes no files
//! and prints nothing.
//!
//! | task | item |
//! |---|---|
//! | to reduce texts with a closure or a command | [`Reducer`], [`Reduction`] |
//! | to follow every run and every commit | [`Reducer::listener`], [`Event`] |
//! | to add a pass of your own | [`passes`], [`Reducer::passes`], `examples/custom_pass.rs` |
//! | to choose a language by its name, or a grammar of your own | [`languages`], [`languages::grammar`] |
//! | to isolate the part of any sequence that makes a test fail, by delta debugging | [`isolate`] |
//! | to shrink the derivations of a grammar | [`choices`] |
//! | to build the whole command with passes of your own | [`cli::main_with`] |
//! | to make the decisions of a reduction one by one | [`engine`] |
//!
//! This package has all side effects of the project. The decisions of a reduction are in [`engine`], the ways
//! to make programs smaller in [`passes`], and the parsers in [`languages`]. `docs/architecture.md` is the
//! map.

#[cfg(feature = "cli")]
pub mod cli;

// The internals. Public items here serve the project's own tests and benchmarks, and may change at any time.
mod asker;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod background;
#[doc(hidden)]
pub mod conditions;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod entries;
#[doc(hidden)]
pub mod error;
#[cfg(feature = "cli")]
mod excerpt;
mod fastest;
#[cfg(feature = "cli")]
mod files;
#[cfg(feature = "cli")]
mod generalization;
#[cfg(feature = "cli")]
mod isolation;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod journal;
#[cfg(feature = "cli")]
mod looks;
#[doc(hidden)]
pub mod oracle;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod output;
// A build without the command needs only a part of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod platform;
#[doc(hidden)]
pub mod reduce;
mod reducer;
#[cfg(feature = "cli")]
mod report;
#[doc(hidden)]
pub mod run;
mod time_limit;
mod workers;

pub use lopper_engine as engine;
pub use lopper_engine::{choices, isolate, search};
pub use lopper_languages as languages;
pub use lopper_passes as passes;

#[doc(hidden)]
pub use lopper_engine::{algorithms, driver, schedule};

pub use error::{ErrorKind, UserError};
pub use oracle::{Contents, Verdict};
pub use reducer::{Commit, Reducer, Reduction};
pub use run::{End, Event, Stats};
