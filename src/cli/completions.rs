//! `lopper completions`: prints the completions of the command line for a shell.

use super::{Cli, Exit};
use crate::error::UserError;
use crate::report;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

/// Prints the completions of lopper's command line for a shell
///
/// For bash:        lopper completions bash > ~/.local/share/bash-completion/completions/lopper
/// For zsh:         lopper completions zsh > _lopper, in a folder of $fpath
/// For fish:        lopper completions fish > ~/.config/fish/completions/lopper.fish
/// For PowerShell:  lopper completions powershell >> $PROFILE
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut visible(&Cli::command()), "lopper", &mut script);
    report::answer(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Reduced)
}

/// The command line without the subcommands that are for Lopper itself, which clap_complete would offer.
fn visible(whole: &clap::Command) -> clap::Command {
    let subcommands = whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    // Without a version, --version would not be offered.
    Bare::command().args(whole.get_arguments().cloned()).subcommands(subcommands)
}

/// A command line without subcommands.
#[derive(clap::Parser)]
#[command(name = "lopper", version)]
struct Bare;
