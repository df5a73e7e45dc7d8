//! Records: the outcome of one run of a reducer on a case, a JSON line each.

use lopper::error::UserError;
use lopper::languages::measure::Measure;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The size of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Size {
    /// In tokens.
    pub(crate) tokens: usize,
    /// In bytes.
    pub(crate) bytes: usize,
}

impl From<Measure> for Size {
    fn from(measure: Measure) -> Self {
        Self { tokens: measure.tokens, bytes: measure.bytes }
    }
}

/// The number of runs with each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Verdicts {
    /// Runs that show the failure.
    pub(crate) interesting: usize,
    /// Runs that do not.
    pub(crate) boring: usize,
    /// Runs that cannot tell.
    pub(crate) invalid: usize,
    /// Runs that exceeded a limit.
    pub(crate) timed_out: usize,
}

/// A point of the curve: the size of the best program after a number of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Point(
    /// Runs.
    pub(crate) usize,
    /// Tokens; none for other reducers, whose programs are only measured in bytes on the way.
    pub(crate) Option<usize>,
    /// Bytes.
    pub(crate) usize,
);

/// The statistics of a pass in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PassRecord {
    /// Its name.
    pub(crate) name: String,
    /// Units in its plans.
    #[serde(default)]
    pub(crate) planned: usize,
    /// Candidates that it proposed: sets of units.
    pub(crate) proposed: usize,
    /// Units and candidates that the grammar refused, without a run.
    pub(crate) refused: usize,
    /// Runs of the test.
    pub(crate) runs: usize,
    /// Candidates that became the best program.
    pub(crate) accepted: usize,
    /// Tokens that it deleted.
    pub(crate) tokens: i64,
    /// Bytes that it deleted.
    pub(crate) bytes: i64,
}

/// One run of a reducer on a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The case's name.
    pub(crate) case: String,
    /// The fingerprint of the case's input and test.
    pub(crate) input: String,
    /// The configuration.
    pub(crate) config: String,
    /// The number of the repeat, from 0.
    pub(crate) repeat: u32,
    /// The number of parallel tests.
    #[serde(default)]
    pub(crate) jobs: usize,
    /// The fingerprint of the program; empty for another reducer.
    pub(crate) build: String,
    /// The limits of the run: runs and seconds.
    pub(crate) limits: (Option<usize>, Option<f64>),
    /// Whether the case's own test accepts the result.
    pub(crate) ok: bool,
    /// The reason for the end: `fixpoint`, `tests`, `time`, or an error.
    pub(crate) end: String,
    /// The input.
    pub(crate) from: Size,
    /// The result.
    pub(crate) to: Size,
    /// Runs of the test.
    pub(crate) runs: usize,
    /// Candidates whose verdict was known already.
    pub(crate) memo_hits: Option<usize>,
    /// The verdicts.
    pub(crate) verdicts: Verdicts,
    /// The duration in seconds.
    pub(crate) wall: f64,
    /// Processor seconds of Lopper itself, without the tests.
    pub(crate) cpu: Option<f64>,
    /// Statistics by pass.
    pub(crate) passes: Vec<PassRecord>,
    /// The curve of size over runs.
    pub(crate) curve: Vec<Point>,
    /// The fingerprint of the result.
    pub(crate) result: String,
    /// The beginning of the result.
    pub(crate) text: String,
}

/// The key of a record: it distinguishes the run from others.
pub(crate) type Key = (String, String, String, u32, usize, Option<usize>, Option<u64>);

impl Record {
    /// The key of the run.
    pub(crate) fn key(&self) -> Key {
        let (runs, seconds) = self.limits;
        let (case, input, config) = (self.case.clone(), self.input.clone(), self.config.clone());
        (case, input, config, self.repeat, self.jobs, runs, seconds.map(f64::to_bits))
    }

    /// Whether a limit ended the run.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.end == "time" || self.end == "tests"
    }

    /// Whether two runs found the same result with equally many runs of the test.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        let told = |r: &Self| (r.to, r.runs, r.result.clone(), r.verdicts, r.curve.clone());
        told(self) == told(other)
    }
}

/// A file of records that grows.
#[derive(Debug)]
pub(crate) struct Log {
    file: File,
    path: String,
}

impl Log {
    /// Opens or creates the file, and returns its records. An incomplete last line, from an interrupted
    /// write, is removed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or has another form.
    pub(crate) fn open(path: &Path) -> Result<(Self, Vec<Record>), UserError> {
        let failed = |e: std::io::Error| {
            UserError::usage(format!("the file '{}' cannot be used", path.display())).fact(e.to_string())
        };
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let records = parse(&text[..whole], path)?;
        Ok((Self { file, path: path.display().to_string() }, records))
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn add(&mut self, record: &Record) -> Result<(), UserError> {
        let write = |file: &mut File| {
            let mut line = serde_json::to_string(record)?;
            line.push('\n');
            file.write_all(line.as_bytes())?;
            file.sync_data()
        };
        write(&mut self.file).map_err(|e: std::io::Error| {
            UserError::usage(format!("the file '{}' cannot be written", self.path)).fact(e.to_string())
        })
    }
}

/// Reads the records of a finished or unfinished campaign.
///
/// # Errors
/// If the file cannot be read, or has another form.
pub(crate) fn read(path: &Path) -> Result<Vec<Record>, UserError> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        UserError::usage(format!("the file '{}' cannot be read", path.display())).fact(e.to_string())
    })?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    parse(&text[..whole], path)
}

fn parse(text: &str, path: &Path) -> Result<Vec<Record>, UserError> {
    let parse = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|e| {
            UserError::usage(format!("line {number} of '{}' is no record", path.display()))
                .fact(e.to_string())
        })
    };
    (1..).zip(text.lines()).map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_off_is_forgotten_and_the_rest_is_kept() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("log.jsonl");
        let record = |repeat| Record { case: "c".into(), repeat, ..Record::default() };
        let (mut log, _) = Log::open(&path)?;
        log.add(&record(0))?;
        log.add(&record(1))?;
        let text = std::fs::read_to_string(&path)?;
        std::fs::write(&path, &text[..text.len() - 5])?;
        let (mut log, records) = Log::open(&path)?;
        assert_eq!(records, [record(0)]);
        log.add(&record(1))?;
        assert_eq!(read(&path)?, [record(0), record(1)]);
        Ok(())
    }
}
