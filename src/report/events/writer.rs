//! Writes the events of a reduction while it runs.

use super::{Answered, Ending, Finding, Line, News, Start, stage_name};
use crate::journal::{Commit, Key, Other};
use crate::oracle::{contents, micros};
use crate::run::Event;
use std::io::Write;
use std::time::Instant;

/// Where the events of a run are written to.
pub(crate) struct EventWriter {
    /// `None` once it has failed: the reduction does not need its readers.
    to: Option<Box<dyn Write + Send>>,
    start: Instant,
    /// The commits so far.
    commits: usize,
    /// The error of the first line that could not be written.
    failed: Option<std::io::Error>,
}

impl EventWriter {
    /// Events of a run that began at `start`.
    pub(crate) fn new(to: Box<dyn Write + Send>, start: Instant) -> Self {
        Self { to: Some(to), start, commits: 0, failed: None }
    }

    /// As [`Self::new`], to standard output.
    pub(crate) fn to_standard_output(start: Instant) -> Self {
        Self::new(Box::new(std::io::stdout()), start)
    }

    /// Writes the first line.
    pub(crate) fn begins(&mut self, start: Start) {
        self.write(News::Start(Box::new(start)));
    }

    /// Writes what an event tells.
    pub(crate) fn hear(&mut self, event: &Event) {
        if let Some(news) = self.news(event) {
            self.write(news);
        }
    }

    /// Writes that a candidate fails in another way.
    pub(crate) fn met(&mut self, other: &Other) {
        self.write(News::Finding(Finding::OtherFailure(other.clone())));
    }

    /// Writes the last line; returns the error, if some line could not be written.
    pub(crate) fn ends(&mut self, ending: Ending) -> Option<std::io::Error> {
        self.write(News::End(Box::new(ending)));
        self.failed.take()
    }

    fn news(&mut self, event: &Event) -> Option<News> {
        Some(match event {
            Event::Tested { pass, key, verdict, time, known, stats, .. } => News::Verdict(Answered {
                pass: pass.map(str::to_owned),
                key: Key(*key),
                verdict: *verdict,
                time: micros(*time),
                known: *known,
                runs: stats.runs,
                memo_hits: stats.memo_hits,
            }),
            Event::Accepted { pass, contents, measure, runs, limit } => {
                self.commits += 1;
                let commit = Commit {
                    key: Key(contents::key(contents)),
                    pass: pass.map(str::to_owned),
                    tokens: measure.tokens,
                    bytes: measure.bytes,
                    runs: *runs,
                    limit: limit.map(micros),
                };
                News::Commit { number: self.commits, commit }
            }
            Event::Sweep { stage, floor } => {
                News::Sweep { stage: stage_name(*stage).to_owned(), floor: *floor }
            }
            Event::Flickers { original, late } => {
                News::Finding(Finding::Flicker { original: *original, late: *late })
            }
            Event::Retreat => News::Finding(Finding::Retreat),
            Event::Probation { pass, begins } => {
                News::Finding(Finding::Probation { pass: (*pass).to_owned(), begins: *begins })
            }
            Event::Skipped { pass, .. } => News::Finding(Finding::Skip { pass: (*pass).to_owned() }),
            Event::Bug { pass, message } => {
                News::Finding(Finding::Bug { pass: (*pass).to_owned(), message: message.clone() })
            }
            Event::Verified { .. } => return None,
        })
    }

    /// Writes a line at once, so that a reader can follow the run.
    fn write(&mut self, news: News) {
        let Some(to) = &mut self.to else { return };
        let line = Line { seconds: (self.start.elapsed().as_secs_f64() * 1e3).round() / 1e3, news };
        let written = serde_json::to_vec(&line).map_err(std::io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            to.write_all(&line).and_then(|()| to.flush())
        });
        if let Err(error) = written {
            (self.to, self.failed) = (None, Some(error));
        }
    }
}
