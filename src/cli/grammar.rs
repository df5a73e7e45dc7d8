//! `lopper grammar`: which texts of a grammar contain causes of failures: as a grammar, by number, at random, or as a check.

use super::Exit;
use super::given::{read, unreadable};
use super::language::parser;
use crate::error::UserError;
use crate::report;
use lopper_languages::grammar::{Grammar, Parser};
use lopper_patterns::algebra::{Automaton, Formula, Lengths, RefinedGrammar, Subtree};
use lopper_patterns::{Pattern, Random};
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// How many rules a refined grammar may have.
const LIMIT: usize = 1_000_000;
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

/// The grammar, the patterns, and the formula over them.
#[derive(Debug, clap::Args)]
struct Texts {
    /// The context-free grammar, in JSON
    #[arg(long, value_name = "FILE.json")]
    grammar: PathBuf,
    /// A pattern and its name in the formula; @FILE reads the pattern from a file
    #[arg(long, value_name = "NAME=PATTERN")]
    pattern: Vec<String>,
    /// The formula [default: all texts; with one pattern, those that contain it]
    #[arg(long = "where", value_name = "FORMULA")]
    formula: Option<String>,
}

/// Answers a question about a grammar.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let start = Instant::now();
    let texts = match &arguments.action {
        Action::Show(texts) | Action::With(texts) => texts,
        Action::Count { texts, .. } | Action::Sample { texts, .. } | Action::Accepts { texts, .. } => texts,
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
        Action::Accepts { files, quiet, .. } => return accepts(&question, &parser, files, *quiet),
    }
    Ok(Exit::Reduced)
}

/// Prints the files that are not accepted.
fn accepts(question: &Question, parser: &Parser, files: &[PathBuf], quiet: bool) -> Result<Exit, UserError> {
    let mut exit = Exit::Reduced;
    for path in files {
        let text = read(path)?;
        let satisfies = |text: &[u8]| {
            parser.fold(&question.automaton, text).iter().any(|state| question.automaton.holds(state))
        };
        // As for `lopper parse`, a line end at the end need not be part of the text.
        if satisfies(&text) || text.strip_suffix(b"\n").is_some_and(satisfies) {
            continue;
        }
        exit = Exit::NotFound;
        if !quiet && !report::answer(&format!("{}: not accepted\n", path.display()))? {
            break;
        }
    }
    Ok(exit)
}

/// A formula, and the automaton that answers it.
struct Question<'g> {
    automaton: Automaton<'g>,
    /// The names of the patterns, in the order of the automaton's subtrees.
    names: Vec<String>,
}

impl<'g> Question<'g> {
    fn read(texts: &Texts, grammar: &'g Grammar) -> Result<Self, UserError> {
        let mut subtrees = Vec::new();
        for text in &texts.pattern {
            let (name, pattern) = text.split_once('=').ok_or_else(|| {
                UserError::usage(format!("--pattern '{text}' has no name"))
                    .help("--pattern 'D=((<expr>))' names the pattern D")
            })?;
            subtrees.push((name.to_owned(), subtree(grammar, name, pattern)?));
        }
        let formula = match (&texts.formula, &texts.pattern[..]) {
            (Some(formula), _) => Formula::read(formula).map_err(|error| {
                UserError::usage("the formula of --where cannot be read")
                    .fact(formula.clone())
                    .fact(error.to_string())
                    .help("write it like D & !Z, D >= 2, or (D | Z) & D = 1")
            })?,
            (None, []) => Formula::And(Vec::new()),
            (None, [_]) => Formula::Count(subtrees[0].0.clone(), 1, None),
            (None, _) => {
                return Err(UserError::usage("there are several patterns and no formula")
                    .help("--where says how they are combined, such as --where 'D & !Z'"));
            }
        };
        let caps = formula.caps();
        if let Some(unknown) = caps.keys().find(|name| subtrees.iter().all(|(known, _)| known != *name)) {
            return Err(UserError::usage(format!(
                "the formula names a pattern '{unknown}' that does not exist"
            ))
            .help(format!("--pattern '{unknown}=...' defines it")));
        }
        // A pattern that is not in the formula would only make the automaton larger.
        subtrees.retain(|(name, _)| caps.contains_key(name));
        let names = subtrees.iter().map(|(name, _)| name.clone()).collect();
        Ok(Self { automaton: Automaton::answering(grammar, &subtrees, &formula), names })
    }

    fn product(&self) -> Result<RefinedGrammar<'g>, UserError> {
        RefinedGrammar::product(&self.automaton, LIMIT).map_err(|error| {
            let name = self.names.get(error.subtree).map_or("", String::as_str);
            UserError::usage(error.to_string())
                .fact(format!("the pattern '{name}' has most of the states"))
                .help("leave it out, or ask for fewer occurrences of it")
        })
    }
}

/// The evocative subtree of a pattern.
fn subtree(grammar: &Grammar, name: &str, pattern: &str) -> Result<Subtree, UserError> {
    let text = match pattern.strip_prefix('@') {
        Some(file) => {
            let path = PathBuf::from(file);
            fs::read(&path).map_err(|error| unreadable(&path, &error))?
        }
        None => pattern.as_bytes().to_vec(),
    };
    let broken = |error: &dyn std::error::Error| {
        UserError::usage(format!("the pattern '{name}' cannot be used"))
            .fact(error.to_string())
            .help("write holes as nonterminals of the grammar, such as <expr>")
    };
    let pattern = Pattern::of_grammar(grammar, &text).map_err(|error| broken(&error))?;
    Subtree::characteristic(grammar, &pattern).map_err(|error| broken(&error))
}
