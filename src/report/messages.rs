//! Messages on standard error. While a live view has the terminal, they are held back, and the view shows the last one.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The messages that are held back, while they are.
static HELD: Mutex<Option<Vec<String>>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<Vec<String>>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a line. It is not an error if it cannot be written: only the result counts.
pub(super) fn line(text: &str) {
    match &mut *held() {
        Some(held) => held.push(text.to_owned()),
        None => _ = std::io::stderr().write_all(format!("{text}\n").as_bytes()),
    }
}

/// Holds back all messages from now on.
pub(super) fn hold() {
    held().get_or_insert_default();
}

/// The last message that is held back.
pub(super) fn last() -> Option<String> {
    held().as_ref()?.last().cloned()
}

/// Writes all messages that were held back.
pub(super) fn release() {
    let messages = held().take();
    messages.into_iter().flatten().for_each(|message| line(&message));
}
