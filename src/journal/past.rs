//! Reading a journal: what is known when a run goes on.

use super::record::{Commit, Header, Record, Session};
use crate::oracle::{NamedFile, Verdict};
use std::collections::{HashMap, HashSet};

/// What a journal tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// What the run is about.
    pub header: Header,
    /// What the test said, by what identifies the run of it.
    pub verdicts: HashMap<u128, Verdict>,
    /// The commits, without those that were abandoned.
    pub commits: Vec<Commit>,
    /// All programs that the run wrote, those that were abandoned included.
    pub written: HashSet<u128>,
    /// Whether nothing is left to do.
    pub finished: bool,
    /// The process that wrote last.
    pub session: Option<Session>,
    /// How many bytes hold whole lines; what comes after them is a torn line.
    pub whole: u64,
    /// The verdicts since the last commit.
    fresh: Vec<u128>,
}

/// Reads a journal, in O(bytes). A last line that was not written to its end is passed over. `None` if
/// there is no whole header yet.
///
/// # Errors
/// The number of the line that is no record, and what is wrong with it.
pub fn read(text: &[u8]) -> Result<Option<Past>, (usize, String)> {
    let mut past: Option<Past> = None;
    let mut whole = 0;
    for (number, line) in (1..).zip(text.split_inclusive(|&c| c == b'\n')) {
        // After a power cut the end may have any bytes in it, even the end of a line.
        let is_last = whole + line.len() == text.len();
        let record = match serde_json::from_slice(line) {
            _ if !line.ends_with(b"\n") => break,
            Ok(record) => record,
            Err(_) if is_last => break,
            Err(error) => return Err((number, error.to_string())),
        };
        match (&mut past, record) {
            (None, Record::Run(header)) => past = Some(Past::new(header)),
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
    /// A program as the file that the run is about.
    pub fn file(&self, text: Vec<u8>) -> NamedFile {
        NamedFile::new(&self.header.name, text)
    }

    fn new(header: Header) -> Self {
        let written = HashSet::from([header.input.0]);
        Self {
            header,
            verdicts: HashMap::new(),
            commits: Vec::new(),
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
            Record::Run(_) => return Err("it says twice what the run is about".into()),
            Record::Session(session) => self.session = Some(session),
            Record::Verdict { key, verdict } => {
                self.verdicts.insert(key.0, verdict);
                self.fresh.push(key.0);
            }
            Record::Commit(commit) => {
                self.written.insert(commit.key.0);
                self.fresh.clear();
                self.commits.push(commit);
            }
            Record::Doubt => {
                for key in self.fresh.drain(..) {
                    self.verdicts.remove(&key);
                }
            }
            Record::Undo { to, bars } => {
                if to > self.commits.len() {
                    return Err(format!("there is no commit {to}"));
                }
                self.commits.truncate(to);
                self.verdicts.extend(bars.into_iter().map(|key| (key.0, Verdict::Boring)));
            }
            Record::End { .. } => {}
        }
        Ok(())
    }

    /// Abandons the commits after number `to`; gives the record that says so. `None` if there are not so many.
    pub fn undo(&mut self, to: usize) -> Option<Record> {
        let abandoned = self.commits.get(to..)?;
        // What was the best before and is so again stays allowed.
        let kept = &self.commits[..to];
        let bars = abandoned.iter().map(|commit| commit.key);
        let bars = bars.filter(|key| kept.iter().all(|commit| commit.key != *key)).collect();
        let record = Record::Undo { to, bars };
        self.take(record.clone()).ok()?;
        Some(record)
    }
}
