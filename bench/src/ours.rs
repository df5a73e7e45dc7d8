//! Runs Lopper on a case, in this process.

use crate::config::Setup;
use crate::corpus::Case;
use crate::oracle;
use crate::record::{PassRecord, Point, Record, Verdicts};
use lopper::driver::PassStats;
use lopper::error::UserError;
use lopper::oracle::interrupt::Interrupt;
use lopper::oracle::{Contents, Test, Verdict};
use lopper::passes::Base;
use lopper::reduce::reduce;
use lopper::run::{End, Event, Options};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// The limits of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// Runs of the test.
    pub(crate) tests: Option<usize>,
    /// Seconds.
    pub(crate) seconds: Option<f64>,
}

impl Limits {
    /// The limits of a reduction that begins now.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).map(|time| Instant::now() + time)
    }
}

/// The number of bytes of a result that its record contains.
const KEPT: usize = 2000;

/// Reduces a case.
///
/// # Errors
/// If the case's test cannot be run or does not accept the input, and if the user interrupts it.
pub(crate) fn run(
    case: &Case,
    setup: &Setup,
    jobs: usize,
    limits: Limits,
    interrupt: &Interrupt,
) -> Result<Record, UserError> {
    let original = case.original();
    let test = oracle::of_case(case, &original, setup.has_server, jobs, interrupt)?;
    let mut record = reduced(case.base(), &test, setup, jobs, limits, interrupt)?;
    record.case.clone_from(&case.name);
    record.input.clone_from(&case.hash);
    Ok(record)
}

/// Reduces a base that the test accepts, in a configuration.
///
/// # Errors
///
/// If the test cannot be run, and if the user interrupts it.
pub(crate) fn reduced(
    base: Base,
    test: &dyn Test,
    setup: &Setup,
    jobs: usize,
    limits: Limits,
    interrupt: &Interrupt,
) -> Result<Record, UserError> {
    let raised = interrupt.clone();
    let options = Options {
        passes: setup.passes.clone(),
        search: setup.search,
        effort: setup.effort,
        algorithm: setup.algorithm,
        jobs,
        max_tests: limits.tests,
        deadline: limits.deadline(),
        interrupted: Arc::new(move || raised.is_raised()),
        ..Options::default()
    };
    measured(base, test, &options)
}

/// Reduces a base and records the run.
///
/// # Errors
///
/// If the test cannot be run, and if the user interrupts it.
pub(crate) fn measured(base: Base, test: &dyn Test, options: &Options) -> Result<Record, UserError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build();
    let pool = pool.map_err(|e| UserError::usage("no threads can be started").fact(e.to_string()))?;
    let before = base.measure();
    let mut verdicts = Verdicts::default();
    let mut curve = vec![Point(0, Some(before.tokens), before.bytes)];
    let mut bugs = Vec::new();
    let (start, cpu) = (Instant::now(), processor_time());
    let outcome = pool.install(|| {
        reduce(base, test, options, &mut |event| {
            match event {
                Event::Tested { verdict, .. } => match verdict {
                    Verdict::Interesting => verdicts.interesting += 1,
                    Verdict::Boring => verdicts.boring += 1,
                    Verdict::Invalid => verdicts.invalid += 1,
                    Verdict::TimedOut | Verdict::OutOfMemory => verdicts.timed_out += 1,
                },
                Event::Accepted { measure, runs, .. } => {
                    curve.push(Point(*runs, Some(measure.tokens), measure.bytes));
                }
                Event::Bug { pass, message, .. } => bugs.push(format!("bug in {pass}: {message}")),
                _ => {}
            }
            Ok(())
        })
    });
    let (wall, cpu) = (start.elapsed(), processor_time().saturating_sub(cpu));
    let end = match outcome.end {
        End::Interrupted => return Err(UserError::interrupted()),
        End::Broken(error) => return Err(error),
        End::Fixpoint => "fixpoint",
        End::Tests => "tests",
        End::Time | End::Asked => "time",
    };
    let ok = test.run(0, &outcome.contents).map_err(oracle::user_error)? == Verdict::Interesting;
    let result = as_text(&outcome.contents);
    bugs.insert(0, end.to_owned());
    Ok(Record {
        ok,
        end: bugs.join("; "),
        from: before.into(),
        to: outcome.measure.into(),
        runs: outcome.stats.runs,
        memo_hits: Some(outcome.stats.memo_hits),
        verdicts,
        wall: rounded(wall),
        cpu: Some(rounded(cpu)),
        passes: outcome.stats.passes.iter().map(pass_record).collect(),
        curve,
        result: hash(&result),
        text: beginning(&result),
        ..Record::default()
    })
}

fn pass_record((name, stats): &(&'static str, PassStats)) -> PassRecord {
    PassRecord {
        name: (*name).to_owned(),
        planned: stats.planned,
        proposed: stats.proposed,
        refused: stats.refused,
        runs: stats.runs,
        accepted: stats.accepted,
        tokens: stats.tokens,
        bytes: stats.bytes,
    }
}

/// The processor time of this process, without its children, the tests.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Seconds, rounded to milliseconds.
pub(crate) fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// A program as a text: that of a single file, or of all files, each after a line with its path.
pub(crate) fn as_text(contents: &Contents) -> Vec<u8> {
    if let [file] = &contents[..]
        && file.path.components().count() == 1
    {
        return file.to_vec();
    }
    let texts = contents.iter().map(|file| {
        let end: &[u8] = if file.ends_with(b"\n") { b"" } else { b"\n" };
        [format!("==> {} <==\n", file.path.display()).as_bytes(), file, end].concat()
    });
    texts.collect::<Vec<_>>().concat()
}

/// A fingerprint of a result.
pub(crate) fn hash(text: &[u8]) -> String {
    format!("{:016x}", xxh3_64(text))
}

/// The beginning of a result, for the record.
pub(crate) fn beginning(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(KEPT)]).into_owned()
}
