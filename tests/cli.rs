//! The command `lopper`, started as a user starts it.

mod algebra;
mod algorithms;
mod answers;
mod checking;
mod checks;
mod circumstances;
mod conditions;
mod configuration;
mod events;
mod excerpts;
mod faults;
mod fingerprint;
mod flags;
mod flicker;
mod folders;
mod formatting;
mod formulas;
mod generalizing;
mod grammars;
mod hostile;
mod in_place;
mod init;
mod inputs;
mod isolate;
mod journal;
mod live;
pub(crate) mod loading;
mod manners;
mod options;
mod output;
mod patterns;
mod places;
mod portable;
mod processes;
mod protection;
mod ready_servers;
mod report;
mod resuming;
mod servers;
mod surroundings;

use crate::kit::Project;

/// A program of some lines; the tests look for `needle`.
pub(crate) const C: &str = "\
/* Counts. */
int limit = 10;
int count(int to) {
    for (int i = 0; i < to; i++) needle(i);
    return to;
}
int main(void) { return count(limit); }
";

/// A test that finds `needle` in the candidate.
pub(crate) const NEEDLE: &str = "grep -q needle \"$1\"";

/// A project with `test.sh`, which looks for a needle, and `a.c`, which contains one.
pub(crate) fn needle() -> std::io::Result<Project> {
    Project::with(NEEDLE, "a.c", C)
}
