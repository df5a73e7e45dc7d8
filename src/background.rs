//! A reduction in its own thread, so that the caller need not wait for its computations.
//!
//! Parsing or planning may take many seconds on a large file, and the pure crates look at no clock. When the
//! user wants to stop, or the time is over, the reduction gets a moment to end by itself. Then it is
//! abandoned, and its last event decides the outcome. An abandoned thread does no harm: its events are
//! ignored, and the caller closes the test.

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

/// The interval between checks for a request to stop.
const PACE: Duration = Duration::from_millis(50);
/// The time in which a reduction may end by itself: longer than it takes to kill a test.
const GRACE: Duration = Duration::from_millis(500);
/// The stack of the reduction's thread, in bytes: twice that of a usual main thread.
const STACK: usize = 16 << 20;

/// The events of the reduction so far, in summary.
struct Desk<S> {
    state: S,
    contents: Contents,
    measure: Measure,
    stats: Stats,
}

/// Reduces the base that `parse` returns, as [`reduce`] does; `start` is its contents and measure. `hear`
/// gets each event together with the state, which is returned at the end. Ends soon after the options request
/// a stop, even during a long computation.
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
    // `None` once the caller has abandoned the thread.
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
            // Fails if the caller has abandoned the thread.
            let _ = done.send(outcome);
        }
    };
    let thread = Builder::new().name("reduction".into()).stack_size(STACK).spawn(work);
    thread.map_err(|e| UserError::no_threads(&e))?;
    let (mut stops, mut has_failed) = (None, false);
    let outcome = loop {
        match is_done.recv_timeout(PACE) {
            Ok(outcome) => break Some(outcome),
            Err(RecvTimeoutError::Timeout) => {}
            // The thread panicked, which has been logged: a bug in Lopper must not cost the best program.
            Err(RecvTimeoutError::Disconnected) => {
                has_failed = true;
                break None;
            }
        }
        if (options.interrupted)() || options.is_time_over() {
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
            false => options.over().unwrap_or(End::Time),
        };
        Reduced { contents, measure, end, stats }
    };
    Ok((outcome.unwrap_or_else(left_behind), state))
}
