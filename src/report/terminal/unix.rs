//! Terminals and job control of Unix.

use rustix::process::{Signal, getpgrp, getpid, kill_process};
use rustix::termios::tcgetpgrp;

/// Whether this process is in the foreground of its terminal: one in the background would be stopped if it used it.
pub(crate) fn is_in_foreground() -> bool {
    tcgetpgrp(rustix::stdio::stderr()).is_ok_and(|group| group == getpgrp())
}

/// Writes to the terminal without the lock of standard error.
pub(crate) fn write_unlocked(text: &str) {
    let _ = rustix::io::write(rustix::stdio::stderr(), text.as_bytes());
}

/// Stops this process as Ctrl-Z does, until the shell lets it go on.
pub(crate) fn suspend() {
    // This process exists.
    let _ = kill_process(getpid(), Signal::TSTP);
}

/// Does what Ctrl-C does.
pub(crate) fn interrupt() {
    // This process exists.
    let _ = kill_process(getpid(), Signal::INT);
}
