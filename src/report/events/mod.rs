//! The events of a reduction as JSON lines, for other programs: docs/events.md describes them, docs/events.schema.json
//! defines them.

mod writer;

pub(crate) use writer::EventWriter;

use crate::driver::PassStats;
use crate::journal::{Commit, Header, Key, Other, Session};
use crate::oracle::Verdict;
use crate::schedule::Stage;
use lopper_engine::flicker::Tally;
use serde::{Deserialize, Serialize};

/// The version of the schema. It rises when a field changes its meaning or is removed; new fields and new events do not
/// raise it.
pub(crate) const SCHEMA: u32 = 1;

/// A line: what happened, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Seconds since Lopper was started.
    pub(crate) seconds: f64,
    /// What happened.
    #[serde(flatten)]
    pub(crate) news: News,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum News {
    /// The first line.
    Start(Box<Start>),
    /// The search learned a verdict.
    Verdict(Answered),
    /// There is a new best program. The first one is number 1.
    Commit {
        /// The number.
        number: usize,
        /// As in the journal.
        #[serde(flatten)]
        commit: Commit,
    },
    /// A sweep of the passes begins.
    Sweep {
        /// The purpose of the sweep.
        stage: String,
        /// The weight, in tokens, up to which a failed set of units is not split.
        floor: usize,
    },
    /// Something that the user may want to know.
    Finding(Finding),
    /// The last line.
    End(Box<Ending>),
}

/// The beginning of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Start {
    /// The version of the schema.
    pub(crate) schema: u32,
    /// The options that decide the result, as in the first line of the journal.
    pub(crate) run: Header,
    /// How Lopper was started, as in the journal.
    pub(crate) session: Session,
    /// The path of the result.
    pub(crate) output: String,
    /// The test, in one sentence.
    pub(crate) test: String,
    /// The size of the original in tokens.
    pub(crate) tokens: usize,
    /// The size of the original in bytes.
    pub(crate) bytes: usize,
    /// The size of the original in lines.
    pub(crate) lines: usize,
    /// The number of tests that may run at once.
    pub(crate) jobs: usize,
    /// The number of verdicts that are known from an earlier run.
    pub(crate) known: usize,
}

/// A verdict on a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Answered {
    /// The pass that proposed the candidate; `None` for a second look at an accepted one.
    pub(crate) pass: Option<String>,
    /// The key of the test run, as in the journal.
    pub(crate) key: Key,
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// The time of the run in microseconds; if it was too long, its limit.
    pub(crate) time: u64,
    /// Whether the verdict was known from an earlier run of Lopper.
    pub(crate) known: bool,
    /// Verdicts used so far, with this one.
    pub(crate) runs: usize,
    /// Candidates so far whose verdict the memo knew.
    pub(crate) memo_hits: usize,
}

/// Something that the user may want to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "kebab-case")]
pub(crate) enum Finding {
    /// The test does not give the same answer each time.
    Flicker {
        /// How often it accepts the original.
        original: Tally,
        /// Whether that was found during the reduction.
        late: bool,
    },
    /// The best program turned out to be boring, and the reduction went back.
    Retreat,
    /// A candidate is the smallest one so far that fails in another way.
    OtherFailure(Other),
    /// A pass begins or ends to wait, since it has used many runs without success.
    Probation {
        /// The pass.
        pass: String,
        /// Whether it begins to wait.
        begins: bool,
    },
    /// The user has skipped a pass.
    Skip {
        /// The pass.
        pass: String,
    },
    /// A pass has a bug, which costs candidates.
    Bug {
        /// The pass.
        pass: String,
        /// The message.
        message: String,
    },
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ending {
    /// The reason: `nothing-more`, `max-tests`, `max-time`, `asked`, `interrupted` or `error`.
    pub(crate) reason: String,
    /// Whether nothing is left to try.
    pub(crate) finished: bool,
    /// The error that ended the run, if one did.
    pub(crate) error: Option<String>,
    /// The size of the result in tokens.
    pub(crate) tokens: usize,
    /// The size of the result in bytes.
    pub(crate) bytes: usize,
    /// The size of the result in lines.
    pub(crate) lines: usize,
    /// The fingerprint of the result, if it has one.
    pub(crate) fingerprint: Option<String>,
    /// Verdicts used.
    pub(crate) runs: usize,
    /// Candidates whose verdict the memo knew.
    pub(crate) memo_hits: usize,
    /// The work of each pass.
    pub(crate) passes: Vec<PassWork>,
}

/// The work of a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PassWork {
    /// The pass.
    pub(crate) pass: String,
    /// Its counts.
    #[serde(flatten)]
    pub(crate) stats: PassStats,
}

/// Reads the lines of a run. Events of later versions, and an incomplete last line, are skipped. `None` if the text does
/// not begin as the events of a run do.
pub(crate) fn read(text: &str) -> Option<(Start, Vec<Line>)> {
    let mut lines = text.lines().map(|line| serde_json::from_str::<Line>(line).ok());
    let News::Start(start) = lines.next()??.news else { return None };
    Some((*start, lines.flatten().collect()))
}

/// The name of a stage.
pub(crate) fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Reduce => "reduce",
        Stage::Prove(_) => "prove",
        Stage::Pump => "pump",
        Stage::Escape => "escape",
        Stage::Finish => "finish",
    }
}
