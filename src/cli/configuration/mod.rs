//! The configuration: `lopper.toml` gives values to options that the command line leaves open.
//!
//! The values become words of the command line. So the options check them, and the journal of a run tells them.

mod file;
mod shown;

use super::{Cli, short};
use crate::error::UserError;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use file::File;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A command line with the values of the configuration.
pub(super) struct Configured {
    pub(super) cli: Cli,
    /// All words, without the name of the program.
    pub(super) words: Vec<OsString>,
    /// What `--show-config` prints, if it was asked for.
    pub(super) shown: Option<String>,
}

/// Why a command line cannot be used, or what it asks for.
pub(super) enum Refusal {
    /// The words themselves, or help or a version.
    Words(clap::Error),
    /// The configuration.
    File(UserError),
}

/// Reads a command line, whose first word is the name of the program.
///
/// # Errors
/// If it or the configuration makes no sense.
pub(super) fn parse(mut words: Vec<OsString>) -> Result<Configured, Refusal> {
    let command = Cli::command();
    let asked = |error| Refusal::Words(short::on_a_screen(error, Cli::command(), &words));
    let matches = command.clone().try_get_matches_from(&words).map_err(asked)?;
    let (mut added, mut shown) = (Vec::new(), None);
    if let Some((name, given)) = matches.subcommand()
        && let Some(subcommand) = command.find_subcommand(name)
        && has(subcommand, "jobs")
    {
        let places = places(given);
        let files = places.iter().map(|place| File::read(place));
        let files: Vec<Option<File>> = files.collect::<Result<_, _>>().map_err(Refusal::File)?;
        shown = given.get_flag("show_config").then(|| shown::table(subcommand, given, &places, &files));
        added = files.iter().flatten().flat_map(|file| additions(file, subcommand, given)).collect();
        drop_covered(&mut added);
    }
    for Addition { word, .. } in added.iter().rev() {
        // Behind the name of the subcommand.
        words.insert(2, word.clone());
    }
    let matches = command.try_get_matches_from(&words).map_err(|error| match first_bad(&added, &error) {
        Some(path) => Refusal::File(file::unusable(path).fact(first_line(&error))),
        None => Refusal::Words(error),
    })?;
    let cli = Cli::from_arg_matches(&matches).map_err(Refusal::Words)?;
    words.remove(0);
    Ok(Configured { cli, words, shown })
}

/// The folders in which the configuration may be: the nearest one comes first.
fn places(given: &ArgMatches) -> Vec<PathBuf> {
    [Some(beside_test(given)), of_user()].into_iter().flatten().collect()
}

/// The folder of the test, or the current one if the test is a command.
fn beside_test(given: &ArgMatches) -> PathBuf {
    let is_there = |id: &str| given.try_contains_id(id).unwrap_or(false);
    let paths = given.try_get_many::<PathBuf>("paths").ok().flatten();
    let paths: Vec<&PathBuf> = paths.into_iter().flatten().collect();
    let folder = match &paths[..] {
        [test, _, ..] if !is_there("command") && !is_there("server") => test.parent(),
        _ => None,
    };
    folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// The user's folder for Lopper's configuration.
fn of_user() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(folder.join("lopper"))
}

/// A word for the command line, and where it comes from.
struct Addition {
    option: String,
    word: OsString,
    path: PathBuf,
}

/// The words of a file for the options that the command has, and that were not given.
fn additions(file: &File, command: &Command, given: &ArgMatches) -> Vec<Addition> {
    let word = |name: &str, value: &str| OsString::from(format!("--{name}={value}"));
    let values = file.values.iter().filter(|(name, _)| is_open(command, given, name)).map(|(name, value)| {
        Addition { option: (*name).to_owned(), word: word(name, value), path: file.path.clone() }
    });
    let grammars = ["language", "grammar", "grammar_lib"];
    let takes_endings = has(command, "ending") && grammars.iter().all(|id| !is_given(given, id));
    let endings = file.languages.iter().filter(|_| takes_endings).map(|(ending, language)| Addition {
        option: format!("ending {ending}"),
        word: word("ending", &format!("{ending}={language}")),
        path: file.path.clone(),
    });
    values.chain(endings).collect()
}

/// Keeps the first addition for each option: that of the nearest file.
fn drop_covered(added: &mut Vec<Addition>) {
    let options: Vec<String> = added.iter().map(|addition| addition.option.clone()).collect();
    let mut number = 0;
    added.retain(|addition| {
        number += 1;
        !options[..number - 1].contains(&addition.option)
    });
}

fn has(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_id() == id)
}

/// Whether the command has this option, and the command line does not give it.
fn is_open(command: &Command, given: &ArgMatches, name: &str) -> bool {
    let id = name.replace('-', "_");
    has(command, &id) && !is_given(given, &id)
}

fn is_given(given: &ArgMatches, id: &str) -> bool {
    given.try_contains_id(id).unwrap_or(false) && given.value_source(id) == Some(ValueSource::CommandLine)
}

/// The file of the addition that an error is about.
fn first_bad<'a>(added: &'a [Addition], error: &clap::Error) -> Option<&'a Path> {
    let text = error.to_string();
    let is_named = |addition: &&Addition| {
        let name = addition.option.split(' ').next().unwrap_or_default();
        text.contains(&format!("--{name}"))
    };
    added.iter().find(is_named).map(|addition| &*addition.path)
}

/// The first line of a message, without "error: ".
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
