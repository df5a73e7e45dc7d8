//! `lopper guard`: answers for a stream of texts whether they satisfy a formula, for use in front of a program.

use super::Exit;
use super::grammar::{Answer, Question, Texts, answer};
use super::language::parser;
use crate::error::UserError;
use crate::report;
use std::io::{BufRead, Read};

/// Says for every text on standard input whether it satisfies a formula
///
/// Prints a line for each text as soon as it is read: `pass` if the text satisfies the formula, `stop` if it does not,
/// and `unknown` if the grammar does not derive it. In front of a program with a known bug D, --where '!D' stops the texts
/// with its cause.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 every text passes, 1 one does not, 2 usage, input, or a bug in Lopper."
)]
pub(super) struct Arguments {
    #[command(flatten)]
    texts: Texts,
    /// How texts follow each other
    #[arg(long, value_enum, default_value_t = Framing::Lines)]
    framing: Framing,
    /// The longest text in bytes; longer ones are `unknown`
    #[arg(long, value_name = "BYTES", default_value_t = 1_000_000)]
    max_length: usize,
}

/// How texts follow each other on standard input.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Framing {
    /// A text ends at the end of a line
    Lines,
    /// A text ends at a zero byte, and may have several lines
    Nul,
    /// Each line is a text as a JSON string
    Json,
}

/// Answers for each text.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let parser = parser(&arguments.texts.grammar)?;
    let question = Question::read(&arguments.texts, parser.grammar())?;
    let mut folding = parser.folding(&question.automaton);
    let mut input = std::io::stdin().lock();
    let end = if matches!(arguments.framing, Framing::Nul) { b'\0' } else { b'\n' };
    let mut exit = Exit::Reduced;
    while let Some(text) = frame(&mut input, end, arguments.max_length)? {
        let answer = match decoded(text, arguments) {
            Some(text) => answer(&mut folding, &text),
            None => Answer::Underivable,
        };
        let word = match answer {
            Answer::Holds => "pass",
            Answer::Fails => "stop",
            Answer::Underivable => "unknown",
        };
        if answer != Answer::Holds {
            exit = Exit::NotFound;
        }
        if !report::answer(&format!("{word}\n"))? {
            break;
        }
    }
    Ok(exit)
}

/// The next text without its end, which the last one need not have; one byte too many if it is too long.
fn frame(input: &mut impl BufRead, end: u8, longest: usize) -> Result<Option<Vec<u8>>, UserError> {
    let broken =
        |error| UserError::usage("standard input cannot be read").fact(std::io::Error::to_string(&error));
    let mut text = Vec::new();
    let limit = longest as u64 + 1;
    input.by_ref().take(limit).read_until(end, &mut text).map_err(broken)?;
    if text.is_empty() {
        return Ok(None);
    }
    if text.last() == Some(&end) {
        text.pop();
    } else if text.len() as u64 == limit {
        input.skip_until(end).map_err(broken)?;
    }
    Ok(Some(text))
}

/// The text in a frame; `None` if it is too long, or no JSON string where it should be one.
fn decoded(frame: Vec<u8>, arguments: &Arguments) -> Option<Vec<u8>> {
    if frame.len() > arguments.max_length {
        return None;
    }
    match arguments.framing {
        Framing::Lines | Framing::Nul => Some(frame),
        Framing::Json => serde_json::from_slice::<String>(&frame).ok().map(String::into_bytes),
    }
}
