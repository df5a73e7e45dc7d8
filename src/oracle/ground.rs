//! What a test finds in its folder besides a candidate.

use super::Contents;
use crate::platform;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a test finds in its folder besides what a candidate says.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// The permissions of files that do not have their own, by their paths in the working folder. Other files get
    /// those of new files.
    pub modes: BTreeMap<Arc<Path>, u32>,
    /// Files beside every candidate.
    pub files: Contents,
}

impl Ground {
    /// Nothing but the permissions of files, given by their paths in the working folder and their real paths.
    /// Unreadable ones are left out.
    pub fn modes_of(files: impl IntoIterator<Item = (Arc<Path>, PathBuf)>) -> Self {
        let mode = |(name, path): (Arc<Path>, PathBuf)| Some((name, platform::mode(&path.metadata().ok()?)));
        Self { modes: files.into_iter().filter_map(mode).collect(), files: Contents::new() }
    }
}
