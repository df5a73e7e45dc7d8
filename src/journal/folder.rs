//! The run folder, `NAME.lopper/` beside the output: the journal and the files that belong to it.

use super::Journal;
use super::past::{Past, read};
use super::record::{Header, Record, Session};
use crate::error::UserError;
use crate::files;
use crate::output;
use crate::platform;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The files of a run folder.
const JOURNAL: &str = "journal.jsonl";
const BEST: &str = "best";
const FIRST_OUTPUT: &str = "output-of-original.txt";
const LOG: &str = "log.txt";

/// A run folder that only this process writes to, until it is dropped. No other user may write to it, so
/// every file in it was written by a run.
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
        fs::symlink_metadata(path.join(JOURNAL)).is_ok_and(|metadata| metadata.is_file())
    }

    /// The time of the last write to a journal.
    pub fn written(path: &Path) -> Option<SystemTime> {
        fs::symlink_metadata(path.join(JOURNAL)).and_then(|metadata| metadata.modified()).ok()
    }

    /// Reads the journal of a run folder that another process may be using.
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

    /// Opens a run folder, creating it if necessary, and reads its journal if it has one.
    ///
    /// # Errors
    /// If it cannot be created or read, belongs to another user, is in use by another process, or has a
    /// damaged journal.
    pub fn open(path: PathBuf) -> Result<(Self, Option<Past>), UserError> {
        let (file, locked, text) = lock_and_read(&path).map_err(|e| refused(&path, &e))?;
        let past = read(&text);
        if !locked {
            let shown = path.display();
            let process = past.ok().flatten().and_then(|past| past.session);
            let process = process.map_or_else(String::new, |s| format!(" (process {})", s.process));
            return Err(UserError::usage(format!("another lopper{process} is using '{shown}'"))
                .help("wait until it ends, stop it, or choose another path for the result with --output"));
        }
        let past = past.map_err(|(line, error)| damaged(&path, line, &error))?;
        Ok((Self { path, journal: Arc::new(file) }, past))
    }

    /// Opens a folder for a new run. The folder may be left over from a process that was killed before it
    /// wrote to the journal. `None` if the path is in use, by a run or otherwise.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn claim(path: PathBuf) -> Result<Option<Self>, UserError> {
        match lock_and_read(&path) {
            Ok((file, true, text)) if matches!(read(&text), Ok(None)) => {
                Ok(Some(Self { path, journal: Arc::new(file) }))
            }
            Ok(_) => Ok(None),
            Err(_) if files::is_taken(&path) => Ok(None),
            Err(e) => Err(refused(&path, &e)),
        }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether its journal is still the one of this run.
    pub fn is_there(&self) -> bool {
        is_same(&self.journal, &self.path.join(JOURNAL))
    }

    /// Begins to write: a new journal, or further lines of the one that `past` was read from.
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
                journal.append(&Record::Run(Box::new(header.clone())))?;
            }
            journal.append(&Record::Session(session.clone()))?;
            Ok(journal)
        };
        begin().map_err(|e| self.failed(&e))
    }

    /// The error for a folder that cannot be written to any more.
    pub fn failed(&self, error: &io::Error) -> UserError {
        let shown = self.path.display();
        let failed = UserError::usage(format!("the run folder '{shown}' cannot be written to"));
        match self.is_there() {
            true => failed.fact(error.to_string()).help("free some space there, then continue with --resume"),
            false => failed.fact("it was removed or moved during the run"),
        }
    }

    /// Saves the best program.
    ///
    /// # Errors
    /// If the disk is full or fails; then the previous program is kept.
    pub fn keep_best(&self, content: &[u8]) -> io::Result<()> {
        // Without a sync: after a power cut, the output has the program.
        self.put(BEST, content)
    }

    /// Writes a whole file into the folder, which only its owner may read.
    fn put(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let file = files::stage(&self.path, OsStr::new(name), content, None)?;
        platform::set_mode_of(file.as_file(), 0o600)?;
        file.persist(self.path.join(name)).map(drop).map_err(|failed| failed.error)
    }

    /// The best program.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn best(&self) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        files::open_own(&self.path.join(BEST), OpenOptions::new().read(true))?.read_to_end(&mut content)?;
        Ok(content)
    }

    /// Saves the output of the test on the original.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn keep_first_output(&self, text: &str) -> io::Result<()> {
        self.put(FIRST_OUTPUT, text.as_bytes())
    }

    /// Saves a candidate that fails in another way, under this name.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn keep_other(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.put(name, content)
    }

    /// The path of the debug log.
    pub fn log(&self) -> PathBuf {
        self.path.join(LOG)
    }

    /// Removes the files of the run, and the folder if it is empty then. Candidates of other failures, and what the
    /// user has made of them, stay.
    pub fn remove(self) {
        if !self.is_there() {
            return;
        }
        // What cannot be removed stays, and the journal with it, which says what it is.
        if output::clear(&self.path).is_err() {
            return;
        }
        for name in [BEST, FIRST_OUTPUT, LOG, JOURNAL] {
            // A file that cannot be removed stays.
            let _ = fs::remove_file(self.path.join(name));
        }
        let _ = fs::remove_dir(&self.path);
    }
}

fn refused(folder: &Path, error: &io::Error) -> UserError {
    UserError::usage(format!("the run folder '{}' cannot be written to", folder.display()))
        .fact(error.to_string())
        .help("choose another path for the result with --output")
}

fn damaged(folder: &Path, line: usize, error: &str) -> UserError {
    UserError::usage(format!("the journal in '{}' is damaged", folder.display()))
        .fact(format!("line {line}: {error}"))
        .help(format!("remove line {line} and all lines after it, or remove the folder to start again"))
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The thread that syncs the journal may keep it open for another second.
        let _ = self.journal.unlock();
    }
}

/// Opens the journal of a folder and reads it; returns whether it could be locked.
fn lock_and_read(folder: &Path) -> io::Result<(File, bool, Vec<u8>)> {
    let (file, locked) = lock(folder)?;
    let mut text = Vec::new();
    (&file).read_to_end(&mut text)?;
    if locked {
        files::sweep(folder, None);
    }
    Ok((file, locked, text))
}

/// Opens the journal of a folder; returns whether it could be locked.
fn lock(folder: &Path) -> io::Result<(File, bool)> {
    let path = folder.join(JOURNAL);
    loop {
        let is_new = match platform::create_private(folder) {
            Ok(()) => true,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => false,
            Err(e) => return Err(e),
        };
        let open = || {
            keep_others_out(folder, is_new)?;
            files::open_own(&path, OpenOptions::new().read(true).write(true).create(true))
        };
        let file = match open() {
            Err(e) if e.kind() == io::ErrorKind::NotFound && !files::is_taken(folder) => continue,
            Err(e) if is_new => {
                let _ = fs::remove_dir(folder);
                return Err(e);
            }
            file => file?,
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok((file, false)),
            Err(TryLockError::Error(e)) => return Err(e),
            Ok(()) => {}
        }
        // The previous owner of the lock may have removed the file before unlocking it.
        if is_same(&file, &path) {
            return Ok((file, true));
        }
    }
}

/// Makes sure that this is a folder to which only we may write.
fn keep_others_out(folder: &Path, is_new: bool) -> io::Result<()> {
    let metadata = fs::symlink_metadata(folder)?;
    if !metadata.is_dir() {
        return Err(io::Error::other("it is not a folder"));
    }
    platform::keep_others_out(folder, &metadata, is_new)
}

/// Whether an open file is the one at `path`.
fn is_same(file: &File, path: &Path) -> bool {
    let open = platform::identity_of(file);
    open.is_some() && open == platform::identity_of_entry(path)
}
