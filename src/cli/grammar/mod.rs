//! `lopper grammar`: which texts of a grammar contain causes of failures: as a grammar, by number, at random, or as a check.

mod accepts;
mod check;
mod count;
mod question;

pub(super) use question::{Answer, Question, Texts, answer};

use super::Exit;
use super::language::parser;
use crate::error::UserError;
use crate::report;
use lopper_languages::grammar::Grammar;
use lopper_patterns::Random;
use lopper_patterns::algebra::Lengths;
use std::path::PathBuf;
use std::time::Instant;

/// The longest texts that are counted.
const LONGEST: u16 = 2000;

/// Answers which texts of a grammar satisfy a formula over patterns
///
/// A pattern is a text with holes, as `lopper generalize` prints it: D='((<expr>))'. A formula says how often patterns
/// may occur in a text: `D & !Z`, `D >= 2`, `D = 1`, `D | Z`. A text with several trees satisfies it if one of them does.
#[derive(Debug, clap::Args)]
#[command(subcommand_required = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Prints the rules, a line for each nonterminal
    Show(Texts),
    /// Prints the grammar of exactly the texts that satisfy the formula, in JSON
    With(Texts),
    /// Prints the number of derivations of each length from 1 to N
    Count {
        #[command(flatten)]
        texts: Texts,
        /// The longest texts to count, in characters
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=i64::from(LONGEST)))]
        length: u16,
    },
    /// Prints random texts of one length: every derivation has the same chance
    Sample {
        #[command(flatten)]
        texts: Texts,
        /// The length of the texts, in characters
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=i64::from(LONGEST)))]
        length: u16,
        /// Number of texts
        #[arg(long, value_name = "N", default_value_t = 10)]
        count: usize,
        /// Seed of the random numbers; the same seed gives the same texts
        #[arg(long, value_name = "S", default_value_t = 0)]
        seed: u64,
        /// Print each text as a JSON string, since a text may span several lines
        #[arg(long)]
        json: bool,
    },
    /// Names the faults of a grammar
    #[command(
        after_help = "Exit codes: 0 the grammar can be used, 1 it has faults, 2 usage, files, or a bug in Lopper."
    )]
    Check {
        /// The context-free grammar, in JSON
        #[arg(long, value_name = "FILE.json")]
        grammar: PathBuf,
    },
    /// Says whether the texts in files satisfy the formula
    #[command(
        after_help = "Exit codes: 0 all files are accepted, 1 one is not, 2 usage, files, or a bug in Lopper."
    )]
    Accepts {
        #[command(flatten)]
        texts: Texts,
        /// Print nothing; the exit code tells the answer
        #[arg(long, short)]
        quiet: bool,
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// Answers a question about a grammar.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let start = Instant::now();
    let texts = match &arguments.action {
        Action::Show(texts) | Action::With(texts) => texts,
        Action::Count { texts, .. } | Action::Sample { texts, .. } | Action::Accepts { texts, .. } => texts,
        Action::Check { grammar } => return check::check(grammar),
    };
    let parser = parser(&texts.grammar)?;
    let question = Question::read(texts, parser.grammar())?;
    match &arguments.action {
        Action::Show(_) | Action::With(_) => {
            let product = question.product()?;
            if product.is_empty() {
                report::remark("no text of the grammar satisfies the formula");
                return Ok(Exit::NotFound);
            }
            let json = product.to_json().to_string();
            let refined = Grammar::read(&json);
            let shown = match (&arguments.action, &refined) {
                (Action::Show(_), Ok(refined)) => refined.to_string(),
                (_, Ok(refined)) => refined.write(),
                (_, Err(_)) => json + "\n",
            };
            report::answer(&shown)?;
            let (nonterminals, rules) = product.size();
            let seconds = start.elapsed().as_secs_f64();
            report::remark(&format!("{nonterminals} nonterminals, {rules} rules, {seconds:.1} s"));
        }
        Action::Count { length, .. } => {
            let product = question.product()?;
            let lengths = Lengths::new(&product, usize::from(*length));
            report::remark(&count::meaning(&product, &lengths, usize::from(*length)));
            for length in 1..=usize::from(*length) {
                if !report::answer(&format!("{length} {}\n", lengths.trees(length)))? {
                    break;
                }
            }
        }
        Action::Sample { length, count, seed, json, .. } => {
            let product = question.product()?;
            let lengths = Lengths::new(&product, usize::from(*length));
            let mut random = Random::new(*seed);
            for _ in 0..*count {
                let Some(derivation) = lengths.sample(usize::from(*length), &mut random) else {
                    report::remark(&format!("no text of {length} characters satisfies the formula"));
                    return Ok(Exit::NotFound);
                };
                let text = derivation.text(parser.grammar());
                let line = if *json { report::json_string(&text) } else { text };
                if !report::answer(&format!("{line}\n"))? {
                    break;
                }
            }
        }
        Action::Accepts { files, quiet, .. } => return accepts::accepts(&question, &parser, files, *quiet),
        Action::Check { .. } => {}
    }
    Ok(Exit::Reduced)
}
