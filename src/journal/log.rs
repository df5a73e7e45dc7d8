//! The debug log of a run, with the information that a maintainer needs for a bug report.

use crate::files;
use crate::report::visible;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The bytes that a process may write about repeated events, and as many about everything else.
const ROOM: usize = 512 << 10;

/// A log of bounded size. Each line begins with the seconds since the start of the process. Lines stay in
/// memory until the log has a file. A log that cannot be written to stops nothing.
#[derive(Debug)]
pub struct Log {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    file: Option<File>,
    /// The lines from before the file was opened.
    early: Vec<u8>,
    /// The bytes of lines of each kind so far, and the number of lines for which there was no room.
    bytes: [usize; 2],
    left_out: usize,
}

impl Default for Log {
    fn default() -> Self {
        Self { start: Instant::now(), state: Mutex::default() }
    }
}

impl Log {
    /// Gives the log its file, and appends to it.
    ///
    /// # Errors
    /// If the file cannot be opened; then the log writes nothing.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        let mut file = files::open_own(path, OpenOptions::new().create(true).append(true))?;
        let mut state = self.state();
        file.write_all(&std::mem::take(&mut state.early))?;
        state.file = Some(file);
        Ok(())
    }

    /// Adds a line about a repeated event, as long as there is room for it.
    pub fn event(&self, text: &str) {
        self.add(text, 0);
    }

    /// Adds a line about the run as a whole, or about something that should not have happened. Repeated
    /// events leave room for it.
    pub fn note(&self, text: &str) {
        self.add(text, 1);
    }

    fn add(&self, text: &str, kind: usize) {
        // The log may be read on a terminal.
        let text = visible(text.trim_end());
        let line = format!("{:>9.3}  {text}\n", self.start.elapsed().as_secs_f64());
        let mut state = self.state();
        if state.bytes[kind] + line.len() > ROOM {
            state.left_out += 1;
            return;
        }
        state.bytes[kind] += line.len();
        match &mut state.file {
            // A full disk ends the run when it matters, at the journal or the result.
            Some(file) => drop(file.write_all(line.as_bytes())),
            None => state.early.extend(line.as_bytes()),
        }
    }

    /// The number of lines for which there was no room.
    pub fn left_out(&self) -> usize {
        self.state().left_out
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_bounded_and_has_room_for_important_lines() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("log.txt");
        let log = Log::default();
        log.note("early");
        log.open(&path)?;
        (0..100_000).for_each(|number| log.event(&format!("event {number}")));
        (0..100_000).for_each(|_| log.note("late"));
        let text = std::fs::read_to_string(&path)?;
        assert!(text.len() <= 2 * ROOM && text.len() > ROOM, "{}", text.len());
        assert!(text.lines().next().is_some_and(|line| line.ends_with("  early")), "{}", &text[..40]);
        assert!(text.contains("  event 0\n") && text.ends_with("  late\n"));
        assert_eq!(text.lines().count() + log.left_out(), 200_001);
        Ok(())
    }

    #[test]
    fn control_characters_are_visible_in_the_log() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("log.txt");
        let log = Log::default();
        log.open(&path)?;
        log.note("\u{1b}[2J");
        assert!(std::fs::read_to_string(&path)?.ends_with("  \\u{1b}[2J\n"));
        Ok(())
    }

    #[test]
    fn a_log_that_cannot_be_written_to_stops_nothing() {
        let log = Log::default();
        assert!(log.open(Path::new("/no/such/folder/log.txt")).is_err());
        log.note("unheard");
    }
}
