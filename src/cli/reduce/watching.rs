//! The options for how a reduction is watched: on the terminal, and by other programs.

use crate::cli::limits::{Limits, MESSAGES};
use crate::report::Ui;
use std::path::PathBuf;

/// The options; see the module.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = MESSAGES)]
pub(in crate::cli) struct Watching {
    /// How the run is shown: live, plain, json or none
    ///
    /// The default is live on a terminal, and plain elsewhere (docs/watching.md).
    #[arg(long, value_name = "UI", value_enum, hide_possible_values = true)]
    pub(super) ui: Option<Ui>,
    /// Write the events of the run to PATH, as JSON lines
    ///
    /// docs/events.md describes them. PATH is written anew, also with --resume, which tells the events of the earlier run
    /// again.
    #[arg(long, hide_short_help = true, value_name = "PATH")]
    pub(super) events: Option<PathBuf>,
    /// Write a page about the run to PATH, in HTML
    ///
    /// It shows the result, the course of the run, and why each token is still there (docs/report.md). `lopper report` makes
    /// one of a run folder.
    #[arg(long, value_name = "PATH")]
    pub(super) report: Option<PathBuf>,
}

impl Watching {
    /// Whether nothing but errors is printed on standard error.
    pub(super) fn is_quiet(&self, limits: &Limits) -> bool {
        limits.quiet || self.ui == Some(Ui::Json)
    }
}
