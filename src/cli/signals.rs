//! Signals as this process needs them, whatever its parent has set.

use super::Exit;
use crate::error::UserError;
use crate::oracle::interrupt::Interrupt;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag::{self, register};
use signal_hook::low_level::pipe;
use std::fs;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Sees to it that children can be waited for, where the parent has us ignore their ends, and that a file that
/// gets too large (`ulimit -f`) is an error, not a death without a word. What we start gets the defaults: a
/// handler does not outlive `exec`.
///
/// # Errors
/// If no signal can be caught.
pub(super) fn prepare() -> std::io::Result<()> {
    if is_ignored(SIGCHLD) {
        register(SIGCHLD, Arc::new(AtomicBool::new(false)))?;
    }
    register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// Ctrl-C, SIGTERM and SIGHUP end the run, with the result kept; the second one ends it at once, and
/// leaves the cleaning to the helpers. What nohup(1) has let us ignore stays ignored.
pub(super) fn catch_signals() -> Result<Interrupt, UserError> {
    let register_all = || -> std::io::Result<Interrupt> {
        let (reader, writer) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            let again = Arc::new(AtomicBool::new(false));
            flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, Arc::clone(&again))?;
            register(signal, again)?;
            pipe::register(signal, writer.try_clone()?)?;
        }
        Ok(Interrupt::new(reader))
    };
    register_all().map_err(|e| UserError::usage("signals cannot be caught").fact(e.to_string()))
}

/// Whether this process was started with a signal ignored, as /proc tells it.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
