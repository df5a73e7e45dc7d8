//! A reduction in the background can be abandoned, whatever it computes.

use crate::Checked;
use crate::kit::base;
use lopper::background::reduce_in_background;
use lopper::error::{ErrorKind, UserError};
use lopper::oracle::{Contents, NamedFile, Verdict};
use lopper::passes::{Base, Group, PASSES, Pass};
use lopper::reduce::reduce;
use lopper::run::{End, Event, Options, Reduced};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const TEXT_OF_LINES: &str = "one\ntwo\nneedle\nthree\n";

/// Whether a plan that never ends has begun.
static PLANS: AtomicBool = AtomicBool::new(false);

fn endless(_: &Base) -> Vec<Group> {
    PLANS.store(true, Ordering::Relaxed);
    loop {
        std::thread::park();
    }
}

/// First deletes lines; then plans for ever.
static ENDLESS: Pass = Pass { name: "endless", proves: true, plan: endless, ..Pass::DEFAULT };

fn finds_the_needle(contents: &Contents) -> Verdict {
    let found = contents[0].windows(6).any(|w| w == b"needle");
    if found { Verdict::Interesting } else { Verdict::Boring }
}

/// Reduces in the background; returns the outcome and the number of events.
fn reduced(options: &Options, parse: fn() -> Base) -> Result<(Reduced, usize), UserError> {
    let contents: Contents = vec![NamedFile::new("input", TEXT_OF_LINES)];
    let measure = base("text", TEXT_OF_LINES.as_bytes()).measure();
    let hear = |events: &mut usize, _: &Event| -> Result<(), UserError> {
        *events += 1;
        Ok(())
    };
    reduce_in_background((contents, measure), parse, Arc::new(finds_the_needle), options, 0, hear)
}

fn parse() -> Base {
    base("text", TEXT_OF_LINES.as_bytes())
}

fn lines_then_endless() -> Vec<&'static Pass> {
    PASSES.iter().filter(|pass| pass.name == "lines").chain([&ENDLESS]).collect()
}

#[test]
fn a_plan_that_does_not_end_does_not_keep_the_user_from_stopping() -> Checked {
    let options = Options {
        passes: lines_then_endless(),
        interrupted: Arc::new(|| PLANS.load(Ordering::Relaxed)),
        ..Options::default()
    };
    let (outcome, events) = reduced(&options, parse)?;
    assert!(matches!(outcome.end, End::Interrupted), "{:?}", outcome.end);
    assert_eq!(*outcome.contents[0], b"needle\n");
    assert_eq!(outcome.measure, base("text", b"needle\n").measure());
    assert!(outcome.stats.runs > 0 && events > outcome.stats.runs, "{:?}", outcome.stats);
    let lines = outcome.stats.passes.iter().find(|(name, _)| *name == "lines");
    assert!(lines.is_some_and(|(_, pass)| pass.accepted > 0), "{:?}", outcome.stats);
    Ok(())
}

#[test]
fn a_plan_that_does_not_end_does_not_outlast_the_time() -> Checked {
    let deadline = Some(Instant::now() + Duration::from_secs(1));
    let options = Options { passes: lines_then_endless(), jobs: 2, deadline, ..Options::default() };
    let (outcome, _) = reduced(&options, parse)?;
    assert!(matches!(outcome.end, End::Time), "{:?}", outcome.end);
    Ok(())
}

#[test]
fn a_text_that_is_parsed_for_ever_does_not_keep_the_user_from_stopping() -> Checked {
    fn never() -> Base {
        loop {
            std::thread::park();
        }
    }
    let options = Options { interrupted: Arc::new(|| true), ..Options::default() };
    let (outcome, events) = reduced(&options, never)?;
    assert!(matches!(outcome.end, End::Interrupted), "{:?}", outcome.end);
    assert_eq!((outcome.contents[0].as_slice(), events), (TEXT_OF_LINES.as_bytes(), 0));
    Ok(())
}

#[test]
fn a_reduction_in_the_background_ends_as_in_the_foreground() -> Checked {
    let (outcome, events) = reduced(&Options::default(), parse)?;
    let foreground = reduce(parse(), &finds_the_needle, &Options::default(), &mut |_| Ok(()));
    assert!(matches!(outcome.end, End::Fixpoint) && events > 0, "{:?}", outcome.end);
    assert_eq!((&outcome.contents, &outcome.stats), (&foreground.contents, &foreground.stats));
    Ok(())
}

#[test]
fn a_panic_outside_of_the_passes_ends_the_reduction_with_the_best_so_far() -> Checked {
    let (outcome, _) = reduced(&Options::default(), || panic!("it cannot be parsed"))?;
    assert!(outcome.end.error().is_some_and(|error| error.kind == ErrorKind::Internal), "{:?}", outcome.end);
    assert_eq!(outcome.contents[0].as_slice(), TEXT_OF_LINES.as_bytes());
    Ok(())
}
