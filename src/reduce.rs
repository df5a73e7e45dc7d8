//! The loop of a reduction: the driver asks, the test answers, and the best candidate is saved.

use crate::asker::LimitedAsker;
use crate::driver::{Driver, Reply};
use crate::error::UserError;
use crate::oracle::Test;
use crate::run::{End, Event, Listener, Options, Reduced, Stats};
use crate::schedule::Stage;
use crate::workers::with_runner;
use lopper_engine::Means;
use lopper_engine::algorithms::{Algorithm, Descended};
use lopper_engine::contents::contents_of;
use lopper_engine::flicker::Tally;
use lopper_engine::foresight::foresee;
use lopper_languages::measure::Goal;
use lopper_passes::Base;
use rayon::prelude::*;
use std::iter::Peekable;
use std::slice::Iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Reduces `base`, which the test must accept. Deterministic: the candidates depend only on the base, the
/// options and the verdicts, not on `options.jobs`.
pub fn reduce(base: Base, test: &dyn Test, options: &Options, listener: &mut Listener) -> Reduced {
    // Tests that run at the same time would slow each other down.
    let jobs = if options.goal == Goal::Time { 1 } else { options.jobs };
    with_runner(test, jobs, &options.workers, |runner| {
        let asker = LimitedAsker::new(options, listener, runner);
        match options.algorithm {
            Some(algorithm) => by_algorithm(algorithm, base, options, asker),
            None => by_passes(base, options, asker),
        }
    })
}

fn by_algorithm(algorithm: &Algorithm, base: Base, options: &Options, mut asker: LimitedAsker) -> Reduced {
    // The caller repeats runs until they are decided.
    if let Some(original) = options.flicker
        && let Err(end) = asker.tell(&Event::Flickers { original, late: false })
    {
        let (contents, measure) = (contents_of(&base), base.measure());
        return Reduced { contents, measure, end, stats: Stats::default() };
    }
    let Descended { contents, measure, halt } = algorithm.run(base, options.stay_in_grammar, &mut asker);
    let (end, stats) = asker.ended(halt);
    Reduced { contents, measure, end, stats }
}

fn by_passes(base: Base, options: &Options, mut asker: LimitedAsker) -> Reduced {
    let means = Arc::new(Machine(options.clone()));
    let mut driver = Driver::new(base, &options.passes, options.search, means);
    if options.stay_in_grammar {
        driver.stay_in_grammar();
    }
    driver.protect(Arc::clone(&options.protected));
    driver.aim_at(options.goal);
    driver.strive(options.effort);
    if let Some(original) = options.flicker {
        driver.expect_flicker(original);
    }
    let end = drive(&mut driver, &mut asker, options).unwrap_or_else(|end| end);
    let (contents, measure) = driver.best();
    let (contents, mut stats) = (contents.clone(), asker.ended(None).1);
    count(&driver, &mut stats);
    Reduced { contents, measure, end, stats }
}

/// Asks the driver for candidates, and tells it their verdicts, until the run is over.
fn drive(driver: &mut Driver, asker: &mut LimitedAsker, options: &Options) -> Result<End, End> {
    let mut told = Told::default();
    let mut skips = Skips::of(options);
    if let Some(original) = driver.flicker() {
        asker.tell(&Event::Flickers { original, late: false })?;
    }
    loop {
        skips.skip(driver, asker)?;
        let query = driver.ask();
        for (pass, message) in driver.take_bugs() {
            asker.tell(&Event::Bug { pass, message })?;
        }
        told.tell_changes(driver, asker)?;
        asker.may_go_on()?;
        let Some(query) = query else { return Ok(End::Fixpoint) };
        let answer = asker
            .answer(&query, &mut |count, known, likely| foresee(driver, &query, count, known, likely))?;
        let reply = driver.learn(answer.verdict());
        skips.answered(query.pass, answer.is_known());
        asker.answered(&query, answer, |stats| count(driver, stats))?;
        match reply {
            Reply::Same => {}
            Reply::Better => tell_best(driver, asker, driver.best_by())?,
            Reply::Retreat => {
                asker.tell(&Event::Retreat)?;
                tell_best(driver, asker, None)?;
            }
            Reply::Measured => {
                let Some(original) = driver.flicker() else { continue };
                asker.flickers();
                asker.tell(&Event::Flickers { original, late: true })?;
                if original.is_hopeless() {
                    return Err(End::Broken(hopeless(original).help(
                        "start a new run from the best program, which is kept: --resume would take over the wrong verdicts",
                    )));
                }
            }
        }
    }
}

fn tell_best(driver: &Driver, asker: &mut LimitedAsker, pass: Option<&'static str>) -> Result<(), End> {
    let (contents, measure) = driver.best();
    asker.tell_best(pass, contents, measure)
}

/// The error for a test that flickers too much for verdicts.
pub(crate) fn hopeless(original: Tally) -> UserError {
    let Tally { accepted, runs } = original;
    let shown = format!("of {runs} runs on the original, one after the other, {accepted} accepted it");
    if accepted == 0 {
        return UserError::bad_test("the test does not accept the original any more")
            .fact(shown)
            .help("does the test still work? does it need a file or a service that is gone?");
    }
    UserError::bad_test("the test accepts the original too rarely to tell programs apart")
        .fact(shown)
        .fact("at least a quarter of them should")
        .help(format!(
            "let the test repeat its check up to {} times, and accept as soon as the failure shows",
            original.runs_for_one(0.05)
        ))
}

/// Updates the statistics that the driver keeps itself.
fn count(driver: &Driver, stats: &mut Stats) {
    stats.memo_hits = driver.memo_hits();
    stats.passes = driver.stats().collect();
}

/// The passes that the user skips. What was skipped in an earlier run is skipped at the same place again, so a run that
/// is resumed asks the same questions.
struct Skips<'o> {
    known: Peekable<Iter<'o, (usize, String)>>,
    asked: &'o AtomicBool,
    /// The pass that proposed the last candidate.
    at_work: Option<&'static str>,
    /// Whether the run still catches up with an earlier one, whose course must stay.
    catches_up: bool,
}

impl<'o> Skips<'o> {
    fn of(options: &'o Options) -> Self {
        let known = options.skips.iter().peekable();
        Self { known, asked: &options.asked_to_skip, at_work: None, catches_up: true }
    }

    /// Takes note of an answer to a query of this pass.
    fn answered(&mut self, pass: Option<&'static str>, known: bool) {
        self.at_work = pass.or(self.at_work);
        self.catches_up = known;
    }

    /// Skips what is to be skipped before the next query.
    fn skip(&mut self, driver: &mut Driver, asker: &mut LimitedAsker) -> Result<(), End> {
        let runs = driver.runs();
        while let Some((_, pass)) = self.known.next_if(|(before, _)| *before <= runs) {
            driver.skip(pass);
            asker.tell(&Event::Skipped { pass, runs, known: true })?;
        }
        let Some(pass) = self.at_work.filter(|_| !self.catches_up) else { return Ok(()) };
        if self.asked.swap(false, Ordering::Relaxed) {
            driver.skip(pass);
            asker.tell(&Event::Skipped { pass, runs, known: false })?;
        }
        Ok(())
    }
}

/// The state of the schedule that the listener knows.
#[derive(Default)]
struct Told {
    sweep: Option<(Stage, usize)>,
    on_probation: Vec<&'static str>,
}

impl Told {
    /// Tells the listener of changes in the schedule.
    fn tell_changes(&mut self, driver: &Driver, asker: &mut LimitedAsker) -> Result<(), End> {
        let sweep @ (stage, floor) = driver.sweep();
        if self.sweep.replace(sweep) != Some(sweep) {
            asker.tell(&Event::Sweep { stage, floor })?;
        }
        let now: Vec<&'static str> = driver.on_probation().collect();
        let before = std::mem::replace(&mut self.on_probation, now);
        for (some, others, begins) in
            [(&before, &self.on_probation, false), (&self.on_probation, &before, true)]
        {
            for pass in some.iter().filter(|pass| !others.contains(pass)) {
                asker.tell(&Event::Probation { pass, begins })?;
            }
        }
        Ok(())
    }
}

/// This machine as the engine's means.
struct Machine(Options);

impl Means for Machine {
    fn is_to_stop(&self) -> bool {
        (self.0.interrupted)() || self.0.is_time_over()
    }

    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).into_par_iter().for_each(work);
    }
}
