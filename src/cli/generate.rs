//! `lopper generate`: random texts of a grammar.

use super::Exit;
use super::confirming::{Confirmed, confirmed};
use super::grammar::{Question, Texts};
use super::language::parser;
use super::limits::Limits;
use super::texts::Target;
use crate::error::UserError;
use crate::report;
use lopper_languages::grammar::{Generator, Grammar};
use std::path::PathBuf;

/// Prints random texts of a grammar, one per line
///
/// With a formula over patterns, only texts that satisfy it: --pattern 'D=((<expr>))' --where '!D'. Then the
/// probabilities in the grammar do not apply.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    texts: Texts,
    /// Seed of the random numbers; the same seed gives the same texts
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of texts
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// Below this depth, use only the alternatives that end soonest
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 10)]
    max_depth: u32,
    #[command(flatten)]
    target: Target,
    /// Keep only texts for which this test exits with code 0, and tell how many those are
    #[arg(long, value_name = "TEST")]
    confirm: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

/// Prints random texts.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let parser = parser(&arguments.texts.grammar)?;
    let refined = match arguments.texts.are_all() {
        true => None,
        false => match refined(arguments, parser.grammar())? {
            Some(refined) => Some(refined),
            None => return Ok(Exit::NotFound),
        },
    };
    let grammar = refined.as_ref().unwrap_or(parser.grammar());
    let mut generator = Generator::new(grammar, arguments.seed, arguments.max_depth);
    let mut texts = (0..arguments.count).map(|_| generator.derivation().text(grammar).into_bytes());
    arguments.target.prepare()?;
    if arguments.target.is_stream() && arguments.confirm.is_none() {
        for text in texts {
            if !arguments.target.print(&text)? {
                break;
            }
        }
        return Ok(Exit::Reduced);
    }
    let mut all: Vec<Vec<u8>> = texts.by_ref().collect();
    let mut exit = Exit::Reduced;
    if let Some(test) = &arguments.confirm {
        let confirmed = confirmed(&arguments.limits, test, "text.txt", None, all)?;
        let Confirmed { tested, invalid, .. } = confirmed;
        (all, exit) = (confirmed.failing, confirmed.exit);
        if !arguments.limits.quiet {
            report::remark(&format!("{} of {tested} texts fail, {invalid} are invalid", all.len()));
        }
    }
    arguments.target.write(all.iter().map(Vec::as_slice), "txt")?;
    Ok(exit)
}

/// The grammar of the texts that satisfy the formula; `None` if there is no such text.
fn refined(arguments: &Arguments, grammar: &Grammar) -> Result<Option<Grammar>, UserError> {
    let product = Question::read(&arguments.texts, grammar)?.product()?;
    if product.is_empty() {
        report::remark("no text of the grammar satisfies the formula");
        return Ok(None);
    }
    let refined = Grammar::read(&product.to_json().to_string()).map_err(|problems| {
        let error = UserError::usage("the grammar of the formula cannot be used");
        problems.iter().fold(error, |error, problem| error.fact(problem.to_string()))
    })?;
    Ok(Some(refined))
}
