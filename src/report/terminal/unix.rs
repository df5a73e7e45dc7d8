//! Terminals and job control of Unix.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpgrp, getpid, kill_process};
use rustix::termios::{isatty, tcgetpgrp};
use std::time::Duration;

/// Whether this process is in the foreground of its terminal: one in the background would be stopped if it used it.
pub(crate) fn is_in_foreground() -> bool {
    tcgetpgrp(rustix::stdio::stderr()).is_ok_and(|group| group == getpgrp())
}

/// Writes to the terminal without the lock of standard error.
pub(crate) fn write_unlocked(text: &str) {
    let _ = rustix::io::write(rustix::stdio::stderr(), text.as_bytes());
}

/// Waits for keys, at most so long, and tells how long to wait for them still. `None` if the terminal is gone, as when its
/// window was closed: crossterm would read from it for ever.
pub(crate) fn wait_for_keys(limit: Duration) -> Option<Duration> {
    let stdin = rustix::stdio::stdin();
    let terminal = if isatty(stdin) { stdin } else { rustix::stdio::stderr() };
    let mut asked = [PollFd::from_borrowed_fd(terminal, PollFlags::IN)];
    // An interrupted wait is over, like any other.
    let _ = poll(&mut asked, Timespec::try_from(limit).ok().as_ref());
    if asked[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        std::thread::sleep(limit);
        return None;
    }
    Some(Duration::ZERO)
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
