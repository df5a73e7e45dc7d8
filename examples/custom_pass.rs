//! Reduces with a pass of its own, and with no other: takes all calls of `log` that the failure does not need.
//!
//! `cargo run --example custom_pass`. A pass is a pure function; docs/adding-a-pass.md says what one can do.

#![allow(clippy::print_stdout, reason = "an example shows what came of it")]

use lopper::languages::role::Role;
use lopper::passes::{Base, File, Group, Pass};
use lopper::{Reducer, UserError};

static LOG_CALLS: Pass =
    Pass { name: "log-calls", summary: "deletes statements that log", plan: log_calls, ..Pass::DEFAULT };

/// Every statement that begins with `log(`: any subset of them may go, each with its line.
fn log_calls(base: &Base) -> Vec<Group> {
    let of_file = |file: File<'_>| {
        let logs = file.with(Role::Statement).filter(|node| file.node_text(*node).starts_with(b"log("));
        logs.map(|node| file.drop(node)).collect::<Vec<_>>()
    };
    vec![Group::deletions(LOG_CALLS.files(base).flat_map(of_file))]
}

fn main() -> Result<(), UserError> {
    let program = "def f(x):\n    log('f')\n    y = g(x)\n    log(y)\n    return y\n\nlog('start')\nf(1)\n";
    // With all others: `.passes(lopper::passes::PASSES.iter().chain([&LOG_CALLS]))`.
    let reduction = Reducer::new("noisy.py", program)
        .passes([&LOG_CALLS])
        .reduce(|candidate| String::from_utf8_lossy(candidate).contains("log(y)"))?;
    print!("{}", String::from_utf8_lossy(reduction.text()));
    Ok(())
}
