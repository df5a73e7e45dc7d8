//! Handles Ctrl-C, Ctrl-Break, and the end of the console or of the session.

use crate::cli::Exit;
use crate::error::UserError;
use crate::oracle::interrupt::Interrupt;
use crate::report;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// There is nothing to prepare.
///
/// # Errors
/// Never.
pub(in crate::cli) fn prepare() -> std::io::Result<()> {
    Ok(())
}

/// Makes Ctrl-C end the run and keep the result. The second one ends it at once, and leaves the cleaning to the helpers.
pub(in crate::cli) fn catch_signals() -> Result<Interrupt, UserError> {
    let flag = Arc::new(AtomicBool::new(false));
    let raise = {
        let flag = Arc::clone(&flag);
        move || {
            if flag.swap(true, Ordering::SeqCst) {
                report::restore_terminal();
                std::process::exit(Exit::Interrupted as i32);
            }
        }
    };
    report::terminal::on_interrupt(raise.clone());
    ctrlc::set_handler(raise).map_err(|e| UserError::usage("Ctrl-C cannot be caught").fact(e.to_string()))?;
    Ok(Interrupt::new(flag))
}
