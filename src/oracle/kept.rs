//! The output of a run, as far as it is kept.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The bytes of each output of a test that are kept, from its beginning and from its end: the end has the message of
/// a script, and the beginning the report of a tool that prints a long trace.
const KEPT: usize = 256 << 10;

/// An output of a test, read by a thread.
pub(super) struct Output(Arc<Mutex<Kept>>, Receiver<()>);

/// The beginning and the end of an output.
#[derive(Debug, Default)]
pub(super) struct Kept {
    beginning: Vec<u8>,
    end: Vec<u8>,
    /// Whether something between the two was dropped.
    has_gap: bool,
}

impl Kept {
    /// Adds what follows.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(KEPT - self.beginning.len()));
        self.beginning.extend_from_slice(first);
        self.end.extend_from_slice(rest);
        let surplus = self.end.len().saturating_sub(KEPT);
        self.has_gap |= surplus > 0;
        self.end.drain(..surplus);
    }

    /// All that is kept; a line break is in the place of a gap.
    pub(super) fn whole(&self) -> Vec<u8> {
        let gap: &[u8] = if self.has_gap { b"\n" } else { b"" };
        [&self.beginning, gap, &self.end].concat()
    }
}

impl Output {
    /// Reads a pipe to its end in a thread. The thread is not joined, since a grandchild may hold the other end
    /// open.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(super) fn of(mut pipe: impl Read + Send + 'static) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (done, ended) = channel();
        let shared = Arc::clone(&kept);
        std::thread::Builder::new().spawn(move || {
            let mut buffer = [0; 16 << 10];
            while let Ok(n @ 1..) = pipe.read(&mut buffer) {
                shared.lock().unwrap_or_else(PoisonError::into_inner).add(&buffer[..n]);
            }
            let _ = done.send(());
        })?;
        Ok(Self(kept, ended))
    }

    /// The output of a run whose processes were killed: later output comes from other processes, and is not waited for.
    pub(super) fn bytes(self, patience: Duration) -> Vec<u8> {
        let _ = self.1.recv_timeout(patience);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).whole()
    }
}
