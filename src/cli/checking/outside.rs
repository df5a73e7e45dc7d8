//! What changes outside of the test's folder while it runs.

use crate::conditions::TestPlan;
use crate::error::UserError;
use crate::files::folder_of;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The number of changed files that are listed.
const SHOWN: usize = 5;

/// The names in a folder with their sizes and times.
type Listing = BTreeMap<OsString, (u64, Option<SystemTime>)>;

/// The folders where a test might write, as they were.
#[derive(Debug)]
pub(in crate::cli) struct Outside(Vec<(PathBuf, Listing)>);

impl Outside {
    /// Looks at the folders of the file and of the test, and at the current and the home folder.
    pub(super) fn look(file: &Path, plan: &TestPlan) -> Self {
        Self::of(file, plan, std::env::var_os("HOME").map(PathBuf::from))
    }

    /// As [`Outside::look`], but not at the home folder, in which other programs write all the time.
    pub(in crate::cli) fn around(file: &Path, plan: &TestPlan) -> Self {
        Self::of(file, plan, None)
    }

    fn of(file: &Path, plan: &TestPlan, home: Option<PathBuf>) -> Self {
        let current = std::env::current_dir().ok();
        let tests = plan.files().map(folder_of);
        let folders = [folder_of(file)].into_iter().chain(tests).chain(current).chain(home);
        let mut folders: Vec<PathBuf> = folders.filter_map(|folder| folder.canonicalize().ok()).collect();
        folders.sort();
        folders.dedup();
        let look = |folder: PathBuf| {
            let listing = listing(&folder);
            (folder, listing)
        };
        Self(folders.into_iter().map(look).collect())
    }

    /// A finding if something has changed since then.
    pub(in crate::cli) fn changes(&self) -> Option<UserError> {
        let mut changed = Vec::new();
        for (folder, before) in &self.0 {
            let now = listing(folder);
            let names: BTreeSet<&OsString> = before.keys().chain(now.keys()).collect();
            let differing = names.into_iter().filter(|name| before.get(*name) != now.get(*name));
            changed.extend(differing.map(|name| folder.join(name)));
        }
        if changed.is_empty() {
            return None;
        }
        let error = UserError::bad_test("files outside of the test's folder changed while it ran");
        let error =
            changed.iter().take(SHOWN).fold(error, |error, path| error.fact(path.display().to_string()));
        Some(error.help(
            "if the test writes them, parallel runs will meet each other there: write to the current folder or to $TMPDIR",
        ))
    }
}

fn listing(folder: &Path) -> Listing {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let look = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok()?;
        // A folder changes with what is below it, such as a cache in the home folder.
        let size = if metadata.is_dir() { (0, None) } else { (metadata.len(), metadata.modified().ok()) };
        Some((entry.file_name(), size))
    };
    entries.filter_map(look).collect()
}
