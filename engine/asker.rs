//! The asker: how a search that keeps its own state gets verdicts, and learns that it has to end.

use crate::driver::Query;
use crate::isolate::Obstacle;
use crate::{Contents, Verdict};
use lopper_languages::measure::Measure;

/// How many queries that may come next an asker looks at to find some that are worth a run: each costs time to make.
pub const FAR: usize = 16;

/// Runs the test for one search after the other, and does for each of them what every search owes the user: it keeps
/// to limits, asks for no verdict twice, counts, and makes the best candidate safe.
pub trait Asker {
    /// Learns what a search starts from: the test accepts it.
    fn begins(&mut self, original: &Contents);

    /// The verdict on a candidate. `ahead` are the queries that follow as long as no verdict is `Interesting`; tests
    /// of some of them may run at the same time.
    ///
    /// # Errors
    /// If the run is over.
    fn verdict(&mut self, query: Query, ahead: &mut dyn Iterator<Item = Query>) -> Result<Verdict, Stop>;

    /// Counts a candidate that is not tested, since the grammar refuses it.
    fn refused(&mut self, pass: &'static str);

    /// Learns that a candidate of a pass is the best now, and safe when this returns; `before` is the measure of the
    /// best candidate until then.
    ///
    /// # Errors
    /// If the run is over.
    fn accepted(
        &mut self,
        pass: &'static str,
        best: &Contents,
        before: Measure,
        now: Measure,
    ) -> Result<(), Stop>;
}

/// The run is over: a limit is reached, the user stopped it, or the test cannot be run. The asker knows which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// Why a search did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The run is over.
    Stop,
    /// The inputs leave nothing to search.
    Obstacle(Obstacle),
}

impl From<Stop> for Halt {
    fn from(_: Stop) -> Self {
        Self::Stop
    }
}

impl From<Obstacle> for Halt {
    fn from(obstacle: Obstacle) -> Self {
        Self::Obstacle(obstacle)
    }
}

#[cfg(test)]
pub(crate) mod scripted {
    //! An asker that calls a closure.

    use super::{Asker, Stop};
    use crate::driver::Query;
    use crate::memo::Memo;
    use crate::{Contents, Verdict, contents};
    use lopper_languages::measure::Measure;

    /// See the module.
    pub(crate) struct Scripted<F> {
        test: F,
        memo: Memo,
        pub(crate) runs: usize,
        /// How many runs there may be.
        pub(crate) limit: usize,
        /// The best candidates, in order.
        pub(crate) accepted: Vec<(Contents, Measure)>,
    }

    impl<F: FnMut(&Contents) -> Verdict> Scripted<F> {
        pub(crate) fn new(test: F) -> Self {
            Self { test, memo: Memo::default(), runs: 0, limit: usize::MAX, accepted: Vec::new() }
        }
    }

    impl<F: FnMut(&Contents) -> Verdict> Asker for Scripted<F> {
        fn begins(&mut self, original: &Contents) {
            self.memo.insert(contents::key(original), Verdict::Interesting);
        }

        fn verdict(&mut self, query: Query, _: &mut dyn Iterator<Item = Query>) -> Result<Verdict, Stop> {
            if let Some(verdict) = self.memo.get(query.key) {
                return Ok(verdict);
            }
            if self.runs == self.limit {
                return Err(Stop);
            }
            self.runs += 1;
            let verdict = (self.test)(&query.contents);
            self.memo.insert(query.key, verdict);
            Ok(verdict)
        }

        fn refused(&mut self, _: &'static str) {}

        fn accepted(
            &mut self,
            _: &'static str,
            best: &Contents,
            _: Measure,
            now: Measure,
        ) -> Result<(), Stop> {
            self.accepted.push((best.clone(), now));
            Ok(())
        }
    }
}
