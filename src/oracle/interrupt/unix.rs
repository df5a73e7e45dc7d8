//! The user's request to stop, as a pipe that `poll` can watch.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::io;
use std::sync::Arc;

/// A pipe that becomes readable when the user wants to stop, and stays so.
#[derive(Clone, Debug)]
pub struct Interrupt {
    pipe: Arc<OwnedFd>,
    /// The other end, where nobody writes to it.
    _other: Option<Arc<OwnedFd>>,
}

impl Interrupt {
    /// An interrupt from the reading end of a pipe. Nothing is ever read from it.
    pub fn new(pipe: impl Into<OwnedFd>) -> Self {
        Self { pipe: Arc::new(pipe.into()), _other: None }
    }

    /// An interrupt that is never raised.
    ///
    /// # Errors
    /// If no more files can be opened.
    pub fn never() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        Ok(Self { pipe: Arc::new(reader.into()), _other: Some(Arc::new(writer.into())) })
    }

    /// Whether the user wants to stop.
    pub fn is_raised(&self) -> bool {
        let mut fds = [PollFd::new(&self.pipe, PollFlags::IN)];
        poll(&mut fds, Some(&Timespec::default())).is_ok_and(|n| n > 0)
    }
}

impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}
