//! What the workers of this machine have in common, whichever runner they belong to.

use super::Contents;
use super::command::TestCommand;
use super::ground::Ground;
use super::interrupt::Interrupt;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of lines that are kept about files that could not be removed.
const NOTED: usize = 20;

/// What the workers of a runner have in common.
#[derive(Debug)]
pub(super) struct Shared {
    /// The commands of the test.
    pub(super) commands: Vec<TestCommand>,
    pub(super) interrupt: Interrupt,
    /// The executable that serves as helper.
    pub(super) helper: Option<PathBuf>,
    /// The arguments of the commands: paths of files in a candidate, or of folders with such files.
    arguments: Vec<Arc<Path>>,
    /// What stands beside every candidate, and the paths of its files.
    pub(super) ground: Arc<Ground>,
    fixed: BTreeSet<Arc<Path>>,
    /// A line for each file that could not be removed.
    left: Mutex<Vec<String>>,
}

impl Shared {
    pub(super) fn new(
        commands: &[TestCommand],
        arguments: &[Arc<Path>],
        interrupt: Interrupt,
        helper: Option<PathBuf>,
        ground: Ground,
    ) -> Self {
        let fixed = ground.files.iter().map(|file| Arc::clone(&file.path)).collect();
        let (commands, arguments) = (commands.to_vec(), arguments.to_vec());
        let ground = Arc::new(ground);
        Self { commands, interrupt, helper, arguments, ground, fixed, left: Mutex::default() }
    }

    /// Whether a command is a server.
    pub(super) fn has_server(&self) -> bool {
        self.commands.iter().any(|command| command.answers().is_some())
    }

    /// The arguments in a folder.
    pub(super) fn paths(&self, work: &Path) -> Vec<PathBuf> {
        self.arguments.iter().map(|path| work.join(path)).collect()
    }

    /// The arguments that are no files of a candidate, nor beside it: a folder is there even if it is empty.
    pub(super) fn folders(&self, candidate: &Contents) -> impl Iterator<Item = &Arc<Path>> {
        self.arguments
            .iter()
            .filter(|path| !self.fixed.contains(*path) && candidate.iter().all(|file| file.path != **path))
    }

    /// Keeps the first lines about files that could not be removed.
    pub(super) fn note(&self, lines: Vec<String>) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let room = NOTED.saturating_sub(left.len());
        left.extend(lines.into_iter().take(room));
    }

    /// The lines about files that could not be removed.
    pub(super) fn left(&self) -> Vec<String> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
