//! Published algorithms in place of passes and search: to compare them with each other and with us.
//!
//! They ask for verdicts themselves, one candidate after the other, and keep what they keep: a level, a
//! queue of nodes, several programs at once. They say what they would ask for next, so that workers can
//! run that ahead of them. What the user is owed, `descent.rs` sees to.

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
    /// What users call it.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    once: fn(&mut Descent) -> Result<(), Halt>,
    /// Whether it begins again with its result until that stays the same.
    repeats: bool,
    sees: Trees,
}

/// What trees an algorithm sees of a file that is read by a grammar of the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trees {
    /// Those of the passes: chains of recursive rules are flat lists.
    Lists,
    /// The derivation trees that it is published for.
    Derivations,
    /// None: it changes what was chosen in a derivation.
    Choices,
}

impl Algorithm {
    /// Whether files must be read by a grammar of the user's.
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

/// The algorithm of this name.
pub fn named(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// What an algorithm leaves, whether it came to its end or not.
#[derive(Clone, Debug)]
pub struct Descended {
    /// The best program's files.
    pub contents: Contents,
    /// Their measure.
    pub measure: Measure,
    /// Why the algorithm did not come to its end, if it did not.
    pub halt: Option<Halt>,
}

impl Algorithm {
    /// Runs the algorithm on `base`, which the test accepts. With `stays_in_grammar` it never tests a candidate that the
    /// grammar refuses.
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

/// The same files with derivation trees, as far as they are read by a grammar of the user's.
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
