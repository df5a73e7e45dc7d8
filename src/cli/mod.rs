//! The command line: one file a subcommand.

mod check;
mod languages;
mod passes;
mod reduce;

use crate::error::Exit;
use crate::report;
use crate::search::{self, Kind, SEARCHES};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};

/// Shrinks a source file that makes a tool misbehave to the smallest program that still does.
#[derive(Debug, Parser)]
#[command(name = "lopper", version, max_term_width = 100, subcommand_required = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Reduce(reduce::Arguments),
    /// Lists the reduction passes; with a name, shows what that pass does
    Passes(passes::Arguments),
    /// Lists the languages
    Languages,
}

/// Reads the name of a search.
pub fn search_parser() -> impl TypedValueParser<Value = &'static Kind> {
    let names = SEARCHES.iter().map(|kind| PossibleValue::new(kind.name).help(kind.summary));
    PossibleValuesParser::new(names).try_map(|name| search::named(&name).ok_or("there is no such search"))
}

/// Runs the command that this process was started for.
pub fn main() -> Exit {
    let result = match Cli::parse().command {
        Command::Reduce(arguments) => reduce::run(&arguments),
        Command::Passes(arguments) => passes::run(&arguments),
        Command::Languages => languages::run(),
    };
    result.unwrap_or_else(|error| {
        report::error(&error);
        error.exit
    })
}
