//! This machine as an executor, by the runner that fits the system.

use super::command::TestCommand;
use super::executor::Executor;
use super::ground::Ground;
use super::interrupt::Interrupt;
use super::portable;
use super::question::Protocol;
use super::shared::Shared;
use crate::error::UserError;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
#[cfg(feature = "cli")]
use std::process::ExitStatus;
use std::sync::Arc;
#[cfg(feature = "cli")]
use std::time::Duration;

#[cfg(target_os = "linux")]
use super::linux as native;
#[cfg(not(target_os = "linux"))]
use super::portable as native;

/// The variable that chooses the runner of other systems, so that it can be tried on Linux.
const RUNNER: &str = "LOPPER_RUNNER";

/// Whether the runner is used that needs nothing special of the system.
fn is_portable() -> bool {
    !cfg!(target_os = "linux") || std::env::var_os(RUNNER).is_some_and(|name| name == "portable")
}

/// What the runner of this system does not promise, in one sentence.
pub fn shortcoming() -> Option<&'static str> {
    is_portable().then_some(portable::SHORTCOMING)
}

/// An executor for `workers` workers and commands with these paths of a candidate as arguments. A folder among the
/// arguments exists even if it contains no file. `helper` is the path of the `lopper` executable; without it, this
/// process itself starts the tests, servers cannot be used, and if it is killed, processes of the tests may outlive it.
/// Every candidate stands on this ground.
///
/// # Errors
/// If no working folder can be created, or the system lacks something.
pub fn executor(
    commands: &[TestCommand],
    arguments: &[Arc<Path>],
    workers: usize,
    interrupt: Interrupt,
    helper: Option<PathBuf>,
    ground: Ground,
) -> Result<Box<dyn Executor>, UserError> {
    let make = if is_portable() { portable::executor } else { native::executor };
    make(Shared::new(commands, arguments, interrupt, helper, ground), workers)
}

/// Whether this first word of a command line makes the process a helper.
pub fn is_helper(word: &OsStr) -> bool {
    word == portable::SUBCOMMAND || word == native::SUBCOMMAND
}

/// Makes this process a helper if these words of a command line say so; returns how that ended.
pub fn serve_if_helper(
    mut words: impl Iterator<Item = OsString>,
    protocol: Protocol,
) -> Option<io::Result<()>> {
    let first = words.next()?;
    if first == portable::SUBCOMMAND {
        return Some(portable::serve(words, protocol));
    }
    (first == native::SUBCOMMAND).then(|| native::serve(words, protocol))
}

/// Runs this program itself once more, without input and output: for code that may crash or hang. `None` if it had to be
/// killed at the end of the time.
///
/// # Errors
/// If it cannot be started.
#[cfg(feature = "cli")]
pub fn rehearse(arguments: &[OsString], limit: Duration) -> io::Result<Option<ExitStatus>> {
    let rehearse = if is_portable() { portable::rehearse } else { native::rehearse };
    rehearse(arguments, limit)
}

/// Puts this program, with other arguments, in the place of this process; returns only if that fails.
#[cfg(feature = "cli")]
pub fn replace_this(arguments: &[&OsStr]) -> io::Error {
    let replace = if is_portable() { portable::replace_this } else { native::replace_this };
    replace(arguments)
}
