//! `lopper generate`: random texts of a grammar.

use super::Exit;
use super::language::parser;
use crate::error::UserError;
use crate::report;
use lopper_languages::grammar::Generator;
use std::path::PathBuf;

/// Prints random texts of a grammar, one per line
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The context-free grammar, in JSON
    #[arg(long, value_name = "FILE.json")]
    grammar: PathBuf,
    /// Seed of the random numbers; the same seed gives the same texts
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of texts
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// Below this depth, use only the alternatives that end soonest
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_depth: u32,
    /// Print each text as a JSON string, since a text may span several lines
    #[arg(long)]
    json: bool,
}

/// Prints random texts.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let parser = parser(&arguments.grammar)?;
    let mut generator = Generator::new(parser.grammar(), arguments.seed, arguments.max_depth);
    for _ in 0..arguments.count {
        let text = generator.derivation().text(parser.grammar());
        let line = if arguments.json { report::json_string(&text) } else { text };
        if !report::answer(&format!("{line}\n"))? {
            break;
        }
    }
    Ok(Exit::Reduced)
}
