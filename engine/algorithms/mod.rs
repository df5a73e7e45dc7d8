//! Published algorithms in place of passes and search, for comparison with each other and with Lopper's own.
//!
//! An algorithm asks for verdicts itself, one candidate after the other, and keeps its own state: a level, a
//! queue of nodes, several programs at once. It names the candidates that follow, so that workers can test
//! them ahead. The best program, and the rules about what may be tested, are in `descent.rs`.

mod bases;
mod choices;
mod descent;
mod gtr;
mod hdd;
mod keep_list;
mod perses;
mod pruned;
mod sequence;

use crate::Contents;
use crate::asker::{Asker, Halt};
use descent::Descent;
use lopper_languages::Parsed;
use lopper_languages::measure::Measure;
use lopper_passes::Base;
use std::fmt;
use std::sync::Arc;

/// A published algorithm.
pub struct Algorithm {
    /// The name for users.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    once: fn(&mut Descent) -> Result<(), Halt>,
    /// Whether it is repeated on its result until that stays the same.
    repeats: bool,
    sees: Trees,
}

/// The trees that an algorithm sees of a file that is read by a user's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trees {
    /// The trees of the passes: chains of recursive rules are flat lists.
    Lists,
    /// Derivation trees, for which the algorithm was published.
    Derivations,
    /// No trees: the algorithm changes the choices of a derivation.
    Choices,
}

impl Algorithm {
    /// Whether the files must be read by a user's grammar.
    pub fn needs_grammar(&self) -> bool {
        self.sees == Trees::Choices
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// All algorithms.
pub static ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "ddmin-lines",
        summary: "ddmin over lines",
        once: sequence::lines,
        repeats: false,
        sees: Trees::Lists,
    },
    Algorithm {
        name: "ddmin-tokens",
        summary: "ddmin over tokens",
        once: sequence::tokens,
        repeats: false,
        sees: Trees::Lists,
    },
    Algorithm {
        name: "hdd",
        summary: "HDD: delta debugging on each level of the tree, from the root down",
        once: hdd::once,
        repeats: false,
        sees: Trees::Derivations,
    },
    Algorithm {
        name: "hdd*",
        summary: "HDD until nothing changes",
        once: hdd::once,
        repeats: true,
        sees: Trees::Derivations,
    },
    Algorithm {
        name: "hdd-delete",
        summary: "HDD that may delete any node, whatever the grammar says",
        once: hdd::delete_once,
        repeats: false,
        sees: Trees::Derivations,
    },
    Algorithm {
        name: "hdd-delete*",
        summary: "hdd-delete until nothing changes",
        once: hdd::delete_once,
        repeats: true,
        sees: Trees::Derivations,
    },
    Algorithm {
        name: "gtr",
        summary: "GTR: on each level, deletes nodes, then replaces nodes by a child",
        once: gtr::once,
        repeats: false,
        sees: Trees::Derivations,
    },
    Algorithm {
        name: "gtr*",
        summary: "GTR until nothing changes",
        once: gtr::once,
        repeats: true,
        sees: Trees::Derivations,
    },
    Algorithm {
        name: "perses",
        summary: "Perses: largest node first; shortens lists, replaces other nodes by a descendant that fits",
        once: perses::once,
        repeats: false,
        sees: Trees::Lists,
    },
    Algorithm {
        name: "perses*",
        summary: "Perses until nothing changes",
        once: perses::once,
        repeats: true,
        sees: Trees::Lists,
    },
    Algorithm {
        name: "perses-bases",
        summary: "textbook Perses: a queue of trees, smallest first; each success is a tree of its own",
        once: bases::once,
        repeats: false,
        sees: Trees::Derivations,
    },
    Algorithm {
        name: "perses-bases*",
        summary: "textbook Perses until nothing changes",
        once: bases::once,
        repeats: true,
        sees: Trees::Derivations,
    },
    Algorithm {
        name: "keep-list",
        summary: "one list of all reductions of all nodes; dd minimises the list of those not made",
        once: keep_list::once,
        repeats: false,
        sees: Trees::Lists,
    },
    Algorithm {
        name: "keep-list*",
        summary: "keep-list until nothing changes",
        once: keep_list::once,
        repeats: true,
        sees: Trees::Lists,
    },
    Algorithm {
        name: "choices",
        summary: "choice-sequence reduction; requires --grammar, which accepts every candidate",
        once: choices::once,
        repeats: false,
        sees: Trees::Choices,
    },
];

/// The algorithm with this name.
pub fn named(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// The result of an algorithm, finished or not.
#[derive(Clone, Debug)]
pub struct Descended {
    /// The best program's files.
    pub contents: Contents,
    /// The measure of `contents`.
    pub measure: Measure,
    /// The reason why the algorithm did not finish, if it did not.
    pub halt: Option<Halt>,
}

impl Algorithm {
    /// Runs the algorithm on `base`, which the test accepts. With `stays_in_grammar` it never tests a
    /// candidate that the grammar refuses.
    pub fn run(&self, base: Base, stays_in_grammar: bool, asker: &mut dyn Asker) -> Descended {
        let base = match self.sees {
            Trees::Lists | Trees::Choices => base,
            Trees::Derivations => with_derivations(base),
        };
        let mut descent = Descent::new(self.name, base, stays_in_grammar, asker);
        let halt = self.descend(&mut descent).err();
        Descended { contents: (*descent.best()).clone(), measure: descent.measure(), halt }
    }

    fn descend(&self, descent: &mut Descent) -> Result<(), Halt> {
        loop {
            let before = descent.best();
            (self.once)(descent)?;
            if !self.repeats || descent.best() == before {
                return descent.tidy();
            }
            descent.parse_best();
        }
    }
}

/// The base with derivation trees for the files that are read by a user's grammar.
fn with_derivations(base: Base) -> Base {
    let read = |file: Arc<Parsed>| match file.language.parser() {
        Some(parser) => {
            Arc::new(Parsed::at(Arc::clone(&file.path), parser.derivation_trees(), file.text.clone()))
        }
        None => file,
    };
    Base { files: base.files.into_iter().map(read).collect() }
}

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod tests;
