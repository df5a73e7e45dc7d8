//! Lopper: the smallest, clearest program that still fails.
//!
//! The library behind the `lopper` command. All side effects of the project are in this package:
//! [`oracle`] runs the user's test, [`journal`] keeps what it said, [`reduce`] is the loop, [`report`] prints, [`cli`] is the command
//! line. Which candidate comes next is decided in `lopper_engine`, what makes programs smaller is in `lopper_passes`,
//! and how bytes become trees is in `lopper_languages`; none of these has side effects. `docs/architecture.md` is the map.

pub mod algorithms;
pub mod background;
pub mod cli;
pub mod error;
pub mod files;
pub mod isolate;
pub mod journal;
pub mod oracle;
pub mod output;
pub mod reduce;
pub mod report;
pub mod workers;

pub use lopper_engine as engine;
pub use lopper_engine::{choices, driver, layered, schedule, search};
pub use lopper_languages as languages;
pub use lopper_passes as passes;
