//! Notices edits of the test during a run, or between two runs, since its verdicts then change their meaning.

use crate::conditions::TestPlan;
use crate::platform::{Stamp, stamp};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// The files of a test, with their metadata at the last look.
#[derive(Clone, Debug)]
pub struct Watch {
    plan: TestPlan,
    files: Vec<(PathBuf, Option<Stamp>)>,
    /// The files that the test itself writes.
    own: Vec<PathBuf>,
    fingerprint: u128,
}

impl Watch {
    /// Looks at the files of a test for the first time. The test itself writes the files in `own`.
    pub fn new(plan: &TestPlan, own: Vec<PathBuf>) -> Self {
        let files = plan.files().filter(|file| own.iter().all(|own| own != file));
        let files = files.map(|file| (file.to_owned(), look(file))).collect();
        let mut watch = Self { plan: plan.clone(), files, own, fingerprint: 0 };
        watch.fingerprint = watch.fingerprint_now();
        watch
    }

    /// The hash of the test at the first look, see [`TestPlan::fingerprint`].
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// The files that the test itself writes. Their changes do not count.
    pub fn own(&self) -> &[PathBuf] {
        &self.own
    }

    fn fingerprint_now(&self) -> u128 {
        let files: Vec<&Path> = self.files.iter().map(|(file, _)| &**file).collect();
        self.plan.fingerprint(&files)
    }

    /// Assumes that the test itself writes all files that have changed by now: except for its programs, they
    /// are not watched any more.
    pub fn leave_out_what_changed(&mut self) {
        let is_program = |file: &Path| self.plan.programs().any(|program| program == file);
        let changed = self.files.extract_if(.., |(file, before)| !is_program(file) && look(file) != *before);
        self.own.extend(changed.map(|(file, _)| file));
        self.fingerprint = self.fingerprint_now();
    }

    /// The file that was edited, if any. A removed file does not count: it shows when the test cannot be
    /// started. In O(files) as long as no metadata change.
    pub fn changed(&mut self) -> Option<&Path> {
        let has_changed = |(file, before): &(PathBuf, Option<Stamp>)| {
            let now = look(file);
            now.is_some() && now != *before
        };
        let changed = self.files.iter().position(has_changed)?;
        // A new time of change alone is not an edit.
        if self.fingerprint_now() != self.fingerprint {
            return Some(&self.files[changed].0);
        }
        for (file, before) in &mut self.files {
            *before = look(file).or(*before);
        }
        None
    }
}

/// The metadata of a file; `None` for folders and devices, which change without being edited.
fn look(file: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(file).ok().filter(Metadata::is_file)?;
    Some(stamp(&metadata))
}
