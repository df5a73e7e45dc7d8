//! Reads a journal, for a run that is resumed.

use super::record::{Commit, Header, Key, Other, Record, Session};
use crate::oracle::{Known, NamedFile, Timed, Verdict};
use std::collections::HashSet;
use std::time::Duration;

/// The content of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The header, which identifies the run.
    pub header: Header,
    /// The verdicts.
    pub verdicts: Known,
    /// The commits, without the abandoned ones.
    pub commits: Vec<Commit>,
    /// The passes that the user skipped, each with the number of runs before.
    pub skips: Vec<(usize, String)>,
    /// The candidates that failed in other ways, as they were met.
    pub others: Vec<Other>,
    /// The key of the last program as a formatter laid it out, if that is the result.
    pub formatted: Option<Key>,
    /// The keys of all programs that the run wrote, including the abandoned ones.
    pub written: HashSet<u128>,
    /// Whether the run is complete.
    pub finished: bool,
    /// The last process that wrote to the journal.
    pub session: Option<Session>,
    /// The number of bytes in complete lines; a torn line may follow.
    pub whole: u64,
    /// The keys of the verdicts since the last commit.
    fresh: Vec<u128>,
}

/// Reads a journal, in O(bytes). An incomplete last line is skipped. `None` if there is no complete header
/// yet.
///
/// # Errors
/// The number of the first line that is not a valid record, and the reason.
pub fn read(text: &[u8]) -> Result<Option<Past>, (usize, String)> {
    let mut past: Option<Past> = None;
    let mut whole = 0;
    for (number, line) in (1..).zip(text.split_inclusive(|&c| c == b'\n')) {
        // After a power cut, the end may contain arbitrary bytes, even line ends.
        let is_last = whole + line.len() == text.len();
        let record = match serde_json::from_slice(line) {
            _ if !line.ends_with(b"\n") => break,
            Ok(record) => record,
            Err(_) if is_last => break,
            Err(error) => return Err((number, error.to_string())),
        };
        match (&mut past, record) {
            (None, Record::Run(header)) => past = Some(Past::new(*header)),
            (Some(past), record) => past.take(record).map_err(|error| (number, error))?,
            (None, _) => return Err((number, "it does not begin with what the run is about".into())),
        }
        whole += line.len();
        if let Some(past) = &mut past {
            past.whole = whole as u64;
        }
    }
    Ok(past)
}

impl Past {
    /// A program as the file under reduction.
    pub fn file(&self, text: Vec<u8>) -> NamedFile {
        NamedFile::new(&self.header.name, text)
    }

    fn new(header: Header) -> Self {
        let written = HashSet::from([header.input.0]);
        Self {
            header,
            verdicts: Known::default(),
            commits: Vec::new(),
            skips: Vec::new(),
            others: Vec::new(),
            formatted: None,
            written,
            finished: false,
            session: None,
            whole: 0,
            fresh: Vec::new(),
        }
    }

    fn take(&mut self, record: Record) -> Result<(), String> {
        self.finished = matches!(record, Record::End { finished: true });
        match record {
            Record::Run(_) => return Err("there is a second header".into()),
            Record::Session(session) => self.session = Some(session),
            Record::Verdict { key, verdict, time } => {
                let timed = Timed { verdict, time: Duration::from_micros(time) };
                self.verdicts.add(key.0, timed);
                self.fresh.push(key.0);
            }
            Record::Commit(commit) => {
                self.written.insert(commit.key.0);
                self.fresh.clear();
                self.formatted = None;
                self.commits.push(commit);
            }
            Record::Format { key } => {
                self.written.insert(key.0);
                self.formatted = Some(key);
            }
            Record::Skip { pass, runs } => self.skips.push((runs, pass)),
            Record::Other(other) => self.others.push(other),
            Record::Doubt => self.doubt(),
            Record::Flicker { original } => {
                self.doubt();
                self.header.flicker = Some(original);
            }
            Record::Undo { to, bars } => {
                if to > self.commits.len() {
                    return Err(format!("there is no commit {to}"));
                }
                self.commits.truncate(to);
                self.formatted = None;
                self.forget_skips();
                bars.into_iter().for_each(|key| self.verdicts.set(key.0, Verdict::Boring.into()));
            }
            Record::End { .. } => {}
        }
        Ok(())
    }

    /// Forgets the verdicts since the last commit.
    fn doubt(&mut self) {
        for key in self.fresh.drain(..) {
            self.verdicts.remove(key);
        }
        self.forget_skips();
    }

    /// Forgets which passes were skipped after the last commit: the runs will be other ones.
    fn forget_skips(&mut self) {
        let last = self.commits.last().map_or(0, |commit| commit.runs);
        self.skips.retain(|(runs, _)| *runs <= last);
    }

    /// Abandons the commits after number `to`; returns the record of it. `None` if there are fewer commits.
    pub fn undo(&mut self, to: usize) -> Option<Record> {
        let abandoned = self.commits.get(to..)?;
        // A program that is also in an earlier commit stays allowed.
        let kept = &self.commits[..to];
        let bars = abandoned.iter().map(|commit| commit.key);
        let bars = bars.filter(|key| kept.iter().all(|commit| commit.key != *key)).collect();
        let record = Record::Undo { to, bars };
        self.take(record.clone()).ok()?;
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_engine::flicker::Tally;

    #[test]
    fn a_test_that_was_found_to_flicker_takes_back_what_it_said_since_the_commit() {
        let verdict = |key| Record::Verdict { key: Key(key), verdict: Verdict::Boring, time: 0 };
        let commit = Commit { key: Key(9), pass: None, tokens: 1, bytes: 1, runs: 1, limit: None };
        let original = Tally { accepted: 16, runs: 17 };
        let mut past = Past::new(serde_json::from_str(HEADER).unwrap());
        for record in
            [verdict(1), Record::Commit(commit), verdict(2), Record::Flicker { original }, verdict(3)]
        {
            past.take(record).unwrap();
        }
        assert_eq!([1, 2, 3].map(|key| past.verdicts.has(key)), [true, false, true]);
        assert_eq!(past.header.flicker, Some(original));
    }

    const HEADER: &str = r#"{"lopper": "0", "name": "a.c", "input": "00000000000000000000000000000001",
        "test": "00000000000000000000000000000002", "language": "c", "grammar": null, "algorithm": null, "search": "halving",
        "passes": [], "limit": 1, "memory": 0}"#;
}
