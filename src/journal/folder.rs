//! The run folder, `NAME.lopper/` beside the output: the journal and what belongs to it.

use super::Journal;
use super::past::{Past, read};
use super::record::{Header, Record, Session};
use crate::error::UserError;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a run folder.
const JOURNAL: &str = "journal.jsonl";
const BEST: &str = "best";
const FIRST_OUTPUT: &str = "output-of-original.txt";
const LOG: &str = "log.txt";
const TEMPORARY: &str = "temporary";

/// A run folder that this process alone may write to, until it is dropped.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    journal: Arc<File>,
}

/// The path of the run folder of an output.
pub fn held_by(output: &Path) -> PathBuf {
    let mut path = output.as_os_str().to_owned();
    path.push(".lopper");
    path.into()
}

impl RunFolder {
    /// Whether there is a journal in this folder.
    pub fn is_at(path: &Path) -> bool {
        path.join(JOURNAL).is_file()
    }

    /// Reads the journal of a run folder, in which another process may work.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn look(path: &Path) -> Result<Option<Past>, UserError> {
        let text = fs::read(path.join(JOURNAL)).map_err(|e| {
            UserError::usage(format!("the journal in '{}' cannot be read", path.display()))
                .fact(e.to_string())
        })?;
        read(&text).map_err(|(line, error)| damaged(path, line, &error))
    }

    /// Opens a run folder, which is made if it is not there, and reads its journal if it has one.
    ///
    /// # Errors
    /// If it cannot be made or read, another process works in it, or its journal is damaged.
    pub fn open(path: PathBuf) -> Result<(Self, Option<Past>), UserError> {
        let shown = path.display().to_string();
        let refused = |e: io::Error| {
            UserError::usage(format!("the run folder '{shown}' cannot be written to"))
                .fact(e.to_string())
                .help("name another place for the result with --output")
        };
        let (file, locked) = lock(&path).map_err(refused)?;
        let mut text = Vec::new();
        (&file).read_to_end(&mut text).map_err(refused)?;
        let past = read(&text);
        if !locked {
            let process = past.ok().flatten().and_then(|past| past.session);
            let process = process.map_or_else(String::new, |s| format!(" (process {})", s.process));
            return Err(UserError::usage(format!("another lopper{process} works in '{shown}'"))
                .help("wait for its end, stop it, or name another place for the result with --output"));
        }
        let past = past.map_err(|(line, error)| damaged(&path, line, &error))?;
        Ok((Self { path, journal: Arc::new(file) }, past))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file that is to be renamed to the output may be written.
    pub fn temporary(&self) -> PathBuf {
        self.path.join(TEMPORARY)
    }

    /// Begins to write: a new journal, or the next lines of the one that `past` was read from.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn begin(
        &self,
        header: &Header,
        session: &Session,
        past: Option<&Past>,
    ) -> Result<Journal, UserError> {
        let begin = || -> io::Result<Journal> {
            let whole = past.map_or(0, |past| past.whole);
            self.journal.set_len(whole)?;
            (&*self.journal).seek(SeekFrom::Start(whole))?;
            let mut journal = Journal::new(Arc::clone(&self.journal));
            if past.is_none() {
                journal.append(&Record::Run(header.clone()))?;
            }
            journal.append(&Record::Session(session.clone()))?;
            Ok(journal)
        };
        begin().map_err(|e| self.failed(&e))
    }

    /// What is said when the folder cannot be written to any more.
    pub fn failed(&self, error: &io::Error) -> UserError {
        UserError::usage(format!("the run folder '{}' cannot be written to", self.path.display()))
            .fact(error.to_string())
            .help("free some room there; --resume goes on then")
    }

    /// Keeps the best program.
    ///
    /// # Errors
    /// If the disk is full or fails; the one before is still there then.
    pub fn keep_best(&self, content: &[u8]) -> io::Result<()> {
        fs::write(self.temporary(), content)?;
        fs::rename(self.temporary(), self.path.join(BEST))
    }

    /// The best program.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn best(&self) -> io::Result<Vec<u8>> {
        fs::read(self.path.join(BEST))
    }

    /// Keeps what the test said of the original.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn keep_first_output(&self, text: &str) -> io::Result<()> {
        fs::write(self.path.join(FIRST_OUTPUT), text)
    }

    /// Where the debug log is.
    pub fn log(&self) -> PathBuf {
        self.path.join(LOG)
    }

    /// Removes what this module made, and the folder if nothing else is in it.
    pub fn remove(self) {
        for name in [BEST, FIRST_OUTPUT, LOG, TEMPORARY, JOURNAL] {
            // What cannot be removed stays.
            let _ = fs::remove_file(self.path.join(name));
        }
        let _ = fs::remove_dir(&self.path);
    }
}

fn damaged(folder: &Path, line: usize, error: &str) -> UserError {
    UserError::usage(format!("the journal in '{}' is damaged", folder.display()))
        .fact(format!("line {line}: {error}"))
        .help(format!("remove the lines from {line} on, or the folder to start afresh"))
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The thread that brings the journal to the disk may have it open for another second.
        let _ = self.journal.unlock();
    }
}

/// Opens the journal of a folder; says whether it could be locked.
fn lock(folder: &Path) -> io::Result<(File, bool)> {
    let path = folder.join(JOURNAL);
    loop {
        match fs::create_dir(folder) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
            _ => {}
        }
        let file = match File::options().read(true).write(true).create(true).truncate(false).open(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound && !folder.exists() => continue,
            file => file?,
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok((file, false)),
            Err(TryLockError::Error(e)) => return Err(e),
            Ok(()) => {}
        }
        // Whoever had the lock may have removed the file before it let go.
        let is_same =
            |m: fs::Metadata| file.metadata().is_ok_and(|f| (f.dev(), f.ino()) == (m.dev(), m.ino()));
        if fs::metadata(&path).is_ok_and(is_same) {
            return Ok((file, true));
        }
    }
}
