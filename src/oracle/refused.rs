//! Why a test cannot be started.

use super::Fault;
use crate::error::UserError;
use crate::platform::NOT_A_PROGRAM;
use std::io;
use std::path::Path;

/// The error for a program that cannot be started.
pub(super) fn cannot_run(program: &Path, e: &io::Error) -> Fault {
    let shown = program.display();
    let mut error = UserError::bad_test(format!("the test '{shown}' cannot be started")).fact(e.to_string());
    if e.kind() == io::ErrorKind::WouldBlock {
        error = UserError::usage("no more processes can be started")
            .fact(e.to_string())
            .help("the shell limits the number of processes: see ulimit -u, or use fewer --jobs");
    } else if is_gone(e) {
        error = UserError::bad_test(format!("the test '{shown}' killed the process that runs it"))
            .fact("it did so twice on the same file")
            .help("make it kill only processes that it started itself");
    } else if e.kind() == io::ErrorKind::NotFound {
        error = error.help("does its first line name an interpreter that exists here?");
    } else if e.kind() == io::ErrorKind::ExecutableFileBusy {
        error = error.help("another process has it open for writing: wait until that closes it");
    } else if e.raw_os_error() == Some(NOT_A_PROGRAM) {
        error = error.help("does it start with a line such as #!/bin/sh?");
    }
    Fault::Broken(error)
}

/// Whether an error says that a helper is gone.
pub(super) fn is_gone(e: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    [BrokenPipe, ConnectionReset, UnexpectedEof].contains(&e.kind())
}
