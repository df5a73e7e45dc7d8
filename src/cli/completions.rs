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
    generate(arguments.shell, &mut Cli::command(), "lopper", &mut script);
    report::answer(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Reduced)
}
