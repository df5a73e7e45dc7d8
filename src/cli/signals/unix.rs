//! Sets the signal handlers of this process, whatever its parent has set.

use crate::cli::Exit;
use crate::error::UserError;
use crate::oracle::interrupt::Interrupt;
use crate::platform::is_ignored;
use crate::report;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag::{self, register};
use signal_hook::low_level::{exit, pipe};
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The stack of a thread that waits for a second signal, in bytes.
const STACK: usize = 64 << 10;

/// Makes sure that children can be waited for, even if the parent made us ignore their ends, and that a file
/// which gets too large (`ulimit -f`) causes an error, not a silent death. Processes that we start get the
/// default handlers, since handlers do not survive `exec`.
///
/// # Errors
/// If no signal can be caught.
pub(in crate::cli) fn prepare() -> std::io::Result<()> {
    if is_ignored(SIGCHLD) {
        register(SIGCHLD, Arc::new(AtomicBool::new(false)))?;
    }
    register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// How long after the first signal others count as the same one: timeout(1) sends its signal to its child, and then to
/// the group that the child is in.
const SAME: Duration = Duration::from_millis(100);

/// Makes Ctrl-C, SIGTERM and SIGHUP end the run and keep the result. The second signal of a kind ends it at once, and
/// leaves the cleaning to the helpers. Signals that nohup(1) made us ignore stay ignored.
pub(in crate::cli) fn catch_signals() -> Result<Interrupt, UserError> {
    let (reader, writer) = UnixStream::pair().map_err(|e| uncaught(&e))?;
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if signal == SIGHUP && is_ignored(signal) {
            continue;
        }
        end_at_second(signal)?;
        writer.try_clone().and_then(|writer| pipe::register(signal, writer)).map_err(|e| uncaught(&e))?;
    }
    Ok(Interrupt::new(reader))
}

fn uncaught(e: &std::io::Error) -> UserError {
    UserError::usage("signals cannot be caught").fact(e.to_string())
}

/// Makes the second signal of this kind end the process at once, whatever its other threads wait for. Only a handler
/// could do so with less, but it could not give the terminal back.
fn end_at_second(signal: i32) -> Result<(), UserError> {
    let (mut reader, writer) = UnixStream::pair().map_err(|e| uncaught(&e))?;
    let is_ending = Arc::new(AtomicBool::new(false));
    // A terminal that takes no output holds the thread up; then the third signal ends the process.
    flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, Arc::clone(&is_ending))
        .and_then(|_| pipe::register(signal, writer))
        .map_err(|e| uncaught(&e))?;
    let end = move || {
        // Each signal writes a byte.
        let mut is_signalled = || reader.read_exact(&mut [0]).is_ok();
        let first = is_signalled().then(Instant::now);
        while let Some(first) = first
            && is_signalled()
        {
            if first.elapsed() >= SAME {
                is_ending.store(true, Ordering::Relaxed);
                report::restore_terminal();
                exit(Exit::Interrupted as i32);
            }
        }
    };
    let thread = Builder::new().name("signals".into()).stack_size(STACK);
    thread.spawn(end).map_err(|e| UserError::no_threads(&e))?;
    Ok(())
}
