//! The journal of a generalization, in a run folder beside the pattern's file or FILE.
//!
//! The reduction, the search for an excerpt, and the generalization of their results ask different questions about the same
//! texts: each has its own keys. The one commit holds the reduced file.

use super::arguments::{Arguments, Outputs};
use crate::error::UserError;
use crate::journal::{Header, Keeper, Key, Log, Past, RunFolder, Session, held_by};
use crate::oracle::contents::key;
use crate::oracle::watch::Watch;
use crate::oracle::{Contents, Known};
use crate::output::{Target, numbered_path};
use crate::report;
use crate::run::Event;
use lopper_engine::flicker::Tally;
use lopper_languages::measure::Measure;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a verdict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Does the test accept the text?
    Reduction,
    /// Does it, or is the text invalid?
    Generalization,
    /// Does it, and is the text an excerpt of the original one?
    Excerpt,
}

impl Question {
    /// The key of a verdict in the journal, from that of the text; and back.
    fn key(self, key: u128) -> u128 {
        key ^ match self {
            Self::Reduction => 0,
            Self::Generalization => u128::from_be_bytes(*b"a generalization"),
            Self::Excerpt => u128::from_be_bytes(*b"excerpts of FILE"),
        }
    }
}

/// A run that `--resume` continues.
pub(super) struct Earlier {
    folder: RunFolder,
    pub(super) past: Past,
}

/// So many run folders are looked for beside a file.
const MOST: usize = 100;

/// The path of a run folder beside the pattern's file, or FILE.
fn folders(outputs: &Outputs, file: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let beside = outputs.json.as_deref().filter(|json| matches!(Target::of(json), Target::File(_)));
    let beside = beside.unwrap_or(file).to_owned();
    (1..=MOST).map(move |n| held_by(&numbered_path(&beside, "pattern", n)))
}

/// The run to be continued: of several unfinished ones the one that was written to last. `None` if there is none.
///
/// # Errors
/// If its folder is in use, belongs to another user, or is damaged.
pub(super) fn earlier(
    arguments: &Arguments,
    outputs: &Outputs,
    file: &Path,
) -> Result<Option<Earlier>, UserError> {
    if !arguments.resume {
        return Ok(None);
    }
    let last = folders(outputs, file)
        .filter(|path| RunFolder::is_at(path))
        .max_by_key(|path| RunFolder::written(path));
    let Some(path) = last else { return Ok(None) };
    let (folder, past) = RunFolder::open(path)?;
    Ok(past.map(|past| Earlier { folder, past }))
}

/// The journal that is being written, and what an earlier run knew.
pub(super) struct Held {
    keeper: Option<Keeper>,
    watch: Watch,
    /// There is something in the journal that a resumed run could use.
    is_of_use: bool,
    /// The verdicts of an earlier run, as they are in the journal.
    verdicts: Known,
    /// The reduced file of an earlier run.
    pub(super) reduced: Option<Vec<u8>>,
}

impl Held {
    /// Continues the journal of an earlier run, or begins a new one. Where no run folder can be made, no journal is
    /// kept.
    ///
    /// # Errors
    /// If the earlier run is a different one, or the disk fails.
    pub(super) fn new(
        arguments: &Arguments,
        outputs: &Outputs,
        file: &Path,
        header: &Header,
        watch: Watch,
        session: &Session,
        earlier: Option<Earlier>,
    ) -> Result<Self, UserError> {
        let mut held = Self {
            keeper: None,
            watch,
            is_of_use: earlier.is_some(),
            verdicts: Known::default(),
            reduced: None,
        };
        let (folder, past) = match earlier {
            Some(Earlier { folder, past }) => {
                if let Some(reason) = past.header.refuses(header) {
                    let shown = folder.path().display();
                    return Err(UserError::usage(format!(
                        "the journal in '{shown}' belongs to a different run"
                    ))
                    .fact(reason)
                    .help("omit --resume to start a new run, or remove the folder"));
                }
                let is_last = |text: &Vec<u8>| {
                    let own = Key(key(&vec![past.file(text.clone())]));
                    past.commits.last().is_some_and(|commit| commit.key == own)
                };
                held.reduced = folder.best().ok().filter(is_last);
                held.verdicts = past.verdicts.clone();
                (Some(folder), Some(past))
            }
            None => (new_folder(outputs, file, arguments.limits.quiet), None),
        };
        let Some(folder) = folder else { return Ok(held) };
        if let Some(past) = &past
            && !arguments.limits.quiet
        {
            report::remark(&format!("resuming; {} verdicts are known", past.verdicts.len()));
        }
        held.keeper = Some(Keeper::new(folder, header, session, past, Arc::new(Log::default()))?);
        Ok(held)
    }

    /// What an earlier run knew.
    pub(super) fn known(&self, question: Question) -> Arc<Known> {
        Arc::new(self.verdicts.with_keys(|key| question.key(key)))
    }

    /// Writes a verdict down; the programs on the way of a reduction are of no interest.
    pub(super) fn hear(&mut self, question: Question, event: &Event) -> Result<(), UserError> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        let &Event::Tested { pass, key, verdict, time, known, contents, stats } = event else {
            return Ok(());
        };
        self.is_of_use = true;
        let key = question.key(key);
        keeper.hear(&Event::Tested { pass, key, verdict, time, known, contents, stats }).map(drop)
    }

    /// Ends the verdicts of the reduction.
    ///
    /// # Errors
    /// If the disk is full or fails, or the test was edited.
    pub(super) fn reduced_to(
        &mut self,
        contents: &Contents,
        measure: Measure,
        runs: usize,
    ) -> Result<(), UserError> {
        self.refuse_edited_test()?;
        match &mut self.keeper {
            Some(keeper) => {
                keeper.hear(&Event::Accepted { pass: None, contents, measure, runs, limit: None }).map(drop)
            }
            None => Ok(()),
        }
    }

    /// Records that the test flickers, and forgets the verdicts of the generalization.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub(super) fn flickers(&mut self, original: Tally) -> Result<(), UserError> {
        self.verdicts = Known::default();
        self.keeper.as_mut().map_or(Ok(()), |keeper| keeper.flickers(original))
    }

    /// Fails if the test was edited; then the journal records which verdicts do not count.
    pub(super) fn refuse_edited_test(&mut self) -> Result<(), UserError> {
        let Some(file) = self.watch.changed() else { return Ok(()) };
        let error = UserError::bad_test(format!("'{}' was changed during the run", file.display()))
            .fact("verdicts since then cannot be combined with earlier ones, and are discarded");
        self.keeper.as_mut().map_or(Ok(()), Keeper::doubt)?;
        Err(error)
    }

    /// Ends the journal. The folder of a run that is not finished stays if it is of use.
    pub(super) fn finish(self, finished: bool, quiet: bool) {
        let Some(keeper) = self.keeper else { return };
        let keeps = !finished && self.is_of_use;
        if keeps && !quiet && keeper.folder().is_there() {
            let shown = keeper.folder().path().display();
            report::remark(&format!(
                "run the same command with --resume to continue; the journal is in '{shown}'"
            ));
        }
        keeper.finish(finished, keeps);
    }
}

/// A folder for a new run; `None`, with a remark, if none can be made.
fn new_folder(outputs: &Outputs, file: &Path, quiet: bool) -> Option<RunFolder> {
    for path in folders(outputs, file) {
        match RunFolder::claim(path) {
            Ok(None) => {}
            Ok(folder) => return folder,
            Err(error) => {
                if !quiet {
                    report::remark(&format!("no journal is kept: {}", error.title));
                }
                return None;
            }
        }
    }
    None
}
