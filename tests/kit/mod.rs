//! Helpers: scripted tests for the engine, and throw-away projects for the command.

mod project;
mod random;
mod scripted;

pub(crate) use project::{Finished, Project, Running};
pub(crate) use random::Random;
pub(crate) use scripted::{Log, as_example, base, reduced, reduced_with, tokens};

use std::path::Path;

/// Reports that a test is skipped, directly on standard error, since the harness captures other output.
pub(crate) fn skip(test: &str, reason: &str) {
    use std::io::Write;
    // Nothing depends on this line being read.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {reason}");
}

/// Whether a program of this name is on the PATH.
pub(crate) fn has(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// Whether this process may write even where permissions forbid it, as root may.
pub(crate) fn is_above_permissions() -> bool {
    rustix::process::geteuid().is_root()
}

/// The names of all files in a folder, sorted.
pub(crate) fn names_in(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
