//! Remembers of a run what its page shows: the commits, and the candidates that were refused near the end.

use crate::conditions::Remarks;
use crate::driver::PassStats;
use crate::journal::Other;
use crate::oracle::{Contents, Verdict};
use crate::report::as_one;
use crate::report::edits::{Edit, edited, edits};
use crate::run::Event;
use lopper_engine::flicker::Tally;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// The number of bytes of refused candidates that are remembered.
const MOST: usize = 64 << 20;

/// What a page shows of a run; see the module.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// The original, with replacement characters for what is not UTF-8.
    pub(super) original: Arc<str>,
    /// The commits.
    pub(super) steps: Vec<Step>,
    /// The last program.
    pub(super) current: Arc<str>,
    /// The candidates that were refused and are not longer than the last program, as they were tested.
    pub(super) refused: VecDeque<Refused>,
    /// The number of their bytes.
    held: usize,
    /// Why candidates were refused.
    remarks: Arc<Remarks>,
    /// The number of runs with each verdict, in the order of [`VERDICTS`].
    pub(super) counts: [usize; VERDICTS.len()],
    /// Verdicts used, and candidates whose verdict the memo knew.
    pub(super) runs: (usize, usize),
    /// The time of all runs.
    pub(super) time: Duration,
    /// The work of each pass.
    pub(super) passes: Vec<(&'static str, PassStats)>,
    /// How often the test accepted the original, if it flickers.
    pub(super) flicker: Option<Tally>,
    /// How often the run went back to an earlier program.
    pub(super) retreats: usize,
    /// The other failures, by the text that names each.
    pub(super) others: BTreeMap<String, Other>,
    /// For each pass with bugs, the first message and the number.
    pub(super) bugs: BTreeMap<&'static str, (String, usize)>,
}

/// The verdicts, and what each says of a candidate.
pub(super) const VERDICTS: [(Verdict, &str); 5] = [
    (Verdict::Interesting, "accepted"),
    (Verdict::Boring, "the failure is gone"),
    (Verdict::Invalid, "the test could not tell"),
    (Verdict::TimedOut, "the test took too long"),
    (Verdict::OutOfMemory, "the test took too much memory"),
];

/// A commit.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) pass: Option<&'static str>,
    pub(super) tokens: usize,
    pub(super) bytes: usize,
    pub(super) runs: usize,
    /// The time of all runs until then.
    pub(super) time: Duration,
    /// What it changed in the program before.
    pub(super) edits: Vec<Edit>,
}

/// A candidate that was refused.
#[derive(Clone, Debug)]
pub(super) struct Refused {
    pub(super) pass: &'static str,
    pub(super) verdict: Verdict,
    pub(super) run: usize,
    /// The number of commits before it.
    pub(super) commits: usize,
    pub(super) text: Arc<Vec<u8>>,
    /// The condition that did not hold, and what the test printed.
    pub(super) remark: Option<Arc<str>>,
}

impl Refused {
    /// The number of bytes that it takes, about.
    fn size(&self) -> usize {
        size_of::<Self>() + self.text.len() + self.remark.as_ref().map_or(0, |remark| remark.len())
    }
}

impl Recorder {
    /// A run on this program.
    pub(crate) fn new(original: &Contents) -> Self {
        let original: Arc<str> = String::from_utf8_lossy(&as_one(original)).into();
        Self {
            current: Arc::clone(&original),
            original,
            steps: Vec::new(),
            refused: VecDeque::new(),
            held: 0,
            remarks: Arc::default(),
            counts: [0; VERDICTS.len()],
            runs: (0, 0),
            time: Duration::ZERO,
            passes: Vec::new(),
            flicker: None,
            retreats: 0,
            others: BTreeMap::new(),
            bugs: BTreeMap::new(),
        }
    }

    /// Asks the test why it refuses candidates.
    pub(crate) fn ask(&mut self, remarks: Arc<Remarks>) {
        remarks.want();
        self.remarks = remarks;
    }

    /// Remembers an event.
    pub(crate) fn hear(&mut self, event: &Event) {
        match event {
            Event::Tested { pass, key, verdict, time, stats, contents, .. } => {
                self.time += *time;
                self.runs = (stats.runs, stats.memo_hits);
                if let Some(at) = VERDICTS.iter().position(|(known, _)| known == verdict) {
                    self.counts[at] += 1;
                }
                if let (Some(pass), false) = (pass, *verdict == Verdict::Interesting) {
                    let text = as_one(contents);
                    self.refuse(Refused {
                        pass,
                        verdict: *verdict,
                        run: stats.runs,
                        commits: self.steps.len(),
                        text,
                        remark: self.remarks.take(*key),
                    });
                }
                self.passes.clone_from(&stats.passes);
            }
            Event::Accepted { pass, contents, measure, runs, .. } => {
                let text = as_one(contents);
                let program = String::from_utf8_lossy(&text);
                self.steps.push(Step {
                    pass: *pass,
                    tokens: measure.tokens,
                    bytes: measure.bytes,
                    runs: *runs,
                    time: self.time,
                    edits: edits(&self.current, &program),
                });
                self.current = program.into();
                self.forget(text.len());
            }
            Event::Flickers { original, .. } => self.flicker = Some(*original),
            Event::Retreat => self.retreats += 1,
            Event::Bug { pass, message } => {
                self.bugs.entry(pass).or_insert_with(|| (message.clone(), 0)).1 += 1;
            }
            Event::Skipped { .. }
            | Event::Verified { .. }
            | Event::Sweep { .. }
            | Event::Probation { .. } => {}
        }
    }

    /// The number of commits.
    pub(crate) fn commits(&self) -> usize {
        self.steps.len()
    }

    /// The programs at the end of the run that have as many tokens as the result, each with the number of commits before
    /// it: they differ in names, and the same token has the same place in all of them.
    pub(super) fn last_programs(&self) -> impl Iterator<Item = (usize, String)> {
        let tokens = self.steps.last().map(|last| last.tokens);
        let later = self.steps.iter().rev().take_while(|step| Some(step.tokens) == tokens).count();
        let first = (self.steps.len() - later + 1).min(self.steps.len());
        let mut text = self.original.to_string();
        self.steps[..first].iter().for_each(|step| text = edited(&text, &step.edits));
        let next = move |number: usize| {
            if number > first {
                text = edited(&text, &self.steps[number - 1].edits);
            }
            (number, text.clone())
        };
        (first..=self.steps.len()).map(next)
    }

    /// Remembers that a candidate fails in another way.
    pub(crate) fn met(&mut self, other: &Other) {
        self.others.insert(other.signature.clone(), other.clone());
    }

    fn refuse(&mut self, refused: Refused) {
        self.held += refused.size();
        self.refused.push_back(refused);
        while self.held > MOST
            && let Some(oldest) = self.refused.pop_front()
        {
            self.held -= oldest.size();
        }
    }

    /// Forgets candidates that are longer than the program: they say nothing about what is left of it.
    fn forget(&mut self, length: usize) {
        self.refused.retain(|refused| refused.text.len() <= length);
        self.held = self.refused.iter().map(Refused::size).sum();
    }
}
