//! The user's test as data: its commands, and the conditions on their results.
//!
//! Without conditions a test is one command, whose exit status is the verdict. With conditions it needs no
//! script: any command will do, and the conditions tell by its exit code and its output whether the failure is
//! there.

mod cleaning;
mod condition;
pub mod failure;
mod marks;
mod remarks;
mod slips;
#[cfg(test)]
mod tests;

pub use condition::{Condition, ExitCode, Stream, signal};
pub use failure::{Failure, ORDINARY_ERROR, Slip};
pub use remarks::Remarks;
pub use slips::Slips;

use crate::error::UserError;
use crate::oracle::command::TestCommand;
use crate::oracle::executor::{Limit, Run};
use crate::oracle::{Contents, Fault, Verdict};
use std::path::{Path, PathBuf};
use std::time::Duration;
use xxhash_rust::xxh3::Xxh3;

/// A test; see the module.
#[derive(Clone, Debug)]
pub struct TestPlan {
    commands: Vec<TestCommand>,
    steps: Vec<Step>,
    conditions: Vec<Condition>,
    like: Like,
    /// What names the failure to which candidates are held in place of the one that the rest of the test is for.
    follows: Option<String>,
}

/// What one or two of the commands are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Its exit status is the verdict, or its result has to meet the conditions.
    Main(usize),
    /// It has to accept the candidate.
    Require(usize),
    /// It has to refuse the candidate.
    Reject(usize),
    /// Their results have to differ.
    Differs(usize, usize),
}

/// Whether candidates have to fail as the original does.
#[derive(Clone, Debug)]
enum Like {
    /// No.
    Any,
    /// Yes, and it is not known yet how the original fails.
    Wanted,
    /// In this way.
    Known(Failure),
}

/// The result of all commands on a candidate, up to the one that decided.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The last run.
    pub run: Run,
    /// The wall time of all runs.
    pub time: Duration,
    /// The wall time of the longest run.
    pub slowest: Duration,
    /// Why the candidate is not interesting.
    pub unmet: Option<String>,
    /// A failure other than the one that is looked for.
    pub slip: Option<Slip>,
}

impl From<TestCommand> for TestPlan {
    fn from(command: TestCommand) -> Self {
        Self { commands: vec![command], steps: vec![Step::Main(0)], ..Self::without_command() }
    }
}

impl TestPlan {
    /// A test without a main command, whose further commands have to be added.
    pub fn without_command() -> Self {
        Self {
            commands: Vec::new(),
            steps: Vec::new(),
            conditions: Vec::new(),
            like: Like::Any,
            follows: None,
        }
    }

    /// Adds a condition on the main command.
    pub fn condition(mut self, condition: Condition) -> Self {
        self.conditions.push(condition);
        self
    }

    /// Adds a command that has to accept the candidate, or else the candidate is invalid.
    pub fn require(self, command: TestCommand) -> Self {
        self.step(command, Step::Require)
    }

    /// Adds a command that has to refuse the candidate.
    pub fn reject(self, command: TestCommand) -> Self {
        self.step(command, Step::Reject)
    }

    /// Adds two commands whose exit codes or outputs have to differ.
    pub fn differs(mut self, [a, b]: [TestCommand; 2]) -> Self {
        let first = self.commands.len();
        self.commands.extend([a, b]);
        self.steps.push(Step::Differs(first, first + 1));
        self
    }

    /// Holds every candidate to the failure of the original; [`TestPlan::learn`] tells how that fails.
    pub fn like_original(mut self) -> Self {
        self.like = Like::Wanted;
        self
    }

    /// Holds every candidate to the failure with this signature, which is a [`Slip`] for the test as it was.
    pub fn follow(&mut self, signature: String) {
        self.follows = Some(signature);
    }

    fn step(mut self, command: TestCommand, step: fn(usize) -> Step) -> Self {
        self.steps.push(step(self.commands.len()));
        self.commands.push(command);
        self
    }

    /// Whether the original's failure has to be learned before the first verdict.
    pub fn has_to_learn(&self) -> bool {
        matches!(self.like, Like::Wanted)
    }

    /// Holds every candidate to this failure.
    pub fn learn(&mut self, failure: Failure) {
        self.like = Like::Known(failure);
    }

    /// The failure to which candidates are held, if it was learned.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.like {
            Like::Known(failure) => Some(failure),
            _ => None,
        }
    }

    /// The same test with other commands in place of its own.
    ///
    /// # Errors
    /// Those of `change`.
    pub fn with_commands(
        self,
        change: impl Fn(&TestCommand) -> Result<TestCommand, UserError>,
    ) -> Result<Self, UserError> {
        let commands = self.commands.iter().map(change).collect::<Result<_, _>>()?;
        Ok(Self { commands, ..self })
    }

    /// The commands, of which there is at least one; the first one is the main command, if there is one.
    pub fn commands(&self) -> &[TestCommand] {
        &self.commands
    }

    /// Whether the exit status of one command is the verdict.
    pub fn is_plain(&self) -> bool {
        let has_server = self.has_server();
        self.steps == [Step::Main(0)] && !self.has_conditions() && !has_server && self.follows.is_none()
    }

    /// Whether the main command is a server.
    pub fn has_server(&self) -> bool {
        self.commands.first().is_some_and(|command| command.answers().is_some())
    }

    /// Whether the main command has to meet conditions.
    pub fn has_conditions(&self) -> bool {
        !self.conditions.is_empty() || !matches!(self.like, Like::Any)
    }

    /// The files of the test, as far as Lopper can know: see [`TestCommand::files`].
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.commands.iter().flat_map(TestCommand::files)
    }

    /// The programs.
    pub fn programs(&self) -> impl Iterator<Item = &Path> {
        self.commands.iter().map(|command| &*command.program)
    }

    /// A hash of everything that the verdicts depend on, as far as Lopper can know: see
    /// [`TestCommand::fingerprint`].
    pub fn fingerprint(&self, files: &[&Path]) -> u128 {
        let mut hash = Xxh3::new();
        for command in &self.commands {
            let own = files.iter().copied().filter(|file| command.files().any(|own| own == *file));
            hash.update(&command.fingerprint(own).to_le_bytes());
        }
        if !self.is_plain() {
            hash.update(format!("{:?} {}", self.steps, self.sentence()).as_bytes());
        }
        hash.digest128()
    }

    /// The commands for a shell, one after the other, to be copied and pasted.
    pub fn shown(&self, paths: &[PathBuf]) -> String {
        self.commands.iter().map(|command| command.shown(paths)).collect::<Vec<_>>().join("; ")
    }

    /// When a candidate is interesting, in one sentence.
    pub fn sentence(&self) -> String {
        let shown = |n: usize| format!("`{}`", self.briefly(n));
        let mut parts = Vec::new();
        for step in &self.steps {
            match *step {
                Step::Main(n) if self.follows.is_some() => {
                    let signature = self.follows.as_deref().unwrap_or_default();
                    parts.push(format!("{} fails in this way: {signature}", shown(n)));
                }
                Step::Main(n) if self.commands[n].answers().is_some() => {
                    parts.push(format!("the server {} says so", shown(n)));
                }
                Step::Main(n) if !self.has_conditions() => {
                    parts.push(format!("{} exits with code 0", shown(n)))
                }
                Step::Main(n) => {
                    let mut all: Vec<String> = self.conditions.iter().map(ToString::to_string).collect();
                    match &self.like {
                        Like::Any => {}
                        Like::Wanted => all.push("fails as the original does".to_owned()),
                        Like::Known(failure) => all.push(failure.to_string()),
                    }
                    parts.push(format!("{} {}", shown(n), all.join(" and ")));
                }
                Step::Require(n) => parts.push(format!("{} accepts it", shown(n))),
                Step::Reject(n) => parts.push(format!("{} refuses it", shown(n))),
                Step::Differs(a, b) => {
                    parts.push(format!("the results of {} and {} differ", shown(a), shown(b)));
                }
            }
        }
        format!("a candidate is interesting if {}", listed(&parts))
    }

    /// The verdict on a candidate. `run` runs a command, by its number, and keeps the output if it is told to;
    /// with `keeps_output`, it always is.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn judge(
        &self,
        candidate: &Contents,
        keeps_output: bool,
        run: impl Fn(usize, bool) -> Result<Run, Fault>,
    ) -> Result<Judgement, Fault> {
        let (mut time, mut slowest) = (Duration::ZERO, Duration::ZERO);
        let mut timed = |number: usize, needs_output: bool| {
            let run = run(number, needs_output || keeps_output)?;
            time += run.time;
            slowest = slowest.max(run.time);
            Ok::<_, Fault>(run)
        };
        let mut last = None;
        let mut decided = Decision::INTERESTING;
        for step in &self.steps {
            let (run, decision) = match *step {
                Step::Main(number) => {
                    let mut run = timed(number, self.has_conditions())?;
                    if self.is_told(&run) && !keeps_output {
                        // The output names the failure, and is kept for few candidates only.
                        run = timed(number, true)?;
                    }
                    let decision = self.followed(self.decide(&run, candidate));
                    (run, decision)
                }
                Step::Require(number) => {
                    let run = timed(number, false)?;
                    let verdict = match run.verdict() {
                        Verdict::Boring => Verdict::Invalid,
                        verdict => verdict,
                    };
                    let unmet = || format!("`{}` refuses it", self.briefly(number));
                    (run, Decision::new(verdict, unmet))
                }
                Step::Reject(number) => {
                    let run = timed(number, false)?;
                    let verdict = match run.status {
                        Ok(status) if status.success() => Verdict::Boring,
                        Ok(_) => Verdict::Interesting,
                        Err(_) => run.verdict(),
                    };
                    (run, Decision::new(verdict, || format!("`{}` accepts it", self.briefly(number))))
                }
                Step::Differs(a, b) => {
                    let (first, second) = (timed(a, true)?, timed(b, true)?);
                    let verdict = match (&first.status, &second.status) {
                        (Err(_), _) => first.verdict(),
                        (_, Err(_)) => second.verdict(),
                        (a, b) if a == b && first.output == second.output => Verdict::Boring,
                        _ => Verdict::Interesting,
                    };
                    (second, Decision::new(verdict, || "the exit codes and outputs are equal".to_owned()))
                }
            };
            last = Some(run);
            decided = decision;
            if decided.verdict != Verdict::Interesting {
                break;
            }
        }
        let run = last.ok_or_else(|| Fault::Broken(UserError::usage("there is no command to run")))?;
        let Decision { verdict, unmet, slip } = decided;
        Ok(Judgement { verdict, run, time, slowest, unmet, slip })
    }

    fn briefly(&self, number: usize) -> String {
        self.commands[number].briefly(Path::new("{}"))
    }

    /// The decision for a test that follows another failure.
    fn followed(&self, decision: Decision) -> Decision {
        let Some(signature) = &self.follows else { return decision };
        if decision.slip.as_ref().is_some_and(|slip| slip.signature == *signature) {
            return Decision::INTERESTING;
        }
        let verdict = match decision.verdict {
            Verdict::Interesting => Verdict::Boring,
            verdict => verdict,
        };
        let unmet = Some(format!("it does not fail in this way: {signature}"));
        Decision { verdict, unmet, slip: decision.slip }
    }

    /// Whether a script says that the candidate fails in another way.
    fn is_told(&self, run: &Run) -> bool {
        !self.has_conditions() && run.status.ok().and_then(|status| status.code()) == Some(ANOTHER_FAILURE)
    }

    /// The verdict on a run of the main command.
    fn decide(&self, run: &Run, candidate: &Contents) -> Decision {
        if !self.has_conditions() {
            let decision = Decision::new(run.verdict(), || ended(run));
            let told = self.is_told(run).then(|| Slip::told(run));
            let answered = run.answer.as_ref().and_then(|answer| answer.signature.clone());
            return Decision { slip: answered.map(|signature| Slip { signature }).or(told), ..decision };
        }
        if run.status.is_err() {
            return Decision::new(run.verdict(), || ended(run));
        }
        let unmet = self
            .conditions
            .iter()
            .find(|condition| !condition.holds(run))
            .map(|unmet| format!("this does not hold: it {unmet}"));
        if unmet.is_none() && self.failure().is_none() {
            return Decision::INTERESTING;
        }
        let failure = Failure::of(run, candidate);
        let other = self.failure().filter(|wanted| !failure.is_like(wanted));
        let unmet =
            unmet.or_else(|| Some(format!("this does not hold: it {}; instead, it {failure}", other?)));
        // The same crash after an ordinary error is no find of its own.
        let is_known = |slip: &Slip| self.failure().and_then(Failure::slip).as_ref() == Some(slip);
        let slip = unmet.is_some().then(|| failure.slip()).flatten().filter(|slip| !is_known(slip));
        let verdict = if unmet.is_some() { Verdict::Boring } else { Verdict::Interesting };
        Decision { verdict, unmet, slip }
    }
}

/// The exit code by which a script says that a candidate fails in another way.
const ANOTHER_FAILURE: i32 = 101;

struct Decision {
    verdict: Verdict,
    unmet: Option<String>,
    slip: Option<Slip>,
}

impl Decision {
    const INTERESTING: Self = Self { verdict: Verdict::Interesting, unmet: None, slip: None };

    fn new(verdict: Verdict, unmet: impl FnOnce() -> String) -> Self {
        Self { verdict, unmet: (verdict != Verdict::Interesting).then(unmet), slip: None }
    }
}

/// How a run ended, in words.
fn ended(run: &Run) -> String {
    match run.status {
        Ok(_) if let Some(answer) = &run.answer => match answer.verdict {
            Some(Verdict::Interesting) => "the server answered that it is interesting".to_owned(),
            Some(Verdict::Invalid) => "the server answered that it cannot tell".to_owned(),
            Some(_) => "the server answered that it is boring".to_owned(),
            None => "the server gave no answer".to_owned(),
        },
        Ok(status) => match status.code() {
            Some(code) => format!("it ended with exit code {code}"),
            None => format!("it was ended by a signal ({status})"),
        },
        Err(Limit::Time) => "it took too long".to_owned(),
        Err(Limit::Memory) => "it took too much memory".to_owned(),
    }
}

/// `a`, `a and b`, or `a, b, and c`.
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one}, and {two}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}
