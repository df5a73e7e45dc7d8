//! The keeper of the journal during a run: writes new events, and skips known ones.

use super::folder::RunFolder;
use super::log::Log;
use super::others::{Others, other_name};
use super::record::{Commit, Form, Header, Key, Other, Record, Session};
use super::{Journal, Past};
use crate::error::UserError;
use crate::oracle::{Contents, Verdict, contents, micros};
use crate::output::write_new;
use crate::run::Event;
use lopper_engine::flicker::Tally;
use lopper_languages::measure::Measure;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A run folder in use.
#[derive(Debug)]
pub struct Keeper {
    folder: RunFolder,
    journal: Journal,
    log: Arc<Log>,
    /// The commits in the journal.
    commits: Vec<Commit>,
    /// The number of commits that the driver has made.
    made: usize,
    /// The key of the result that a formatter has made of the last commit in the journal.
    formatted: Option<Key>,
    /// The failures other than the original's.
    others: Others,
    /// The input: its name and its form.
    name: String,
    form: Form,
}

impl Keeper {
    /// Begins a journal, or continues the one of `past`.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn new(
        folder: RunFolder,
        header: &Header,
        session: &Session,
        past: Option<Past>,
        log: Arc<Log>,
    ) -> Result<Self, UserError> {
        let journal = folder.begin(header, session, past.as_ref())?;
        let formatted = past.as_ref().and_then(|past| past.formatted);
        let (commits, met) = past.map_or_else(Default::default, |past| (past.commits, past.others));
        let mut others = Others::default();
        for other in &met {
            others.take(other);
        }
        let (name, form) = (header.name.clone(), header.form);
        Ok(Self { folder, journal, log, commits, made: 0, formatted, others, name, form })
    }

    /// The folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Saves the output of the test on the original.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn keep_first_output(&self, text: &str) -> Result<(), UserError> {
        self.folder.keep_first_output(text).map_err(|e| self.folder.failed(&e))
    }

    /// Handles an event; returns whether the best program has to be written to the output. While a run
    /// catches up with its journal, the output is ahead of it, and must not be replaced.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn hear(&mut self, event: &Event) -> Result<bool, UserError> {
        match event {
            Event::Tested { pass, key, verdict, time, known: false, stats, .. } => {
                self.append(&Record::Verdict { key: Key(*key), verdict: *verdict, time: micros(*time) })?;
                if matches!(verdict, Verdict::TimedOut | Verdict::OutOfMemory) {
                    let pass = pass.unwrap_or("second look");
                    self.log.event(&format!("run {}: {verdict:?}, a candidate of {pass}", stats.runs));
                }
            }
            // A resumed run looks at its result again, unless a refusal has changed the rest of the run.
            Event::Verified { key, verdict, time, known: false } if *verdict != Verdict::Interesting => {
                self.append(&Record::Verdict { key: Key(*key), verdict: *verdict, time: micros(*time) })?;
            }
            Event::Tested { .. } | Event::Verified { .. } => {}
            Event::Accepted { pass, contents, measure, runs, limit } => {
                return self.commit(*pass, contents, *measure, *runs, *limit);
            }
            Event::Sweep { stage, floor } => self.log.event(&format!("sweep: {stage:?}, floor {floor}")),
            Event::Probation { pass, begins: true } => self.log.event(&format!("'{pass}' is on probation")),
            Event::Probation { pass, .. } => self.log.event(&format!("'{pass}' is back from probation")),
            Event::Flickers { original, .. } => {
                let Tally { accepted, runs } = original;
                self.log.note(&format!(
                    "the test flickers; it accepted the original in {accepted} of {runs} runs"
                ));
            }
            Event::Retreat => self.log.event("the best program turned out to be boring; the run went back"),
            Event::Skipped { pass, runs, known: false } => {
                self.append(&Record::Skip { pass: (*pass).to_owned(), runs: *runs })?;
                self.log.event(&format!("run {runs}: '{pass}' is skipped, as the user asked"));
            }
            Event::Skipped { .. } => {}
            Event::Bug { pass, message } => self.log.note(&format!("a bug in pass '{pass}': {message}")),
        }
        Ok(false)
    }

    fn commit(
        &mut self,
        pass: Option<&'static str>,
        candidate: &Contents,
        Measure { tokens, bytes, .. }: Measure,
        runs: usize,
        limit: Option<Duration>,
    ) -> Result<bool, UserError> {
        let key = Key(contents::key(candidate));
        self.made += 1;
        if self.commits.get(self.made - 1).is_some_and(|commit| commit.key != key) {
            // The journal is from another build of the same version. Its verdicts are still true.
            self.log.note(&format!(
                "commit {} differs from the one in the journal, whose later commits are dropped",
                self.made
            ));
            self.commits.truncate(self.made - 1);
            self.append(&Record::Undo { to: self.made - 1, bars: Vec::new() })?;
        }
        if self.made > self.commits.len() {
            let limit = limit.map(micros);
            let commit = Commit { key, pass: pass.map(str::to_owned), tokens, bytes, runs, limit };
            self.append(&Record::Commit(commit.clone()))?;
            self.commits.push(commit);
            let (number, pass) = (self.made, pass.unwrap_or("return to an earlier program"));
            let text = format!("commit {number}: {tokens} tokens, {bytes} bytes, run {runs}, {pass}");
            self.log.event(&text);
            if let Some(limit) = limit {
                let seconds = Duration::from_micros(limit).as_secs_f64();
                self.log.event(&format!("the time limit of a test run is {seconds} s now"));
            }
        }
        let is_last = self.made == self.commits.len();
        if is_last {
            self.keep_best(candidate)?;
        }
        Ok(is_last)
    }

    /// Saves a single file as the best program. A folder as the output always holds a whole program itself.
    fn keep_best(&self, program: &Contents) -> Result<(), UserError> {
        match &program[..] {
            [file] if self.form == Form::File => {
                self.folder.keep_best(file).map_err(|e| self.folder.failed(&e))
            }
            _ => Ok(()),
        }
    }

    /// Saves a candidate if it is the smallest one so far with its failure; returns whether it is.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn keep_other(&mut self, other: Other, candidate: &Contents) -> Result<bool, UserError> {
        let Some(number) = self.others.take(&other) else { return Ok(false) };
        let name = other_name(number, &self.name);
        self.log
            .event(&format!("{name}: {} tokens, fails in another way: {}", other.tokens, other.signature));
        let kept = match &candidate[..] {
            [file] if self.form == Form::File => self.folder.keep_other(&name, file),
            // Inside of the run folder, the candidate's folder has no name of its own.
            files => {
                let above = if self.form == Form::Folder { Path::new(&self.name) } else { Path::new("") };
                write_new(&self.folder.path().join(&name), above, &files.to_vec())
            }
        };
        kept.map_err(|e| self.folder.failed(&e))?;
        self.append(&Record::Other(other)).map(|()| true)
    }

    /// Whether a program is the result as a formatter has made it in an earlier run.
    pub fn is_formatted(&self, program: &Contents) -> bool {
        self.formatted == Some(Key(contents::key(program)))
    }

    /// Records that the result is the best program in the layout of a formatter.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn format(&mut self, formatted: &Contents) -> Result<(), UserError> {
        self.append(&Record::Format { key: Key(contents::key(formatted)) })?;
        // A resumed run would refuse what the journal does not know.
        self.sync()
    }

    /// The failures other than the original's.
    pub fn others(&self) -> &Others {
        &self.others
    }

    /// Records that commits were abandoned.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn undo(&mut self, record: &Record) -> Result<(), UserError> {
        self.append(record)
    }

    /// Records that the verdicts since the last commit do not count.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn doubt(&mut self) -> Result<(), UserError> {
        self.append(&Record::Doubt)
    }

    /// Records that the test flickers, and that the verdicts since the last commit do not count.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn flickers(&mut self, original: Tally) -> Result<(), UserError> {
        self.append(&Record::Flicker { original })
    }

    /// Waits until the journal is written to the disk.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn sync(&self) -> Result<(), UserError> {
        self.journal.sync().map_err(|e| self.folder.failed(&e))
    }

    fn append(&mut self, record: &Record) -> Result<(), UserError> {
        self.journal.append(record).map_err(|e| self.folder.failed(&e))
    }

    /// Ends the journal; removes the folder unless `keeps` is set.
    pub fn finish(mut self, finished: bool, keeps: bool) {
        // A failing disk may have ended the run.
        let _ = self.append(&Record::End { finished });
        let Self { folder, journal, .. } = self;
        drop(journal);
        if !keeps {
            folder.remove();
        }
    }
}
