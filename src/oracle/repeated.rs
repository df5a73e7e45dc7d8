//! A test that flickers, run on each candidate until a sequential test has decided.
//!
//! The passes and their search repeat runs themselves, and only as often as they need (`engine/driver/trust.rs`).
//! Published algorithms, delta debugging and generalization ask once for each candidate, and take the answer for
//! the truth: here it is one.

use super::{Contents, Fault, Test, Timed, Verdict};
use lopper_engine::flicker::{Decision, Rates, Tally};
use std::ops::Deref;
use std::time::Duration;

/// The test; see the module.
#[derive(Debug)]
pub struct Repeated<T> {
    test: T,
    /// `None` if the test does not flicker.
    rates: Option<Rates>,
}

impl<T> Repeated<T> {
    /// A test that accepts the original so often; without such a tally, one run decides.
    pub fn new(test: T, original: Option<Tally>) -> Self {
        Self { test, rates: original.map(|original| Rates::new(original, Tally::default())) }
    }
}

impl<T: Deref<Target: Test> + Sync> Test for Repeated<T> {
    fn run(&self, worker: usize, candidate: &Contents) -> Result<Verdict, Fault> {
        self.run_within(worker, candidate, 0, None).map(|timed| timed.verdict)
    }

    fn run_within(
        &self,
        worker: usize,
        candidate: &Contents,
        earlier: u32,
        limit: Option<Duration>,
    ) -> Result<Timed, Fault> {
        let (mut tally, mut refused) = (Tally::default(), None);
        loop {
            let timed = self.test.run_within(worker, candidate, earlier + tally.runs, limit)?;
            let Some(rates) = self.rates else { return Ok(timed) };
            let accepts = timed.verdict == Verdict::Interesting;
            if !accepts {
                refused = Some(timed);
            }
            tally = tally.plus(Tally::once(accepts));
            // An algorithm asks once, so a program that is refused by mistake would never be proposed again.
            match rates.reconsider(tally) {
                Decision::Open | Decision::Likely => {}
                Decision::Sure => return Ok(Timed { verdict: Verdict::Interesting, ..timed }),
                Decision::Boring => return Ok(refused.unwrap_or(Timed { verdict: Verdict::Boring, ..timed })),
            }
        }
    }

    fn cancel(&self, worker: usize) {
        self.test.cancel(worker);
    }

    fn is_shared(&self) -> bool {
        self.test.is_shared()
    }
}
