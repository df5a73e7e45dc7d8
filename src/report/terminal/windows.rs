//! The console of Windows.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What Ctrl-C does, once somebody has said so.
static INTERRUPT: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// Whether this process may use its terminal.
pub(crate) fn is_in_foreground() -> bool {
    true
}

/// Writes to the terminal without the lock of standard error.
pub(crate) fn write_unlocked(text: &str) {
    if let Ok(mut terminal) = OpenOptions::new().write(true).open("CONOUT$") {
        let _ = terminal.write_all(text.as_bytes());
    }
}

/// How long to wait for keys still; `None` if the terminal is gone, which is not known here.
pub(crate) fn wait_for_keys(limit: Duration) -> Option<Duration> {
    Some(limit)
}

/// There is no Ctrl-Z for processes here.
pub(crate) fn suspend() {}

/// Says what [`interrupt`] does.
pub(crate) fn on_interrupt(act: impl Fn() + Send + 'static) {
    *INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
}

/// Does what Ctrl-C does.
pub(crate) fn interrupt() {
    if let Some(act) = &*INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner) {
        act();
    }
}
