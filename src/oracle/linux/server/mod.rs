//! A test that starts once: the helper's side of a server, a process that answers for many candidates.
//!
//! The server says that it is ready, then reads a line a candidate from its standard input, and writes a line with
//! its answer to its standard output; docs/servers.md describes the lines. One `poll` watches its outputs, its end,
//! the time limit and the stops, as for other tests. A server is ended, and started anew for the next candidate, if
//! it reaches a limit, ends by itself, or answers something that makes no sense, and after a number of answers. After
//! each answer, all processes are killed that it has started since it was ready.

mod process;

use super::Verdict;
use super::family::{all_descendants, end_all_children, family};
use super::kept::Kept;
use super::process::{Bounds, Cause, Ended, pid};
use super::question::{Message, Protocol, Request};
use process::{Event, Server};
use rustix::process::Pid;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The version of the protocol.
const VERSION: u64 = 1;
/// The least time that a server has to get ready; more if a run may take more.
pub(super) const START: Duration = Duration::from_secs(60);
/// The longest time for which a run that is not needed any more is waited for, to keep the server.
const PATIENCE: Duration = Duration::from_millis(500);

/// The longest time that a run with these limits takes: a server is started and asked twice, and each start is
/// tried twice.
pub(super) fn longest(bounds: &Bounds) -> Duration {
    let start = bounds.start.saturating_mul(2);
    start.saturating_add(bounds.limit).saturating_add(PATIENCE).saturating_mul(2)
}

/// How a server is started and what it is asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan<'a> {
    /// The program and its arguments.
    pub(super) words: &'a [OsString],
    /// The number of answers after which it is replaced.
    pub(super) answers: u32,
    /// See [`Request`].
    pub(super) paths: &'a [PathBuf],
    pub(super) folder: &'a Path,
    pub(super) tmp: &'a Path,
}

/// The server of a helper, which has at most one at a time.
#[derive(Debug)]
pub(super) struct Servers {
    protocol: Protocol,
    current: Option<Server>,
    /// The number of the last question.
    serial: u64,
    /// A process that could not be killed, and was not reported yet.
    survivor: Option<Pid>,
}

impl Servers {
    /// No server yet.
    pub(super) fn new(protocol: Protocol) -> Self {
        Self { protocol, current: None, serial: 0, survivor: None }
    }

    /// Asks for a verdict, and keeps what the server wrote to its standard error if `watch` says so. `home` makes an
    /// empty folder in which a new server runs.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub(super) fn run(
        &mut self,
        plan: &Plan,
        bounds: &Bounds,
        watch: bool,
        home: impl Fn() -> io::Result<PathBuf>,
    ) -> io::Result<Ended> {
        let mut ended = self.ask_twice(plan, bounds, home)?;
        if !watch && !matches!(ended.cause, Cause::NotReady) {
            ended.output[1].clear();
        }
        // What a server starts before it is ready is its own.
        if self.current.as_ref().is_none_or(|server| server.start_time.is_some()) {
            self.survivor = end_all_children(0).or(self.survivor);
        }
        ended.survivor = self.survivor.take();
        Ok(ended)
    }

    /// Ends the server, with all that it started; returns how it had ended by itself, if it had.
    pub(super) fn end(&mut self, gently: bool) -> Option<String> {
        let how = self.current.take().and_then(|server| server.end(gently));
        family().has_server(&[]);
        self.survivor = end_all_children(0).or(self.survivor);
        how
    }

    fn ask_twice(
        &mut self,
        plan: &Plan,
        bounds: &Bounds,
        home: impl Fn() -> io::Result<PathBuf>,
    ) -> io::Result<Ended> {
        let mut first = true;
        loop {
            if self.current.as_ref().is_some_and(|server| server.answers >= plan.answers) {
                self.end(true);
            }
            if let Some(ended) = self.get_ready(plan, bounds, &home)? {
                return Ok(ended);
            }
            let was_used = self.current.as_ref().is_some_and(|server| server.answers > 0);
            let ended = self.ask(plan, bounds)?;
            // What earlier candidates left in a server must not decide about this one.
            let again = match ended.cause {
                Cause::Unanswered => first,
                Cause::TooLarge => first && was_used,
                _ => false,
            };
            if !again {
                return Ok(ended);
            }
            first = false;
        }
    }

    /// Makes sure that a server is ready; otherwise returns why it is not.
    fn get_ready(
        &mut self,
        plan: &Plan,
        bounds: &Bounds,
        home: impl Fn() -> io::Result<PathBuf>,
    ) -> io::Result<Option<Ended>> {
        let limit = START.max(bounds.limit);
        // Less time is left for all runs.
        let over = (bounds.start < limit).then(|| Instant::now() + bounds.start);
        let mut first = true;
        loop {
            let server = match &mut self.current {
                Some(server) if server.start_time.is_some() => return Ok(None),
                Some(server) => server,
                none => none.insert(Server::start(plan.words, &home()?)?),
            };
            family().has_server(&[pid(&server.child)?]);
            let late = server.start + limit;
            let deadline = over.map_or(late, |over| over.min(late));
            let why = match server.wait(&mut &[][..], deadline, bounds.memory, bounds.stops)? {
                Event::Line(line) => match (self.protocol.message)(&line) {
                    Message::Ready(VERSION) => {
                        server.start_time = Some(server.start.elapsed());
                        family().has_server(&all_descendants());
                        return Ok(None);
                    }
                    Message::Ready(other) => {
                        format!(
                            "it speaks version {other} of the protocol, but Lopper speaks version {VERSION}"
                        )
                    }
                    Message::Answer { .. } | Message::Noise => {
                        server.log.add(&line);
                        continue;
                    }
                },
                // It may go on starting: the next candidate will need it.
                Event::Asked(which) => return Ok(Some(ended(Cause::Stopped(which), server.start))),
                // It may go on starting: the result will be tested.
                Event::Late if deadline < late => return Ok(Some(ended(Cause::NotReady, server.start))),
                Event::Late => format!("it did not say within {} s that it is ready", limit.as_secs_f64()),
                Event::Large => "it took too much memory before it was ready".to_owned(),
                Event::Gone(why) => why,
            };
            let log = server.log.whole();
            let start = server.start;
            let how = self.end(false);
            if !first {
                let why = how.unwrap_or(why).into_bytes();
                return Ok(Some(Ended { output: [why, log], ..ended(Cause::NotReady, start) }));
            }
            first = false;
        }
    }

    /// Asks the current server, which is ready.
    fn ask(&mut self, plan: &Plan, bounds: &Bounds) -> io::Result<Ended> {
        let Some(server) = &mut self.current else { return Err(io::ErrorKind::NotConnected.into()) };
        self.serial += 1;
        let serial = self.serial;
        let Plan { paths, folder, tmp, .. } = *plan;
        let Some(line) = (self.protocol.request)(&Request { serial, paths, folder, tmp }) else {
            let why = format!("the path '{}' is not UTF-8", folder.display()).into_bytes();
            return Ok(Ended { output: [why, Vec::new()], ..ended(Cause::NotReady, Instant::now()) });
        };
        server.log = Kept::default();
        let start = Instant::now();
        let (mut unsent, mut deadline, mut stopped) = (&*line, start + bounds.limit, None);
        let cause = loop {
            let stops = if stopped.is_none() { bounds.stops } else { &[] };
            match server.wait(&mut unsent, deadline, bounds.memory, stops)? {
                Event::Line(line) => match (self.protocol.message)(&line) {
                    Message::Answer { serial: Some(old), .. } if old < serial => {}
                    Message::Answer { serial: Some(this), verdict: Some(verdict), signature }
                        if this == serial =>
                    {
                        server.answers += 1;
                        let signature = signature.filter(|_| verdict == Verdict::Boring).unwrap_or_default();
                        let cause = stopped.map_or(Cause::Answered(verdict), Cause::Stopped);
                        let output = [signature.into_bytes(), server.log_so_far()];
                        return Ok(Ended { output, ..ended(cause, start) });
                    }
                    Message::Answer { .. } | Message::Ready(_) => {
                        let line = String::from_utf8_lossy(&line);
                        break Err(format!(
                            "its answer makes no sense: {}",
                            line.chars().take(200).collect::<String>()
                        ));
                    }
                    Message::Noise => server.log.add(&line),
                },
                Event::Asked(which) => {
                    // A short wait for its answer costs less than a new server.
                    stopped = Some(which);
                    deadline = Instant::now() + server.start_time.unwrap_or_default().min(PATIENCE);
                }
                Event::Late => break Ok(stopped.map_or(Cause::TooLate, Cause::Stopped)),
                Event::Large => break Ok(stopped.map_or(Cause::TooLarge, Cause::Stopped)),
                Event::Gone(why) => break Err(why),
            }
        };
        let log = server.log_so_far();
        // A server over its memory limit gets no grace: it would take even more.
        let how = self.end(matches!(cause, Ok(Cause::TooLate | Cause::Stopped(_))));
        let (cause, why) = match (cause, stopped) {
            (Ok(cause), _) => (cause, String::new()),
            (Err(_), Some(which)) => (Cause::Stopped(which), String::new()),
            (Err(why), None) => (Cause::Unanswered, how.unwrap_or(why)),
        };
        Ok(Ended { output: [why.into_bytes(), log], ..ended(cause, start) })
    }
}

/// The end of a run that began at `start`.
fn ended(cause: Cause, start: Instant) -> Ended {
    Ended { cause, time: start.elapsed(), output: Default::default(), survivor: None }
}
