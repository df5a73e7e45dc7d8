//! Time: the limit that follows the program as it shrinks, and the goal to keep the test fast.

use crate::kit::{Log, base, reduced_with, tokens};
use lopper::languages::measure::Goal;
use lopper::oracle::{Contents, Fault, Known, Test, Timed, Verdict};
use lopper::run::{Event, Options, Reduced};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const FIRST: Duration = Duration::from_secs(100);

/// A program of which only a little is needed.
fn program() -> String {
    let function = |i: u32| format!("int f{i}(int x) {{ int y = x + {i}; if (y) return y; return {i}; }}\n");
    let functions: String = (0..30).map(function).collect();
    format!("{functions}int main(void) {{ return crash(1, 2); }}\n")
}

/// A test whose runs take longer the longer the program is, and that loops forever on some candidates. Nothing
/// sleeps: the time is only told.
#[derive(Default)]
struct Slow {
    /// Whether it is wrong about one in ten candidates.
    flickers: bool,
    /// Which candidates are slow.
    seed: u64,
    /// All time that the runs would have taken, in microseconds.
    spent: AtomicU64,
}

impl Slow {
    fn time(&self, candidate: &Contents) -> Duration {
        let mut hash = DefaultHasher::new();
        (&candidate[0].content, self.seed).hash(&mut hash);
        match hash.finish() % 16 {
            0 => Duration::MAX,
            1..5 => Duration::from_millis(8000),
            _ => Duration::from_micros(candidate[0].len() as u64 * candidate[0].len() as u64),
        }
    }
}

impl Test for Slow {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.run_within(worker, candidate, 0, Some(FIRST)).map(|timed| timed.verdict)
    }

    fn run_within(
        &self,
        _: usize,
        candidate: &Contents,
        earlier: u32,
        limit: Option<Duration>,
    ) -> Result<Timed, Fault> {
        let (time, limit) = (self.time(candidate), limit.unwrap_or(FIRST));
        self.spent.fetch_add(time.min(limit).as_micros() as u64, Ordering::Relaxed);
        let has = |word: &str| tokens("c", &candidate[0]).iter().any(|token| token == word.as_bytes());
        let mut hash = DefaultHasher::new();
        (&candidate[0].content, earlier).hash(&mut hash);
        let errs = self.flickers && hash.finish().is_multiple_of(10);
        let verdict = match time > limit {
            true => Verdict::TimedOut,
            false => Verdict::from((has("crash") && has("main")) != errs),
        };
        Ok(Timed::new(verdict, time, limit))
    }
}

fn run(test: &Slow, options: &Options) -> (Reduced, Log) {
    reduced_with(base("c", program().as_bytes()), test, options)
}

fn following(jobs: usize) -> Options {
    Options { jobs, limit: Some(FIRST), ..Options::default() }
}

#[test]
fn candidates_that_never_end_cost_less_and_less() {
    let spent = |options: &Options| {
        let test = Slow::default();
        let (outcome, log) = run(&test, options);
        assert!(outcome.stats.timed_out > 3, "{:?}", outcome.stats);
        (test.spent.into_inner(), log.limits)
    };
    let (fixed, none) = spent(&Options::default());
    let (falling, limits) = spent(&following(1));
    assert!(falling * 2 < fixed, "{falling} {fixed}");
    assert_eq!(none, []);
    assert!(limits.is_sorted_by(|a, b| a > b) && limits.len() > 2, "{limits:?}");
}

#[test]
fn the_result_is_the_same_for_every_number_of_workers_although_they_began_under_other_limits() {
    for (flickers, seed) in (0..12).map(|seed| (seed == 0, seed)) {
        let result = |jobs| {
            let (outcome, log) = run(&Slow { flickers, seed, ..Slow::default() }, &following(jobs));
            (outcome.contents[0].to_vec(), log.tested, log.accepted, log.limits, log.flickers)
        };
        let alone = result(1);
        for jobs in [2, 3, 8] {
            assert_eq!(result(jobs), alone, "{jobs} {seed}");
        }
    }
}

#[test]
fn a_run_that_knows_the_verdicts_of_another_one_repeats_it_without_the_test() {
    for flickers in [false, true] {
        let (known, told) = (Mutex::new(Known::default()), Mutex::new(Vec::new()));
        let test = Slow { flickers, ..Slow::default() };
        let first =
            lopper::reduce::reduce(base("c", program().as_bytes()), &test, &following(1), &mut |event| {
                match event {
                    Event::Tested { key, verdict, time, .. } => {
                        known.lock().unwrap().add(*key, Timed { verdict: *verdict, time: *time });
                    }
                    Event::Accepted { measure, limit, .. } => told.lock().unwrap().push((*measure, *limit)),
                    _ => {}
                }
                Ok(())
            });
        let again = Slow { flickers, ..Slow::default() };
        let options = Options { known: Arc::new(known.into_inner().unwrap()), ..following(1) };
        let mut repeated = Vec::new();
        let second =
            lopper::reduce::reduce(base("c", program().as_bytes()), &again, &options, &mut |event| {
                match event {
                    Event::Tested { known, .. } => assert!(known),
                    Event::Accepted { measure, limit, .. } => repeated.push((*measure, *limit)),
                    _ => {}
                }
                Ok(())
            });
        assert_eq!((second.contents, repeated), (first.contents, told.into_inner().unwrap()), "{flickers}");
    }
}

#[test]
fn the_limit_of_a_test_that_flickers_is_that_of_the_original_again() {
    let (_, log) = run(&Slow { flickers: true, ..Slow::default() }, &following(1));
    assert_eq!(log.flickers, 1);
    let tally = Some(lopper::engine::flicker::Tally { accepted: 15, runs: 16 });
    let options = Options { flicker: tally, ..following(1) };
    let (outcome, log) = run(&Slow { flickers: true, ..Slow::default() }, &options);
    assert!(log.limits.is_empty() && outcome.measure.tokens < 10, "{:?}", log.limits);
}

/// A test that is slow without a certain word. Nothing sleeps.
struct Cached;

impl Test for Cached {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.run_within(worker, candidate, 0, None).map(|timed| timed.verdict)
    }

    fn run_within(
        &self,
        _: usize,
        candidate: &Contents,
        _: u32,
        limit: Option<Duration>,
    ) -> Result<Timed, Fault> {
        let has = |word: &str| tokens("c", &candidate[0]).iter().any(|token| token == word.as_bytes());
        let time = Duration::from_secs(if has("limit") { 1 } else { 5 });
        Ok(Timed::new(Verdict::from(has("crash")), time, limit.unwrap_or(Duration::MAX)))
    }
}

#[test]
fn a_small_program_whose_test_is_slow_is_refused_if_the_goal_is_time() {
    let text = "int limit = 3;\nint main(void) { return crash(limit); }\n";
    let reduced = |goal, jobs| {
        let first_run = Duration::from_secs(1);
        let options = Options { goal, jobs, first_run, ..Options::default() };
        let (outcome, _) = reduced_with(base("c", text.as_bytes()), &Cached, &options);
        String::from_utf8_lossy(&outcome.contents[0]).into_owned()
    };
    assert_eq!(reduced(Goal::Tokens, 1), "crash\n");
    let fast = reduced(Goal::Time, 1);
    assert!(fast.contains("crash") && fast.contains("limit") && fast.len() < 16, "{fast}");
    assert_eq!(reduced(Goal::Time, 8), fast);
}
