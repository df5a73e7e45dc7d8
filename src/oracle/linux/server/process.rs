//! The process of a server, with its pipes: one `poll` watches them, its end, a deadline, and the stops.

use super::VERSION;
use crate::oracle::kept::Kept;
use crate::oracle::linux::family::{DEATH, all_descendants, ends_before};
use crate::oracle::linux::memory;
use crate::oracle::linux::process::{GRACE, LOOK, end_tree, pid, pidfd, start_server};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// The longest line of a server, in bytes.
const LINE: usize = 1 << 20;
/// How often its standard error is read after an answer: twice what a pipe holds.
const READS: usize = 8;

/// An event while a server is waited for.
pub(super) enum Event {
    Line(Vec<u8>),
    Late,
    Large,
    /// The stop with this index became readable.
    Asked(usize),
    /// It cannot answer any more.
    Gone(String),
}

/// What happened while a server was waited for.
#[derive(Default)]
struct Happened {
    end: bool,
    request: bool,
    log: bool,
    /// The index of the first stop that is readable.
    stop: Option<usize>,
}

/// A server process.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) child: Child,
    /// Readable once it has ended.
    end: OwnedFd,
    requests: OwnedFd,
    answers_from: OwnedFd,
    /// Its standard error, until that is closed.
    log_from: Option<OwnedFd>,
    pub(super) start: Instant,
    /// How long it took until it was ready, once it is.
    pub(super) start_time: Option<Duration>,
    pub(super) answers: u32,
    /// What it wrote to its standard output, from the line before the next one at the latest.
    unread: Vec<u8>,
    /// Where the next line begins in it.
    begin: usize,
    /// Where the search for the end of the next line goes on.
    searched: usize,
    /// What it wrote for people, since it was last asked.
    pub(super) log: Kept,
}

impl Server {
    pub(super) fn start(words: &[OsString], home: &Path) -> io::Result<Self> {
        let start = Instant::now();
        let (child, [requests, answers_from, log_from]) = start_server(words, home, VERSION)?;
        for pipe in [&requests, &answers_from, &log_from] {
            fcntl_setfl(pipe, OFlags::NONBLOCK)?;
        }
        Ok(Self {
            end: pidfd(&child)?,
            child,
            requests,
            answers_from,
            log_from: Some(log_from),
            start,
            start_time: None,
            answers: 0,
            unread: Vec::new(),
            begin: 0,
            searched: 0,
            log: Kept::default(),
        })
    }

    /// Sends what is unsent, and waits for the next line.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub(super) fn wait(
        &mut self,
        unsent: &mut &[u8],
        deadline: Instant,
        memory: Option<u64>,
        stops: &[BorrowedFd],
    ) -> io::Result<Event> {
        let mut looked = Instant::now();
        loop {
            if let Some(line) = self.line() {
                return Ok(Event::Line(line));
            }
            if self.unread.len() - self.begin > LINE {
                return Ok(Event::Gone(format!("it wrote a line of more than {LINE} bytes")));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Event::Late);
            }
            let time = if memory.is_some() { left.min(LOOK.saturating_sub(looked.elapsed())) } else { left };
            let happened = self.poll(!unsent.is_empty(), stops, time)?;
            if happened.log {
                self.read_log();
            }
            if happened.request {
                match rustix::io::write(&self.requests, unsent) {
                    Ok(sent) => *unsent = &unsent[sent..],
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    // It has closed its standard input, but may still end in a way that says more.
                    Err(_) => return Ok(self.gone("it closed its standard input")),
                }
            }
            // Its last words count, so they are read before its end is noticed.
            let has_read = match self.read() {
                Ok(has_read) => has_read,
                Err(_) => return Ok(self.gone("it closed its standard output")),
            };
            if let Some(which) = happened.stop {
                return Ok(Event::Asked(which));
            }
            if happened.end && !has_read {
                return Ok(self.gone("it ended"));
            }
            if let Some(limit) = memory
                && looked.elapsed() >= LOOK
            {
                looked = Instant::now();
                if memory::exceeds(&all_descendants(), limit) {
                    return Ok(Event::Large);
                }
            }
        }
    }

    /// Waits until something happens.
    fn poll(&self, sends: bool, stops: &[BorrowedFd], time: Duration) -> io::Result<Happened> {
        let none = PollFlags::empty();
        let mut fds = vec![
            PollFd::new(&self.end, PollFlags::IN),
            PollFd::new(&self.answers_from, PollFlags::IN),
            PollFd::new(&self.requests, if sends { PollFlags::OUT } else { none }),
        ];
        fds.extend(stops.iter().map(|stop| PollFd::from_borrowed_fd(*stop, PollFlags::IN)));
        fds.extend(self.log_from.iter().map(|log| PollFd::new(log, PollFlags::IN)));
        match poll(&mut fds, Timespec::try_from(time).ok().as_ref()) {
            Err(Errno::INTR) => return Ok(Happened::default()),
            polled => polled?,
        };
        let is = |at: usize| fds.get(at).is_some_and(|fd: &PollFd| !fd.revents().is_empty());
        Ok(Happened {
            end: is(0),
            request: sends && is(2),
            stop: (0..stops.len()).find(|stop| is(3 + stop)),
            log: is(3 + stops.len()),
        })
    }

    /// The next line, if it is complete.
    fn line(&mut self) -> Option<Vec<u8>> {
        let Some(length) = self.unread[self.searched..].iter().position(|&byte| byte == b'\n') else {
            self.searched = self.unread.len();
            return None;
        };
        let line = self.unread[self.begin..self.searched + length].to_vec();
        self.begin = self.searched + length + 1;
        self.searched = self.begin;
        Some(line)
    }

    /// Reads some of its standard output; returns whether there was something.
    ///
    /// # Errors
    /// If there will never be more.
    fn read(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 16 << 10];
        match rustix::io::read(&self.answers_from, &mut buffer) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                self.unread.drain(..self.begin);
                self.searched -= self.begin;
                self.begin = 0;
                self.unread.extend_from_slice(&buffer[..length]);
                Ok(true)
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(false),
            Err(e) => Err(e.into()),
        }
    }

    /// Reads some of its standard error; returns whether there may be more.
    fn read_log(&mut self) -> bool {
        let Some(log) = &self.log_from else { return false };
        let mut buffer = [0; 16 << 10];
        match rustix::io::read(log, &mut buffer) {
            Ok(length @ 1..) => {
                self.log.add(&buffer[..length]);
                return true;
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Ok(_) | Err(_) => self.log_from = None,
        }
        false
    }

    /// What it wrote for people, since it was last asked.
    pub(super) fn log_so_far(&mut self) -> Vec<u8> {
        let mut reads = 0;
        while reads < READS && self.read_log() {
            reads += 1;
        }
        self.log.whole()
    }

    /// It cannot answer any more. It may just be ending.
    fn gone(&self, why: &str) -> Event {
        if let Ok(pid) = pid(&self.child) {
            ends_before(pid, Instant::now() + GRACE);
        }
        Event::Gone(why.to_owned())
    }

    /// Ends it; returns how it had ended by itself before, if it had.
    pub(super) fn end(self, gently: bool) -> Option<String> {
        let Self { mut child, requests, answers_from, log_from, .. } = self;
        drop((requests, answers_from, log_from));
        let pid = pid(&child).ok()?;
        let had_ended = ends_before(pid, Instant::now());
        end_tree(&child, gently && !had_ended).ok()?;
        // A process that is stuck in the kernel is left alone.
        let status = if ends_before(pid, Instant::now() + DEATH) { child.wait().ok() } else { None };
        let status = status.filter(|_| had_ended)?;
        Some(match status.code() {
            Some(code) => format!("it ended with exit code {code}"),
            None => format!("it was ended by a signal ({status})"),
        })
    }
}
