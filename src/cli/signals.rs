//! Signals as this process needs them, whatever its parent has set.

use signal_hook::consts::{SIGCHLD, SIGXFSZ};
use signal_hook::flag::register;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Sees to it that children can be waited for, where the parent has us ignore their ends, and that a file that
/// gets too large (`ulimit -f`) is an error, not a death without a word. What we start gets the defaults: a
/// handler does not outlive `exec`.
///
/// # Errors
/// If no signal can be caught.
pub(super) fn prepare() -> std::io::Result<()> {
    if super::reduce::is_ignored(SIGCHLD) {
        register(SIGCHLD, Arc::new(AtomicBool::new(false)))?;
    }
    register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}
