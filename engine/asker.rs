//! The asker: the interface through which algorithms and delta debugging get verdicts, and learn that they
//! must end.

use crate::driver::Query;
use crate::isolate::Obstacle;
use crate::{Contents, Verdict};
use lopper_languages::measure::Measure;

/// The number of possible next queries that an asker considers, to find some that are worth a run: making a
/// query costs time.
pub const FAR: usize = 16;

/// Runs the test for searches, one after the other. For each of them it keeps the limits, runs no test twice,
/// counts, and saves the best candidate.
pub trait Asker {
    /// Learns the program from which a search starts. The test accepts it.
    fn begins(&mut self, original: &Contents);

    /// The verdict on a candidate. `ahead` gives the queries that follow as long as no verdict is
    /// `Interesting`; tests of some of them may run at the same time.
    ///
    /// # Errors
    /// If the run is over.
    fn verdict(&mut self, query: Query, ahead: &mut dyn Iterator<Item = Query>) -> Result<Verdict, Stop>;

    /// Counts a candidate that is not tested because the grammar refuses it.
    fn refused(&mut self, pass: &'static str);

    /// Learns that a candidate of a pass is the best now, and saves it before returning. `before` is the
    /// measure of the best candidate until then.
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

/// The run is over: a limit is reached, the user has stopped it, or the test cannot be run. The asker knows
/// the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// The reason why a search did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The run is over.
    Stop,
    /// There is nothing to search in the inputs.
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

    /// An asker for tests; see the module.
    pub(crate) struct Scripted<F> {
        test: F,
        memo: Memo,
        pub(crate) runs: usize,
        /// The maximal number of runs.
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
