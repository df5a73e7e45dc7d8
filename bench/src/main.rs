//! `lopper-bench`: compares passes, searches and other reducers with Lopper.

mod campaign;
mod config;
mod corpus;
mod grow;
mod minimal;
mod numbers;
mod oracle;
mod others;
mod ours;
mod parse;
mod peers;
mod permute;
mod plot;
mod record;
mod report;
mod say;
mod simulate;
mod spread;
mod table;
#[cfg(test)]
mod tests;
mod yardstick;

use clap::{Parser, Subcommand};
use lopper::cli::Exit;
use lopper::error::UserError;
use lopper::oracle::{protocol, serve_if_helper};
use std::process::ExitCode;

/// Compares passes, searches and other reducers with Lopper
/// A campaign (`run`) writes a JSON line for each run of a reducer; `table` and `plot` read such files.
#[derive(Debug, Parser)]
#[command(name = "lopper-bench", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(campaign::Arguments),
    Table(report::Arguments),
    Plot(plot::Arguments),
    Simulate(simulate::Arguments),
    Grow(grow::Arguments),
    Minimal(minimal::Arguments),
    Parse(parse::Arguments),
    Spread(spread::Arguments),
}

fn main() -> ExitCode {
    // The process that runs servers is this executable, started again.
    if let Some(served) = serve_if_helper(std::env::args_os().skip(1), protocol::JSON) {
        return served.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let result: Result<ExitCode, UserError> = match Cli::parse().command {
        Command::Run(arguments) => campaign::run(&arguments),
        Command::Table(arguments) => report::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Grow(arguments) => grow::run(&arguments),
        Command::Minimal(arguments) => minimal::run(&arguments),
        Command::Parse(arguments) => parse::run(&arguments),
        Command::Spread(arguments) => spread::run(&arguments),
    };
    result.unwrap_or_else(|error| {
        say::error(&error);
        Exit::from(error.kind).into()
    })
}
