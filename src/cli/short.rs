//! The short help, by `-h`: the most important options of a command, on a screen of 80 columns and 24 rows.

use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use std::ffi::OsString;

/// Commands that the list of commands leaves out.
const FOR_FEW: [&str; 7] = ["completions", "generate", "grammar", "guard", "man", "parse", "server"];
/// Commands that run a test only at their end, and the options which matter less to them.
const TEST_LAST: [&str; 3] = ["fuzz", "generate", "init"];
const OF_TESTS: [&str; 4] = ["jobs", "timeout", "max_time", "quiet"];

/// What is said of a command line: if that is its help by `-h`, the short help takes its place.
pub(super) fn on_a_screen(said: Error, command: Command, words: &[OsString]) -> Error {
    let asks = |form: &str| words.iter().skip(1).take_while(|word| *word != "--").any(|word| word == form);
    if said.kind() != ErrorKind::DisplayHelp || asks("--help") || !asks("-h") {
        return said;
    }
    shortened(command, "lopper").try_get_matches_from(words).err().unwrap_or(said)
}

/// The command with its options in one list, without the values that they may have.
fn shortened(command: Command, path: &str) -> Command {
    let leaves_out = |argument: &Arg| {
        let is_of_tests = OF_TESTS.contains(&argument.get_id().as_str());
        argument.is_hide_short_help_set() || is_of_tests && TEST_LAST.contains(&command.get_name())
    };
    let hidden: Vec<_> =
        command.get_arguments().filter(|argument| leaves_out(argument)).map(|a| a.get_id().clone()).collect();
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let more = match (path, &names[..]) {
        ("lopper", _) => {
            Some("lopper COMMAND -h shows a command's options, lopper --help all commands.".to_owned())
        }
        (_, [_, ..]) => Some(format!("{path} COMMAND -h shows the options of a command.")),
        _ if hidden.is_empty() => None,
        _ => Some(format!("{path} --help explains these options, and lists the others.")),
    };
    let shorter = command.disable_help_subcommand(true).mut_args(|argument| {
        let is_hidden = hidden.contains(argument.get_id());
        let has_values = argument.get_action().takes_values();
        let argument = argument.help_heading(None).hide_short_help(is_hidden);
        if has_values { argument.hide_possible_values(true) } else { argument }
    });
    let shorter = match more {
        Some(more) => shorter.after_help(more),
        None => shorter,
    };
    names.into_iter().fold(shorter, |command, name| {
        let is_listed = path != "lopper" || !FOR_FEW.contains(&name.as_str());
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |sub| {
            let is_hidden = sub.is_hide_set() || !is_listed;
            shortened(sub, &path).hide(is_hidden)
        })
    })
}
