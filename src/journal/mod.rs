//! The journal: what a run learned, line by line, so that a run that died goes on.
//!
//! Each line is given to the operating system at once: if Lopper dies, only the runs in flight are
//! asked again. A thread of its own brings the lines to the disk, at most once a second: if the power
//! goes, that second is lost.

mod folder;
mod keeper;
mod log;
mod logged;
mod past;
mod record;

pub use folder::{RunFolder, held_by};
pub use keeper::Keeper;
pub use log::Log;
pub use logged::Logged;
pub use past::{Past, read};
pub use record::{Commit, Header, Key, Record, Session, Word};

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

/// How long lines may wait for the disk.
const SYNC_PACE: Duration = Duration::from_secs(1);

/// A journal that is written to.
#[derive(Debug)]
pub struct Journal {
    file: Arc<File>,
    line: Vec<u8>,
    /// Tells the thread that there is something to bring to the disk.
    dirty: SyncSender<()>,
}

impl Journal {
    /// Goes on writing at the file's position.
    pub fn new(file: Arc<File>) -> Self {
        let (dirty, wakes) = sync_channel(1);
        let synced = Arc::clone(&file);
        // Where no more threads can be started, lines come to the disk when the system likes.
        let _ = std::thread::Builder::new().spawn(move || {
            for () in wakes {
                // A disk that fails shows at the next write, or costs a second of journal.
                let _ = synced.sync_data();
                std::thread::sleep(SYNC_PACE);
            }
        });
        Self { file, line: Vec::new(), dirty }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// If the disk is full or fails; a part of the line may be there then.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, record)?;
        self.line.push(b'\n');
        (&*self.file).write_all(&self.line)?;
        // If the thread has not heard of the last line yet, it will bring this one too.
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
        // Nothing more can be done about a disk that fails.
        let _ = self.sync();
    }
}
