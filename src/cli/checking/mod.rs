//! `lopper check`: tries a test before a reduction, and says what it accepts by mistake and what it depends on.

mod kept;
pub(super) mod outside;
pub(super) mod surroundings;

use super::conditions::{Conditions, RequireOptions};
use super::elsewhere::{Elsewhere, depends_on_folder};
use super::executor::Site;
use super::given::{look_swapped, swapped};
use super::input::Input;
use super::limits::Limits;
use super::signals::catch_signals;
use super::start_up::Times;
use super::{Exit, check, trivial};
use crate::conditions::{Judgement, TestPlan};
use crate::entries::Selection;
use crate::error::UserError;
use crate::journal::Form;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::interrupt::Interrupt;
use crate::oracle::{Fault, Verdict};
use crate::report;
use crate::run::Options;
use kept::Kept;
use outside::Outside;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The forms of the command line.
const USAGE: &str = "usage: lopper check TEST FILE, or lopper check FILE -- COMMAND {}, or lopper check --server COMMAND FILE; several files or a folder may stand for FILE";

/// Tries TEST on FILE, and says what is wrong with it
///
/// In the place of FILE there may be several files, or a folder, as for lopper reduce.
///
/// Runs TEST on FILE several times: does it always accept FILE? How long does it take, and how much of that is
/// start-up? Does it accept an empty or a trivial file? Does it depend on the folder, the name of FILE, the
/// environment, standard input, or files beside FILE? Does it write outside of its folder? Each finding comes with
/// the command to try, in a folder that is kept.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "lopper check [OPTIONS] TEST FILE...|FOLDER\n       lopper check [OPTIONS] FILE -- COMMAND...\n       lopper check [OPTIONS] --server COMMAND FILE",
    after_help = "Exit codes: 0 the test can be used; 1 a bug in Lopper; 2 usage or files; 3 the test cannot be used."
)]
pub(super) struct Arguments {
    /// The test and the file, the files or the folder; without the test, if a COMMAND follows
    #[arg(value_name = "[TEST] FILE...", required = true, num_args = 1.., hide_short_help = true)]
    paths: Vec<PathBuf>,
    /// A command to run as the test; `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND", hide_short_help = true)]
    command: Vec<OsString>,
    /// Leave out what this glob matches below the folder, as lopper reduce does
    #[arg(long, hide_short_help = true, value_name = "GLOB")]
    ignore: Vec<String>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    required: RequireOptions,
}

/// The number of runs on the original.
const RUNS: usize = 3;
/// The time of a run from which start-up is worth a remark.
const SLOW: Duration = Duration::from_millis(100);

/// Runs the checks, and prints what they have found.
pub(super) fn run(arguments: &Arguments) -> Result<Exit, UserError> {
    let start = Instant::now();
    let Arguments { paths, command, conditions, required, .. } = arguments;
    let (plan, files) =
        conditions.plan_and_files(&required.require, paths, command, "check", USAGE, usize::MAX)?;
    let (file, form) = Form::named(&files)?;
    let selection = Selection::new(&arguments.ignore, &[], &[])?;
    let input = Input::read(&selection, form, &files, &file, Path::to_owned)?;
    let interrupt = catch_signals()?;
    let options = arguments.limits.options(start, &interrupt)?;
    let (limits, words) = (&arguments.limits, &arguments.paths[..]);
    let trial = Trial { limits, words, plan, input, options, interrupt };
    match trial.run() {
        Ok(is_usable) => Ok(if is_usable { Exit::Reduced } else { Exit::BadTest }),
        Err(Fault::Interrupted | Fault::Cancelled) => Ok(Exit::Interrupted),
        Err(Fault::Broken(error)) => Err(error),
    }
}

/// What a trial needs; see the module.
pub(super) struct Trial<'a> {
    pub(super) limits: &'a Limits,
    /// The words before `--`.
    pub(super) words: &'a [PathBuf],
    pub(super) plan: TestPlan,
    pub(super) input: Input,
    pub(super) options: Options,
    pub(super) interrupt: Interrupt,
}

/// What was found.
#[derive(Default)]
struct Findings {
    messages: Vec<UserError>,
    has_fault: bool,
    is_unusable: bool,
    kept: Kept,
}

impl Findings {
    /// Something that could be better in a test without faults.
    fn advise(&mut self, message: UserError) {
        self.messages.push(message);
    }

    /// A fault with which the test can be used.
    fn remark(&mut self, message: UserError) {
        self.messages.push(message);
        self.has_fault = true;
    }

    /// A fault for which the test cannot be used.
    fn fault(&mut self, message: UserError) {
        self.remark(message);
        self.is_unusable = true;
    }
}

impl Trial<'_> {
    /// Tries the test and prints what was found; returns whether it can be used.
    pub(super) fn run(&self) -> Result<bool, Fault> {
        let outside = Outside::look(&self.input.path, &self.plan);
        let mut findings = Findings::default();
        let mut test = self.test(&self.plan)?;
        let tried = self.try_all(&mut test, &mut findings);
        let left = test.close();
        tried?;
        if !left.is_empty() {
            findings.remark(UserError::bad_test(super::left_behind(&left)));
        }
        if let Some(changes) = outside.changes() {
            let again =
                findings.kept.command("original", &self.input.original, &self.elsewhere(), &self.plan);
            findings.remark(changes.help(again));
        }
        for message in &findings.messages {
            report::answer(&format!("\n{}\n", report::visible(&message.to_string())))
                .map_err(Fault::Broken)?;
        }
        let end = match (findings.is_unusable, findings.has_fault) {
            (true, _) => "the test cannot be used as it is",
            (false, true) => "the test can be used",
            (false, false) => "no fault was found",
        };
        report::answer(&format!("\n{end}\n")).map_err(Fault::Broken)?;
        Ok(!findings.is_unusable)
    }

    /// The test by this plan.
    pub(super) fn test(&self, plan: &TestPlan) -> Result<CommandOracle, Fault> {
        self.elsewhere().test(plan, &self.input.original)
    }

    fn elsewhere(&self) -> Elsewhere<'_> {
        let Self { limits, options, interrupt, input, .. } = self;
        let Input { path: file, arguments, fixed, .. } = input;
        Elsewhere { limits, site: &Site::Here, options, interrupt, file, arguments, fixed }
    }

    fn try_all(&self, test: &mut CommandOracle, findings: &mut Findings) -> Result<(), Fault> {
        check::learn(test, &self.input.original)?;
        if !test.plan.is_plain() {
            say("condition", &test.plan.sentence())?;
        }
        let Some(mut times) = self.try_original(test, findings)? else { return Ok(()) };
        test.limit = self.limits.run(times.of_run());
        self.try_trivial_ones(test, findings, &mut times)?;
        self.start_up(&times, findings);
        self.try_surroundings(test, findings)
    }

    /// Runs the test on the original; returns the times of the runs if the test accepts it.
    fn try_original(&self, test: &CommandOracle, findings: &mut Findings) -> Result<Option<Times>, Fault> {
        let mut times = Times::default();
        let mut refused: Option<Judgement> = None;
        let mut accepted = 0;
        for _ in 0..RUNS {
            let judgement = test.run_and_watch(&self.input.original)?;
            times.add(judgement.time);
            if judgement.verdict == Verdict::Interesting {
                accepted += 1;
            } else {
                refused = Some(judgement);
            }
        }
        let time = seconds(times.of_run());
        say("original", &format!("accepted in {accepted} of {RUNS} runs, {time} each"))?;
        match refused {
            None => return Ok(Some(times)),
            Some(refused) if accepted > 0 => {
                let error = self.changing(test, accepted, &refused, &mut findings.kept);
                findings.fault(error);
            }
            Some(refused) => {
                let error = self.refused(test, &refused, &mut findings.kept)?;
                findings.fault(error);
            }
        }
        Ok(None)
    }

    /// The finding about a test that gives different answers.
    fn changing(
        &self,
        test: &CommandOracle,
        accepted: usize,
        refused: &Judgement,
        kept: &mut Kept,
    ) -> UserError {
        let error = UserError::bad_test("the test does not give the same answer each time")
            .fact(format!("it accepted the original in {accepted} of {RUNS} runs"));
        let error =
            refused.unmet.iter().fold(error, |error, unmet| error.fact(format!("in another one, {unmet}")));
        let tried = kept.command("original", &self.input.original, &self.elsewhere(), &test.plan);
        error.help(tried).help(
            "make the test retry until the failure shows, or fix what changes: seeds, time limits inside of it, threads",
        )
    }

    /// The finding about a test that refuses the original: what it lacks, if that can be found.
    fn refused(
        &self,
        test: &CommandOracle,
        refused: &Judgement,
        kept: &mut Kept,
    ) -> Result<UserError, Fault> {
        let (original, elsewhere) = (&self.input.original, self.elsewhere());
        let error = match surroundings::missing(&elsewhere, test, original, Some(kept))? {
            Some(missing) => missing,
            None => {
                let attempt = || kept.command("original", original, &elsewhere, &test.plan);
                check::explain(test, original, refused, attempt)?
            }
        };
        let error = self.input.left_out().into_iter().fold(error, UserError::fact);
        Ok(match self.words {
            [test, file] if look_swapped(test, file) => swapped(error, "check", test, file),
            _ => error,
        })
    }

    /// Runs the test on an empty and on a trivial file, or on nothing but empty files.
    fn try_trivial_ones(
        &self,
        test: &CommandOracle,
        findings: &mut Findings,
        times: &mut Times,
    ) -> Result<(), Fault> {
        let original = &self.input.original;
        let trivial = trivial::program(&original[0].path).filter(|_| self.input.form == Form::File);
        let trivial = trivial.map(|text| vec![original[0].with(text.as_bytes().to_vec())]);
        for (name, what, candidate) in [
            ("empty", check::nothing(original), Some(check::emptied(original))),
            ("trivial", "a trivial file", trivial),
        ] {
            let Some(candidate) = candidate.filter(|candidate| candidate != original) else { continue };
            let judgement = test.run_and_watch(&candidate)?;
            times.add_trivial(judgement.time, judgement.verdict);
            let accepted = judgement.verdict == Verdict::Interesting;
            let said = format!("{}, {}", accepts(judgement.verdict), seconds(judgement.time));
            let files = if self.input.form == Form::File { "file" } else { "files" };
            say(&format!("{name} {files}"), &said)?;
            if accepted {
                let error = UserError::bad_test(format!("the test accepts {what}"))
                    .fact(format!("it seems to accept anything, so the result would be {what}"))
                    .help(findings.kept.command(name, &candidate, &self.elsewhere(), &test.plan))
                    .help("make the test look for the failure's own message, not only for an exit code");
                findings.fault(error);
            }
        }
        Ok(())
    }

    /// Remarks on a test that spends most of its time on what does not depend on the file.
    fn start_up(&self, times: &Times, findings: &mut Findings) {
        let time = times.of_run();
        let Some(start_up) = times.mostly_start_up().filter(|_| time >= SLOW) else { return };
        let (empty, elsewhere) = (check::emptied(&self.input.original), self.elsewhere());
        let timed = findings
            .kept
            .command_as("empty", &empty, &elsewhere, &self.plan, |command| format!("time {command}"));
        findings.advise(
            UserError::bad_test(format!(
                "{} of the {} of a run are start-up",
                seconds(start_up),
                seconds(time)
            ))
            .fact("a run on the smallest file takes that long, and a reduction has hundreds of runs")
            .help(timed)
            .help(
                "import and load less, put the steps first that reject most candidates, or keep the tool running: \
                 --server",
            ),
        );
    }

    /// Runs the test in another folder, under another name, and with another environment.
    fn try_surroundings(&self, test: &CommandOracle, findings: &mut Findings) -> Result<(), Fault> {
        let (original, elsewhere) = (&self.input.original, self.elsewhere());
        let (there, _) = elsewhere.judge(test, &test.plan, original)?;
        say("other folder", accepts(there))?;
        if there != Verdict::Interesting {
            let error = depends_on_folder()
                .help(findings.kept.command("original", original, &elsewhere, &test.plan))
                .help("does the test, or a file that it reads, name a path?");
            findings.fault(error);
        }
        if let Some(finding) = surroundings::name(self, test, &mut findings.kept)? {
            findings.remark(finding);
        }
        if let Some(finding) = surroundings::environment(self, test, &mut findings.kept)? {
            findings.remark(finding);
        }
        Ok(())
    }
}

fn accepts(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Interesting { "accepted" } else { "not accepted" }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// Prints what was tried and what happened.
fn say(what: &str, happened: &str) -> Result<(), Fault> {
    report::answer(&format!("{what:14} {}\n", report::visible_line(happened)))
        .map(drop)
        .map_err(Fault::Broken)
}
