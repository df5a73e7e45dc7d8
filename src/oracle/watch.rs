//! Notices when the user edits the test while it is in use: its verdicts mean something else then.

use super::command::TestCommand;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How a file looks from outside: device and number, size, time of the last change.
type Look = (u64, u64, u64, Option<SystemTime>);

/// The files of a test, as they looked.
#[derive(Clone, Debug)]
pub struct Watch {
    command: TestCommand,
    fingerprint: u128,
    files: Vec<(PathBuf, Option<Look>)>,
}

impl Watch {
    /// Looks at the files of a test with this fingerprint for the first time.
    pub fn new(command: &TestCommand, fingerprint: u128) -> Self {
        let files = command.files().map(|file| (file.to_owned(), look(file))).collect();
        Self { command: command.clone(), fingerprint, files }
    }

    /// What has changed by now the test itself writes: it is not looked at any more.
    pub fn leave_out_what_changed(&mut self) {
        self.files.retain(|(file, before)| look(file) == *before);
    }

    /// Which file has changed. One that is gone has not: that shows when the test cannot be started. In O(files)
    /// as long as nothing looks changed.
    pub fn changed(&mut self) -> Option<&Path> {
        let (fingerprint, command) = (self.fingerprint, &self.command);
        let is_edited = |(file, before): &mut (PathBuf, Option<Look>)| {
            let now = look(file);
            if now.is_none() || now == *before {
                return false;
            }
            // To have been touched is not to have been edited.
            let is_edited = command.fingerprint() != fingerprint;
            if !is_edited {
                *before = now;
            }
            is_edited
        };
        self.files.iter_mut().find_map(|file| is_edited(file).then_some(&*file.0))
    }
}

fn look(file: &Path) -> Option<Look> {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.dev(), metadata.ino(), metadata.len(), metadata.modified().ok()))
}
