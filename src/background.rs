//! A reduction in a thread of its own: whoever waits for it does not have to wait for what it computes.
//!
//! To parse or to plan for a large file may take many seconds, and the parts of it that are pure look at no
//! clock. When the user wants to stop, or the time is over, the reduction is given a moment to end by itself;
//! then it is left behind, and what it told last is the outcome. It can do no more harm: it is not heard any
//! more, and whoever ran tests for it closes them.

use crate::error::UserError;
use crate::oracle::{Contents, Test};
use crate::reduce::reduce;
use crate::run::{End, Event, Options, Reduced, Stats};
use lopper_languages::measure::Measure;
use lopper_passes::Base;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How often it is asked whether the reduction is to stop.
const PACE: Duration = Duration::from_millis(50);
/// How long a reduction that is to stop may take to end by itself: longer than a test takes to be killed.
const GRACE: Duration = Duration::from_millis(500);
/// Bytes of stack for the reduction: twice what a main thread usually has.
const STACK: usize = 16 << 20;

/// What the reduction has told so far.
struct Desk<S> {
    state: S,
    contents: Contents,
    measure: Measure,
    stats: Stats,
}

/// Reduces what `parse` gives, whose contents and measure are `start`, as [`reduce`] does. `hear` hears of
/// events; the state that it hears them with is given back in the end. Ends soon after the options say that
/// it is to stop, whatever is computed then.
///
/// # Errors
/// If no thread can be started.
pub fn reduce_in_background<S: Send + 'static>(
    start: (Contents, Measure),
    parse: impl FnOnce() -> Base + Send + 'static,
    test: Arc<dyn Test + Send>,
    options: &Options,
    state: S,
    hear: fn(&mut S, &Event) -> Result<(), UserError>,
) -> Result<(Reduced, S), UserError> {
    let (contents, measure) = start;
    let desk = Desk { state, contents, measure, stats: Stats::default() };
    // Empty once nobody listens any more.
    let desk = Arc::new(Mutex::new(Some(desk)));
    let (done, is_done) = channel();
    let work = {
        let (desk, options) = (Arc::clone(&desk), options.clone());
        move || {
            let outcome = reduce(parse(), &*test, &options, &mut |event| {
                let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(desk) = &mut *desk else { return Err(UserError::usage("nobody waits for this")) };
                match event {
                    Event::Tested { stats, .. } => desk.stats = (*stats).clone(),
                    Event::Accepted { contents, measure, .. } => {
                        (desk.contents, desk.measure) = ((*contents).clone(), *measure);
                    }
                    _ => {}
                }
                hear(&mut desk.state, event)
            });
            // Nobody waits any more.
            let _ = done.send(outcome);
        }
    };
    let thread = Builder::new().name("reduction".into()).stack_size(STACK).spawn(work);
    thread.map_err(|e| UserError::no_threads(&e))?;
    let is_late = || options.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let (mut stops, mut has_failed) = (None, false);
    let outcome = loop {
        match is_done.recv_timeout(PACE) {
            Ok(outcome) => break Some(outcome),
            Err(RecvTimeoutError::Timeout) => {}
            // It panicked, which has been logged: a bug of ours that must not cost what was found.
            Err(RecvTimeoutError::Disconnected) => {
                has_failed = true;
                break None;
            }
        }
        if (options.interrupted)() || is_late() {
            let since: &Instant = stops.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                break None;
            }
        }
    };
    let desk = desk.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Desk { state, contents, measure, stats } = desk.ok_or_else(UserError::internal)?;
    let left_behind = || {
        let end = match has_failed {
            true => End::Broken(UserError::internal()),
            false if (options.interrupted)() => End::Interrupted,
            false => End::Time,
        };
        Reduced { contents, measure, end, stats }
    };
    Ok((outcome.unwrap_or_else(left_behind), state))
}
