//! Patterns: under which circumstances an input fails, as a tree with holes. Pure.
//!
//! A pattern comes from an example that fails: what may vary becomes a hole ([`Generalizing`]), which says what
//! texts to test and learns the verdicts. Instances are drawn from patterns ([`Instances`]), and patterns are found in
//! files ([`Haystack`]). Nothing here runs a test, reads a file or a clock: what is drawn depends on a seed.

pub mod algebra;
mod assembly;
mod bisection;
mod check;
mod constructors;
mod corpus;
mod derivations;
mod drawing;
mod embedding;
mod enclosing;
mod evocative;
mod find;
mod generalizing;
mod grammar;
mod html;
mod inserting;
mod instances;
mod json;
mod literals;
mod measuring;
mod pattern;
mod pools;
mod random;
pub mod rate;
mod reading;
mod source;
#[cfg(test)]
mod tests;
mod text;

pub use constructors::Extrapolating;
pub use embedding::{Closeness, Ground, Needle};
pub use enclosing::{Enclosed, enclosed};
pub use find::{Extras, Haystack, Match};
pub use generalizing::{Generalizing, Options};
pub use html::escaped;
pub use inserting::Insertions;
pub use instances::{Fill, Instance, Instances};
pub use pattern::{
    Alternative, Constructors, Counts, Evidence, Fixed, Hole, Interval, Node, NotAPattern, Outside, Pattern,
    Rate, Sort,
};
pub use random::Random;
pub use text::Names;
