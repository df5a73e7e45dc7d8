//! The journal: everything that a run has learned, line by line, so that a run that was killed can be
//! resumed.
//!
//! Each line is given to the operating system immediately: if Lopper is killed, only the runs in flight are
//! repeated. A separate thread syncs the lines to the disk at most once a second: a power cut costs at most
//! that second.

mod folder;
mod keeper;
mod log;
mod logged;
mod others;
mod past;
mod record;

pub use folder::{RunFolder, held_by};
pub use keeper::Keeper;
pub use log::Log;
pub use logged::Logged;
pub use others::{Others, other_name};
pub use past::{Past, read};
pub use record::{Commit, Form, Header, Key, Other, Record, Session, Word};

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

/// The interval between syncs to the disk.
const SYNC_PACE: Duration = Duration::from_secs(1);

/// A journal that is open for writing.
#[derive(Debug)]
pub struct Journal {
    file: Arc<File>,
    line: Vec<u8>,
    /// Tells the thread that there are lines to sync.
    dirty: SyncSender<()>,
}

impl Journal {
    /// A journal that continues at the file's position.
    pub fn new(file: Arc<File>) -> Self {
        let (dirty, wakes) = sync_channel(1);
        let synced = Arc::clone(&file);
        // If no thread can be started, the system decides when lines are written to the disk.
        let _ = std::thread::Builder::new().spawn(move || {
            for () in wakes {
                // A failing disk shows at the next write, or costs a second of the journal.
                let _ = synced.sync_data();
                std::thread::sleep(SYNC_PACE);
            }
        });
        Self { file, line: Vec::new(), dirty }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// If the disk is full or fails; a part of the line may be written then.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, record)?;
        self.line.push(b'\n');
        (&*self.file).write_all(&self.line)?;
        // If the thread has not taken the last message yet, it will sync this line, too.
        let _ = self.dirty.try_send(());
        Ok(())
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Nothing more can be done about a failing disk.
        let _ = self.sync();
    }
}
