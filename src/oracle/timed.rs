//! Verdicts with the times that they took: what they say under another time limit.
//!
//! The time limit of a run of the test may change during a reduction, and a verdict may come from an earlier run
//! of Lopper, or from a worker that began before the limit changed. Under any limit it must count as if the test
//! had run under that limit, so that the result depends on neither.

use super::Verdict;
use std::collections::HashMap;
use std::time::Duration;

/// A verdict, and the time that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The verdict.
    pub verdict: Verdict,
    /// The time of the slowest command; for `TimedOut` the limit that it reached. In whole microseconds.
    pub time: Duration,
}

impl Timed {
    /// The verdict of a run that took this time under this limit.
    pub fn new(verdict: Verdict, time: Duration, limit: Duration) -> Self {
        // A run that ends just in time may be measured as a bit longer than its limit.
        let time = if verdict == Verdict::TimedOut { limit } else { time.min(limit) };
        Self { verdict, time: Duration::from_micros(micros(time)) }
    }

    /// The verdict under another limit, or without one; `None` if only a run can tell.
    pub fn under(self, limit: Option<Duration>) -> Option<Verdict> {
        let Some(limit) = limit else { return Some(self.verdict) };
        match self.verdict {
            Verdict::TimedOut if self.time < limit => None,
            _ if self.time > limit => Some(Verdict::TimedOut),
            verdict => Some(verdict),
        }
    }
}

/// A time as journals have it: in microseconds.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl From<Verdict> for Timed {
    /// A verdict that takes no time.
    fn from(verdict: Verdict) -> Self {
        Self { verdict, time: Duration::ZERO }
    }
}

/// The verdicts of an earlier run, by [`Query::key`](crate::driver::Query::key). A candidate that was too slow
/// under one limit may have been tested again under a larger one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known(HashMap<u128, Vec<Timed>>);

impl Known {
    /// The first verdict with this key that counts under a limit.
    pub fn get(&self, key: u128, limit: Option<Duration>) -> Option<Timed> {
        let known = self.0.get(&key)?.iter();
        known.filter_map(|timed| Some(Timed { verdict: timed.under(limit)?, ..*timed })).next()
    }

    /// Whether there is a verdict with this key.
    pub fn has(&self, key: u128) -> bool {
        self.0.contains_key(&key)
    }

    /// Adds a verdict.
    pub fn add(&mut self, key: u128, timed: Timed) {
        self.0.entry(key).or_default().push(timed);
    }

    /// Makes this the only verdict with this key.
    pub fn set(&mut self, key: u128, timed: Timed) {
        self.0.insert(key, vec![timed]);
    }

    /// Removes the last verdict with this key.
    pub fn remove(&mut self, key: u128) {
        if let Some(known) = self.0.get_mut(&key) {
            known.pop();
            if known.is_empty() {
                self.0.remove(&key);
            }
        }
    }

    /// The same verdicts with other keys, none twice.
    #[cfg(feature = "cli")]
    pub(crate) fn with_keys(&self, other: impl Fn(u128) -> u128) -> Self {
        Self(self.0.iter().map(|(key, timed)| (other(*key), timed.clone())).collect())
    }

    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn timed(verdict: Verdict, seconds: u32) -> Timed {
        Timed { verdict, time: SECOND * seconds }
    }

    #[test]
    fn a_verdict_counts_under_a_limit_as_if_the_test_had_run_under_it() {
        use Verdict::{Boring, Interesting, TimedOut};
        let under = |verdict, seconds, limit| timed(verdict, seconds).under(Some(SECOND * limit));
        assert_eq!(under(Interesting, 3, 10), Some(Interesting));
        assert_eq!(under(Interesting, 3, 2), Some(TimedOut), "the limit would have stopped it");
        assert_eq!(under(Boring, 3, 2), Some(TimedOut));
        assert_eq!(under(TimedOut, 10, 2), Some(TimedOut));
        assert_eq!(under(TimedOut, 2, 2), Some(TimedOut));
        assert_eq!(under(TimedOut, 2, 10), None, "with more time it might end");
        assert_eq!(timed(TimedOut, 2).under(None), Some(TimedOut));
    }

    #[test]
    fn a_candidate_that_was_too_slow_for_a_small_limit_may_have_another_verdict_under_a_larger_one() {
        let mut known = Known::default();
        known.add(7, timed(Verdict::TimedOut, 2));
        assert_eq!(known.get(7, Some(SECOND * 10)), None);
        known.add(7, timed(Verdict::Interesting, 1));
        let get = |known: &Known, limit| known.get(7, Some(SECOND * limit)).map(|timed| timed.verdict);
        assert_eq!(get(&known, 10), Some(Verdict::Interesting));
        assert_eq!(get(&known, 2), Some(Verdict::TimedOut), "as when it was asked first");
        known.remove(7);
        assert_eq!((get(&known, 10), get(&known, 2)), (None, Some(Verdict::TimedOut)));
    }
}
