//! The ways to show a run.

use std::io::IsTerminal;

/// A way to show a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Ui {
    /// The program, the curve and the passes at work, on a terminal, with keys
    Live,
    /// A line every five seconds, later one every minute
    Plain,
    /// The events of the run, as JSON lines on standard output, and only errors on standard error
    Json,
    /// No progress, only the summary at the end
    None,
}

impl Ui {
    /// The way that the user chose, or else the one that suits standard error. Without a terminal, nothing is live.
    pub(crate) fn chosen(wish: Option<Self>) -> Self {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        match wish {
            None | Some(Self::Live) if is_dumb || !std::io::stderr().is_terminal() => Self::Plain,
            None => Self::Live,
            Some(wish) => wish,
        }
    }
}
