//! The command line: one file per subcommand.

mod account;
mod again;
mod beside;
mod check;
mod checking;
mod completions;
mod conditions;
mod configuration;
mod confirming;
mod elsewhere;
mod executor;
mod exit;
mod flicker;
mod formulas;
mod fuzz;
mod generalize;
mod generate;
mod given;
mod grammar;
mod guard;
mod init;
mod input;
mod isolate;
mod language;
mod languages;
mod library;
mod limits;
mod loading;
mod man;
mod matching;
mod near;
mod parse;
mod passes;
mod patterns;
mod reduce;
mod rehearsal;
mod replay;
mod server;
mod short;
mod signals;
mod size;
mod start_up;
mod texts;
mod trivial;
mod undo;
mod versions;

pub use exit::Exit;

use crate::error::UserError;
use crate::journal::{Session, Word};
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::{self, local, protocol};
use crate::report;
use crate::search::{self, Kind, SEARCHES};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use configuration::{Configured, Refusal};
use lopper_engine::algorithms::{self, ALGORITHMS, Algorithm};
use lopper_passes::{PASSES, Pass};
use std::ffi::OsString;
use std::panic::catch_unwind;
use std::sync::Once;

/// Shrinks a source file that makes a tool fail to the smallest one that still does
#[derive(Debug, Parser)]
#[command(name = "lopper", version, long_version = versions::long(), max_term_width = 100, subcommand_required = true,
    after_long_help = Exit::help())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Reduce(Box<reduce::Arguments>),
    Replay(replay::Arguments),
    Undo(undo::Arguments),
    Report(account::Arguments),
    Isolate(isolate::Arguments),
    Init(init::Arguments),
    Check(checking::Arguments),
    /// Lists the reduction passes, or describes one of them
    Passes(passes::Arguments),
    /// Lists the languages
    Languages(languages::Arguments),
    Parse(parse::Arguments),
    Generate(generate::Arguments),
    Grammar(grammar::Arguments),
    Guard(guard::Arguments),
    Generalize(generalize::Arguments),
    Fuzz(fuzz::Arguments),
    Match(matching::Arguments),
    Server(server::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    #[command(hide = true)]
    Rehearse(rehearsal::Arguments),
}

/// Reads the name of a search.
#[doc(hidden)]
pub fn search_parser() -> impl TypedValueParser<Value = &'static Kind> {
    let names = SEARCHES.iter().map(|kind| PossibleValue::new(kind.name).help(kind.summary));
    PossibleValuesParser::new(names).try_map(|name| search::named(&name).ok_or("there is no such search"))
}

/// The value of `--algorithm`; `None` for the default.
#[derive(Clone, Copy, Debug)]
struct AlgorithmChoice(Option<&'static Algorithm>);

/// Reads the name of an algorithm.
fn algorithm_parser() -> impl TypedValueParser<Value = AlgorithmChoice> {
    let default = PossibleValue::new("default").help("no published algorithm: the passes and the search");
    let names = ALGORITHMS.iter().map(|a| PossibleValue::new(a.name).help(a.summary));
    PossibleValuesParser::new(std::iter::once(default).chain(names))
        .map(|name| AlgorithmChoice(algorithms::named(&name)))
}

/// Runs the command that this process was started for.
pub fn main() -> Exit {
    main_with(PASSES)
}

/// As [`main`], with these passes in place of the registry's, for a program with its own passes.
pub fn main_with(passes: &'static [Pass]) -> Exit {
    if let Some(served) = oracle::serve_if_helper(std::env::args_os().skip(1), protocol::JSON) {
        return served.map_or(Exit::Internal, |()| Exit::Reduced);
    }
    let Configured { cli: Cli { command }, words, shown } =
        match configuration::parse(std::env::args_os().collect()) {
            Ok(configured) => configured,
            Err(Refusal::Words(error)) => {
                return if report::command_line(&error) { Exit::Reduced } else { Exit::Usage };
            }
            Err(Refusal::File(error)) => {
                report::error(&error);
                return Exit::Usage;
            }
        };
    if let Some(shown) = shown {
        return report::answer(&shown).map_or_else(
            |error| {
                report::error(&error);
                Exit::Usage
            },
            |_| Exit::Reduced,
        );
    }
    // If no signal can be caught, the commands that need it report it.
    let _ = signals::prepare();
    // As for grep, exit code 1 means that nothing was found.
    let is_like_grep = matches!(command, Command::Match(_) | Command::Grammar(_) | Command::Guard(_));
    // The message of a panic is in the log of the run, or has been printed.
    let result = catch_unwind(|| run(command, &words, passes)).unwrap_or_else(|_| Err(UserError::internal()));
    result.unwrap_or_else(|error| {
        report::error(&error);
        if is_like_grep { Exit::Usage } else { error.kind.into() }
    })
}

/// Says once what the runner of this system does not promise.
fn remark_shortcoming() {
    static SAID: Once = Once::new();
    if let Some(sentence) = local::shortcoming() {
        SAID.call_once(|| report::remark(&format!("{sentence}: docs/packages.md")));
    }
}

/// The remark about files that tests left and that could not be removed.
fn left_behind(left: &[String]) -> String {
    left.iter().fold("the test left something that could not be removed".to_owned(), |text, line| {
        text + "\n  " + line
    })
}

/// Reports the candidates for which a server gave no answer, if there are any.
fn remark_unanswered(test: &CommandOracle) {
    let candidates = match test.unanswered() {
        0 => return,
        1 => "1 candidate".to_owned(),
        n => format!("{n} candidates"),
    };
    report::remark(&format!(
        "the server gave no answer for {candidates}, although two processes were asked: invalid"
    ));
}

/// Adds the files that tests left and that could not be removed to an error that ends the run.
fn with_left_behind(error: UserError, left: &[String]) -> UserError {
    left.iter().fold(error, |error, line| error.fact(format!("left behind: {line}")))
}

/// How this process was started, with the words of the command line and of the configuration.
fn session(words: &[OsString]) -> Session {
    Session {
        process: std::process::id(),
        arguments: words.iter().map(|word| Word::from(&**word)).collect(),
        folder: Word::from(std::env::current_dir().unwrap_or_default().as_os_str()),
    }
}

fn run(command: Command, words: &[OsString], passes: &'static [Pass]) -> Result<Exit, UserError> {
    match command {
        Command::Reduce(arguments) => reduce::run(&arguments, &session(words), passes, None),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Undo(arguments) => undo::run(&arguments, passes),
        Command::Report(arguments) => account::run(&arguments, passes),
        Command::Passes(arguments) => passes::run(&arguments, passes),
        Command::Languages(arguments) => languages::run(&arguments, passes),
        Command::Init(arguments) => init::run(&arguments),
        Command::Check(arguments) => checking::run(&arguments),
        Command::Isolate(arguments) => isolate::run(&arguments, &session(words)),
        Command::Parse(arguments) => parse::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Grammar(arguments) => grammar::run(&arguments),
        Command::Generalize(arguments) => generalize::run(&arguments, &session(words)),
        Command::Guard(arguments) => guard::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Match(arguments) => matching::run(&arguments),
        Command::Server(arguments) => server::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        Command::Rehearse(arguments) => rehearsal::run(&arguments),
    }
}
