//! The `lopper` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    lopper::cli::main().into()
}
