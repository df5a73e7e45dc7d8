//! Input algebra: which texts of a grammar have a cause of a failure, how often, or lack it.
//!
//! Gopinath, Nemati and Zeller, "Input Algebras" (ICSE 2021), on one engine: a deterministic bottom-up tree automaton
//! that counts the places at which causes match. Any formula over these counts is answered by its states: on a text, on
//! all texts of a given length, or as a grammar that derives exactly the texts that satisfy it.

mod automaton;
mod construction;
mod count;
mod evocative;
mod formula;
mod goal;
mod product;
mod refined;
mod refinement;
mod subtree;
#[cfg(test)]
mod tests;

pub use automaton::{Automaton, State};
pub use construction::{Constructions, RefinedRule, Token, conjunction};
pub use count::Lengths;
pub use formula::{Formula, Malformed};
pub use product::TooLarge;
pub use refined::RefinedGrammar;
pub use refinement::{Atom, Kind, Refinement};
pub use subtree::{NoSubtree, Subtree};
