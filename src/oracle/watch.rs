//! Notices when the user edits the test while it is in use, or between two runs: its verdicts mean something
//! else then.

use super::command::TestCommand;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How a file looks from outside: device and number, size, time of the last change.
type Look = (u64, u64, u64, Option<SystemTime>);

/// The files of a test, as they looked.
#[derive(Clone, Debug)]
pub struct Watch {
    command: TestCommand,
    files: Vec<(PathBuf, Option<Look>)>,
    /// The files that the test itself writes.
    own: Vec<PathBuf>,
    fingerprint: u128,
}

impl Watch {
    /// Looks at the files of a test for the first time; those of `own` it writes itself.
    pub fn new(command: &TestCommand, own: Vec<PathBuf>) -> Self {
        let files = command.files().filter(|file| own.iter().all(|own| own != file));
        let files = files.map(|file| (file.to_owned(), look(file))).collect();
        let mut watch = Self { command: command.clone(), files, own, fingerprint: 0 };
        watch.fingerprint = watch.fingerprint_now();
        watch
    }

    /// What the verdicts depend on, as it was: see [`TestCommand::fingerprint`].
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// The files that the test itself writes, and that do not count.
    pub fn own(&self) -> &[PathBuf] {
        &self.own
    }

    fn fingerprint_now(&self) -> u128 {
        self.command.fingerprint(self.files.iter().map(|(file, _)| &**file))
    }

    /// What has changed by now the test itself writes: it is not looked at any more, but for the program.
    pub fn leave_out_what_changed(&mut self) {
        let program = &self.command.program;
        let changed = self.files.extract_if(.., |(file, before)| file != program && look(file) != *before);
        self.own.extend(changed.map(|(file, _)| file));
        self.fingerprint = self.fingerprint_now();
    }

    /// Which file has changed. One that is gone has not: that shows when the test cannot be started. In O(files)
    /// as long as nothing looks changed.
    pub fn changed(&mut self) -> Option<&Path> {
        let has_changed = |(file, before): &(PathBuf, Option<Look>)| {
            let now = look(file);
            now.is_some() && now != *before
        };
        let changed = self.files.iter().position(has_changed)?;
        // To have been touched is not to have been edited.
        if self.fingerprint_now() != self.fingerprint {
            return Some(&self.files[changed].0);
        }
        for (file, before) in &mut self.files {
            *before = look(file).or(*before);
        }
        None
    }
}

/// Folders and devices change without being edited.
fn look(file: &Path) -> Option<Look> {
    let metadata = fs::metadata(file).ok().filter(Metadata::is_file)?;
    Some((metadata.dev(), metadata.ino(), metadata.len(), metadata.modified().ok()))
}
